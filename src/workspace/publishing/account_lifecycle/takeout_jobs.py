"""Packing an account and bringing one back, as jobs: the first reads while everybody goes on working, the second writes
everything in one transaction, or nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import signing

from workspace.accounts.dispatch import closing_words
from workspace.accounts.models import Account, Upload
from workspace.accounts.models.upload import FILE
from workspace.accounts.permissions import OWNERS
from workspace.accounts.takeout import chunked_upload, exporter, import_check, importer
from workspace.accounts.takeout import format as takeout_format
from workspace.accounts.takeout.tables import tables
from workspace.accounts.takeout.zip_reader import Pack
from workspace.audit_trail import verification as records
from workspace.audit_trail.writer import note
from workspace.delivery import jobs
from workspace.delivery.jobs import Item, Outcome, Written
from workspace.delivery.models import Job
from workspace.delivery.models.job import GOING_ON
from workspace.lib import clock
from workspace.lib.errors import Conflict, NotFound, ToolError
from workspace.lib.text import counted
from workspace.publishing.models import Published
from workspace.publishing.models.starter import startable_models
from workspace.storage.database.transactions import writing
from workspace.storage.files.media_types import plain_name

PACKING, BRINGING = "account.export", "account.import"
LINK_LASTS = timedelta(hours=1)
_SALT = "taking along"
_MOST_NOTES = 200


def begin_packing(account: Account) -> Job:
    """The one that is going on, or a new one."""
    going = account.jobs.filter(kind=PACKING, state__in=GOING_ON).first()
    if going is not None:
        return going
    names = dict.fromkeys(table.model._meta.app_label for table in tables())
    return jobs.start(account, PACKING, [{"name": name} for name in names])


def _count(account: Account, item: Item) -> dict[str, int]:
    mine = [table for table in tables() if table.model._meta.app_label == item.body["name"]]
    return {"rows": sum(table.rows(account).count() for table in mine)}


def _pack(account: Account, outcomes: Iterator[Outcome], path: Path) -> Written:
    exporter.pack(account, path)
    return Written(plain_name(f"{account.name[:80]} {clock.today(account.time_zone)}.zip"), takeout_format.MEDIA_TYPE)


def _stop(account: Account, results: Sequence[Any]) -> None:
    """It changed nothing."""


jobs.job(
    PACKING,
    title="Everything, to take along",
    noun="parts",
    finish=_pack,
    undo=_stop,
    product=OWNERS,
    largest=takeout_format.LARGEST_PACK,
)(_count)


def link_of(job: Job) -> tuple[str, str]:
    """An address that opens the file for whoever has it, for an hour from now, and when that ends."""
    signed = signing.TimestampSigner(salt=_SALT).sign(job.pk)
    ends = clock.now() + LINK_LASTS
    return f"{settings.BASE_URL}/files/taken/{signed}", clock.iso(ends) or ""


def job_of(signed: str) -> Job:
    """The job of such an address. Raises NotFound when its time is up."""
    try:
        id = signing.TimestampSigner(salt=_SALT).unsign(signed, max_age=LINK_LASTS)
    except signing.BadSignature:
        raise NotFound("This link has ended: ask for a new one") from None
    found = Job.objects.filter(pk=id, kind=PACKING).exclude(file_name="").select_related("account").first()
    if found is None or found.account.banned_at is not None:
        raise NotFound("This link has ended: ask for a new one")
    return found


def begin_bringing(account: Account, upload_id: str) -> Job:
    """Whether the account is empty is judged by the job. Raises NotFound for no such upload."""
    upload = account.uploads.filter(pk=upload_id, kind=FILE).first()
    if upload is None:
        raise NotFound("There is no such file: send the ZIP again, with kind=file")
    if account.closes_at is not None:
        raise Conflict(closing_words(account))
    if account.jobs.filter(kind=BRINGING, state__in=GOING_ON).exists():
        raise Conflict("Something is being brought back already: wait until that is done")
    return jobs.start(account, BRINGING, [{"name": upload.name, "upload": upload.pk}])


def check_empty(account: Account) -> None:
    """Raises Conflict for an account that holds anything of a product's, or has something on record."""
    for table in tables():
        model = table.model
        if not issubclass(model, Published) and model._meta.label_lower != "records.record":
            continue
        rows = table.rows(account)
        if issubclass(model, Published):
            rows = rows.filter(binned_at=None).exclude(pk__in=[one.pk for one in model.starters(account)])
        if count := rows.count():
            what = str(model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural)
            raise Conflict(
                f"This account has {count:,} {what} already. Bring everything into an empty account: delete what is "
                "here first, or open a new account"
            )


def _look(account: Account, items: Sequence[Item]) -> list[Any]:
    """Everything that takes time, and all that may be refused: outside of any transaction."""
    return [_looked_at(account, item) for item in items]


def _looked_at(account: Account, item: Item) -> import_check.Plan:
    upload = Upload.objects.filter(account=account, pk=item.body["upload"]).first()
    if upload is None:
        raise ToolError("The ZIP is there no more: send it again")
    file = tempfile.TemporaryFile()  # noqa: SIM115  it is read until everything is written
    try:
        for piece in chunked_upload.reading(upload):
            file.write(piece)
        return judged(account, file)
    except BaseException:
        file.close()
        raise


def judged(account: Account, file: Any) -> import_check.Plan:
    """What is to be done with a ZIP, with its files kept. Raises ToolError, and then nothing is."""
    check_empty(account)
    plan = import_check.check(Pack(file), account)
    try:
        import_check.receive(plan)
    except BaseException:
        import_check.take_away(plan)
        raise
    return plan


def _bring(account: Account, item: Item) -> dict[str, Any]:
    return brought(account, item.ready)


def brought(account: Account, plan: import_check.Plan) -> dict[str, Any]:
    """All of it written in one transaction, or nothing: then its files go, too."""
    try:
        with writing():
            return bring(account.lock(), plan)
    except BaseException:
        import_check.take_away(plan)
        raise
    finally:
        plan.pack.close()


def bring(account: Account, plan: import_check.Plan) -> dict[str, Any]:
    """Write all of it, within the caller's transaction."""
    check_empty(account)
    for kind in startable_models():
        kind.remove_many(kind.starters(account))
    plan.arrival.account = account
    counts = importer.arrive(plan)
    notes = plan.arrival.notes
    if (end := records.end(account)) is not None:
        if problems := records.verify(account):
            notes.append(f"The chain of records came as it was, and does not hold: {problems[0].text}")
        told = plan.pack.manifest
        data = {"count": end.count, "head": end.head, "packed_at": str(told.get("packed_at", ""))[:40]}
        note(account, "records.brought", data=data)
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} more"]
    return {"rows": sum(counts.values()), "files": len(plan.keys), "notes": [text[:250] for text in notes]}


def _report(account: Account, outcomes: Iterator[Outcome], path: Path) -> Written:
    lines = [account.name, ""]
    for one in outcomes:
        lines += (
            [one.fault] if one.fault else [summed_up(one.result), "", *(f"- {text}" for text in one.result["notes"])]
        )
    path.write_text("\n".join(lines) + "\n")
    return Written("Brought back.txt", "text/plain; charset=utf-8")


def summed_up(result: dict[str, Any]) -> str:
    return f"{counted(result['rows'], 'row')} and {counted(result['files'], 'file')} are here."


def _tell(job: Job) -> str:
    found = job.items.exclude(result=None).values_list("result", flat=True).first()
    if not found:
        return ""
    notes = found["notes"]
    more = f" {counted(len(notes), 'thing')} to see to, in the report: {notes[0]}" if notes else ""
    return summed_up(found) + more


def _stays(account: Account, results: Sequence[Any]) -> None:
    """Until it begins it can be taken back."""
    if results:
        raise ToolError("What was brought back stays: delete single things, or close the account")


jobs.job(
    BRINGING,
    title="Bringing an account back",
    noun="accounts",
    prepare=_look,
    finish=_report,
    undo=_stays,
    tell=_tell,
    chunk=1,
    product=OWNERS,
)(_bring)
