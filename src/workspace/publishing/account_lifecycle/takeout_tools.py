"""Tools that export and import an account. Closing an account is not a tool; a signed-in owner does it."""

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

ZipId = Annotated[Id, Field(description="The ZIP, sent to /api/v1/upload with kind=file; large ones in pieces")]


@box.tool("svc_account_export", title="Take everything along", area=OWNERS, rare=True)
def export(account: Account, job_id: JobId | None = None) -> Answer[JobData]:
    """Pack everything that the account holds into one ZIP, which svc_account_import brings into an empty account
    elsewhere. It takes a while: call it again with the job_id that it answers, until `file` has the link. That opens
    for whoever has it, for an hour; a later call answers another one. No passwords, keys or secrets are in it."""
    if job_id is None:
        job = takeout_jobs.start_export(account)
    else:
        job = jobs.get_job(account, job_id)
    data = job_data(job)
    if "file" in data and job.kind == takeout_jobs.EXPORT_KIND:
        url, ends = takeout_jobs.create_link(job)
        data["file"] = {**data["file"], "url": url, "expires_at": ends}
    begun = "Packing everything, to take along.\n\n" if job_id is None else ""
    return Answer(data, f"{begun}{format_job(data)}")


@box.tool("svc_account_import", title="Bring everything back", area=OWNERS, rare=True)
def import_account(account: Account, upload_id: ZipId) -> Answer[JobData]:
    """Bring what svc_account_export packed into this account, which must be empty: everything, or nothing where
    anything is wrong. Ids and addresses stay as they were; where one is taken here, the job's report says which is new.
    Nothing is sent, and webhooks are off. Ask svc_jobs_get how it comes along."""
    data = job_data(takeout_jobs.start_import(account, upload_id))
    return Answer(data, f"Bringing everything back.\n\n{format_job(data)}")
