"""Jobs that export and import an account.

The export reads while others continue to work. The import writes everything in one transaction or nothing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import signing

from workspace.accounts.dispatch import closure_notice
from workspace.accounts.models import Account, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.permissions import OWNERS
from workspace.accounts.takeout import archive_format as takeout_format
from workspace.accounts.takeout import chunked_upload, exporter, import_check, importer
from workspace.accounts.takeout.tables import list_tables
from workspace.accounts.takeout.zip_reader import TakeoutArchive
from workspace.audit_trail import verification as records
from workspace.audit_trail.writer import record_event
from workspace.delivery import jobs
from workspace.delivery.jobs import Item, ItemResult, JobFile
from workspace.delivery.models import Job
from workspace.delivery.models.job import ACTIVE_STATES
from workspace.lib import clock
from workspace.lib.errors import ConflictError, NotFoundError, OperationNotAllowedError
from workspace.lib.text import format_count
from workspace.owner_translation import owner_gettext_noop
from workspace.publishing import messages
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.starter import list_startable_models
from workspace.storage.database.transactions import write_transaction
from workspace.storage.files.media_types import clean_file_name

EXPORT_KIND, IMPORT_KIND = "account.export", "account.import"
LINK_LIFETIME = timedelta(hours=1)
_SIGNING_SALT = "takeout.file"
_MAX_NOTES = 200


def start_export(account: Account) -> Job:
    """Return the running export job of the account, or start one."""
    going = account.jobs.filter(kind=EXPORT_KIND, state__in=ACTIVE_STATES).first()
    if going is not None:
        return going
    names = dict.fromkeys(table.model._meta.app_label for table in list_tables())
    return jobs.start(account, EXPORT_KIND, [{"name": name} for name in names])


def _count_rows(account: Account, item: Item) -> dict[str, int]:
    mine = [table for table in list_tables() if table.model._meta.app_label == item.body["name"]]
    return {"rows": sum(table.rows_for(account).count() for table in mine)}


def _write_export(account: Account, outcomes: Iterator[ItemResult], path: Path) -> JobFile:
    exporter.export_account(account, path)
    return JobFile(
        clean_file_name(f"{account.name[:80]} {clock.today(account.time_zone)}.zip"), takeout_format.MEDIA_TYPE
    )


def _undo_export(account: Account, results: Sequence[Any]) -> None:
    """Do nothing, because an export changes nothing."""


jobs.job(
    EXPORT_KIND,
    title=owner_gettext_noop("Account export"),
    noun="parts",
    finish=_write_export,
    undo=_undo_export,
    product=OWNERS,
    max_file_bytes=takeout_format.MAX_ARCHIVE_BYTES,
)(_count_rows)


def create_link(job: Job) -> tuple[str, str]:
    """Return a URL that opens the file without signing in, and the time when it expires.

    The link is valid for `LINK_LIFETIME`, starting now.
    """
    signed = signing.TimestampSigner(salt=_SIGNING_SALT).sign(job.pk)
    ends = clock.now() + LINK_LIFETIME
    return f"{settings.BASE_URL}/files/archive/{signed}", clock.to_iso(ends) or ""


def job_from_link(signed: str) -> Job:
    """Return the job of a link. Raise NotFoundError if the link is invalid or has expired."""
    try:
        id = signing.TimestampSigner(salt=_SIGNING_SALT).unsign(signed, max_age=LINK_LIFETIME)
    except signing.BadSignature:
        raise NotFoundError(messages.LINK_EXPIRED) from None
    found = Job.objects.filter(pk=id, kind=EXPORT_KIND).exclude(file_name="").select_related("account").first()
    if found is None or found.account.banned_at is not None:
        raise NotFoundError(messages.LINK_EXPIRED)
    return found


def start_import(account: Account, upload_id: str) -> Job:
    """Start an import job.

    The job checks that the account is empty. Raise NotFoundError if there is no such upload, and ConflictError if the
    account is closing or another import is running.
    """
    upload = account.uploads.filter(pk=upload_id, kind=FILE).first()
    if upload is None:
        raise NotFoundError(messages.ZIP_NOT_FOUND)
    if account.closes_at is not None:
        raise ConflictError(closure_notice(account))
    if account.jobs.filter(kind=IMPORT_KIND, state__in=ACTIVE_STATES).exists():
        raise ConflictError(messages.IMPORT_IN_PROGRESS)
    return jobs.start(account, IMPORT_KIND, [{"name": upload.name, "upload": upload.pk}])


def check_account_empty(account: Account) -> None:
    """Raise ConflictError if the account has items or records."""
    for table in list_tables():
        model = table.model
        if not issubclass(model, PublishedItem) and model._meta.label_lower != "audit_trail.record":
            continue
        rows = table.rows_for(account)
        if issubclass(model, PublishedItem):
            rows = rows.filter(binned_at=None).exclude(pk__in=[one.pk for one in model.list_starters(account)])
        if count := rows.count():
            what = str(model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural)
            raise ConflictError(messages.ACCOUNT_NOT_EMPTY(count=f"{count:,}", items=what))


def _prepare_import(account: Account, items: Sequence[Item]) -> list[Any]:
    """Do the slow part and all checks of an import, outside of any transaction."""
    return [_prepare_item(account, item) for item in items]


def _prepare_item(account: Account, item: Item) -> import_check.ImportPlan:
    upload = Upload.objects.filter(account=account, pk=item.body["upload"]).first()
    if upload is None:
        raise OperationNotAllowedError(messages.ZIP_IS_GONE)
    file = tempfile.TemporaryFile()  # noqa: SIM115  it is read until everything is written
    try:
        for piece in chunked_upload.read_chunks(upload):
            file.write(piece)
        return plan_import(account, file)
    except BaseException:
        file.close()
        raise


def plan_import(account: Account, file: Any) -> import_check.ImportPlan:
    """Check a ZIP, store its files and return the plan for importing it.

    Raise OperationNotAllowedError if the ZIP is invalid. In that case, no files remain stored.
    """
    check_account_empty(account)
    plan = import_check.check_archive(TakeoutArchive(file), account)
    try:
        import_check.store_files(plan)
    except BaseException:
        import_check.delete_files(plan)
        raise
    return plan


def _import_item(account: Account, item: Item) -> dict[str, Any]:
    return apply_import(account, item.ready)


def apply_import(
    account: Account, plan: import_check.ImportPlan, *, create: Callable[[], None] | None = None
) -> dict[str, Any]:
    """Write everything in one transaction. If that fails, delete the stored files.

    `create` is called first in that transaction. It creates the account if it does not exist yet.
    """
    try:
        with write_transaction():
            if create is not None:
                create()
            return import_account(account.lock(), plan)
    except BaseException:
        import_check.delete_files(plan)
        raise
    finally:
        plan.archive.close()


def import_account(account: Account, plan: import_check.ImportPlan) -> dict[str, Any]:
    """Write everything in the caller's transaction. Return the counts and notes."""
    check_account_empty(account)
    for kind in list_startable_models():
        kind.remove_many(kind.list_starters(account))
    plan.context.account = account
    counts = importer.import_rows(plan)
    notes = plan.context.notes
    if (end := records.find_chain_end(account)) is not None:
        if problems := records.verify_chain(account):
            notes.append(f"The audit trail was imported unchanged, but it isn’t intact: {problems[0].text}")
        manifest = plan.archive.manifest
        data = {"count": end.count, "head": end.head, "packed_at": str(manifest.get("exported_at", ""))[:40]}
        record_event(account, "records.brought", data=data)
    if len(notes) > _MAX_NOTES:
        notes[_MAX_NOTES:] = [f"and {len(notes) - _MAX_NOTES} more"]
    return {"rows": sum(counts.values()), "files": len(plan.stored_keys), "notes": [text[:250] for text in notes]}


def _write_report(account: Account, outcomes: Iterator[ItemResult], path: Path) -> JobFile:
    lines = [account.name, ""]
    for one in outcomes:
        lines += (
            [one.fault]
            if one.fault
            else [summarize_result(one.result), "", *(f"- {text}" for text in one.result["notes"])]
        )
    path.write_text("\n".join(lines) + "\n")
    return JobFile("Import report.txt", "text/plain; charset=utf-8")


def summarize_result(result: dict[str, Any]) -> str:
    return f"Imported {format_count(result['rows'], 'row')} and {format_count(result['files'], 'file')}."


def _describe_result(job: Job) -> str:
    found = job.items.exclude(result=None).values_list("result", flat=True).first()
    if not found:
        return ""
    notes = found["notes"]
    more = f" {format_count(len(notes), 'note')} in the report: {notes[0]}" if notes else ""
    return summarize_result(found) + more


def _refuse_undo(account: Account, results: Sequence[Any]) -> None:
    """Raise OperationNotAllowedError if the import has already run."""
    if results:
        raise OperationNotAllowedError(messages.IMPORT_IS_FINAL)


jobs.job(
    IMPORT_KIND,
    title=owner_gettext_noop("Account import"),
    noun="accounts",
    prepare=_prepare_import,
    finish=_write_report,
    undo=_refuse_undo,
    describe_result=_describe_result,
    chunk=1,
    product=OWNERS,
)(_import_item)
