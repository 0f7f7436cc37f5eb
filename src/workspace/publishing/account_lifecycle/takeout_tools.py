"""Tools that export and import an account.

Closing an account is not a tool, because only a signed-in owner can do it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from workspace.accounts.account_tools import box
from workspace.accounts.models import Account
from workspace.accounts.permissions import OWNERS
from workspace.delivery import jobs
from workspace.delivery.jobs.tools import JobData, JobId, format_job, job_data
from workspace.publishing.account_lifecycle import takeout_jobs
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id

ZipId = Annotated[
    Id,
    Field(
        description="upload_id of the ZIP file, from /api/v1/upload (kind=file). You can upload large files in parts."
    ),
]


@box.tool(
    "svc_account_export",
    title="Export all account data",
    about="Export all account data as a ZIP backup without passwords, keys and secrets. Runs in the background: call "
    "again with the returned job_id until it returns a link. Anyone with the link can use it for one hour. To "
    "restore the backup in an empty account, use svc_account_import.",
    short="Export all account data as one ZIP backup.",
    synonyms="backup, gdpr, takeout, download everything, data portability, move to another server, "
    "datensicherung, alle daten exportieren, dsgvo, sicherung, copia de seguridad, exportar todos mis datos, rgpd, "
    "respaldo",
    area=OWNERS,
    rare=True,
)
def export(account: Account, job_id: JobId | None = None) -> Answer[JobData]:
    if job_id is None:
        job = takeout_jobs.start_export(account)
    else:
        job = jobs.get_job(account, job_id)
    data = job_data(job)
    if "file" in data and job.kind == takeout_jobs.EXPORT_KIND:
        url, ends = takeout_jobs.create_link(job)
        data["file"] = {**data["file"], "url": url, "expires_at": ends}
    begun = "Exporting all account data.\n\n" if job_id is None else ""
    return Answer(data, f"{begun}{format_job(data)}")


@box.tool(
    "svc_account_import",
    title="Import account data",
    about="Import a ZIP backup from svc_account_export into this empty account. If anything fails, nothing is "
    "imported. IDs and URLs stay the same unless they are taken; svc_jobs_get shows progress and lists new ones. No "
    "emails are sent, and webhooks start out disabled.",
    short="Import a ZIP backup into an empty account.",
    synonyms="restore backup, migrate, transfer account, load backup, move from another server, sicherung "
    "einspielen, daten importieren, backup wiederherstellen, importar copia de seguridad, restaurar respaldo, "
    "migrar",
    area=OWNERS,
    rare=True,
)
def import_account(account: Account, upload_id: ZipId) -> Answer[JobData]:
    data = job_data(takeout_jobs.start_import(account, upload_id))
    return Answer(data, f"Importing account data.\n\n{format_job(data)}")
