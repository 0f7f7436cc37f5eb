"""Jobs: work on many items that is too long for one call.

    @job("qr.bulk", title="QR codes from a list", noun="codes", prepare=render_all, finish=build_zip)
    def create_code(account: Account, item: Item) -> dict[str, Any]: ...

    jobs.start(account, "qr.bulk", rows, dedupe=f"import:{upload.id}")

`prepare` runs on a chunk of items outside any transaction, for rendering, hashing and requests. `create_code` runs in
one transaction per item with the account locked, and commits together with the job's progress. A killed worker
therefore loses only the current item, and nothing is done twice. A ToolError is recorded for its item, and the job
continues.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db import transaction

from workspace.accounts import permissions
from workspace.accounts.models import Account
from workspace.delivery import messages
from workspace.delivery.job_kinds import Item, ItemResult, JobFile, JobKind, find_kind, job, kind_names
from workspace.delivery.models import Job, JobItem
from workspace.delivery.models.job import wake_worker_after_commit
from workspace.delivery.outbox import join_transaction
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.owner_translation import owner_gettext
from workspace.storage import journal
from workspace.storage.database import bulk_insert
from workspace.storage.files import store
from workspace.tools.answer import StreamedFile

__all__ = [
    "Item",
    "ItemResult",
    "JobFile",
    "JobKind",
    "delete_jobs",
    "describe_findings",
    "get_job",
    "job",
    "json_size",
    "kind_names",
    "list_faults",
    "open_file",
    "start",
]

MAX_ITEMS = 5000
MAX_ITEM_BYTES = 64 * 1024  # of an item as JSON, and of its result
MAX_TOTAL_BYTES = 16 * 1024 * 1024
MAX_DEDUPE_LENGTH = 200
MAX_NAME_LENGTH = 120


def describe_findings(job: Job) -> str:
    """Return the findings of a job as text, or "" if there are none."""
    kind = find_kind(job.kind)
    return kind.describe(job) if kind is not None and kind.describe is not None else ""


def start(account: Account, name: str, items: Sequence[Any], *, dedupe: str | None = None) -> Job:
    """Start a job in the caller's transaction.

    `items` are JSON data. The `name` of an object identifies it in error messages. If the account used the `dedupe` key
    in the last week, return the earlier job. Raise OperationNotAllowedError if the job is too large or too many jobs
    are active, and ValueError for an unknown kind or no items.
    """
    kind = find_kind(name)
    if kind is None:
        raise ValueError(f"No job has the kind {name!r}")
    if dedupe is not None and not 0 < len(dedupe) <= MAX_DEDUPE_LENGTH:
        raise ValueError(f"A dedupe key must have 1 to {MAX_DEDUPE_LENGTH} characters")
    if not items:
        raise ValueError("A job needs at least one item")
    _check_size(items)
    with join_transaction():
        # with the account locked, as the dispatcher has done already, so that two starts cannot both pass the check
        account = account.lock()
        if dedupe is not None and (earlier := account.jobs.filter(dedupe_key=dedupe).first()):
            return earlier
        Job.check_quota(account)
        made = Job.objects.create(
            account=account, kind=name, title=kind.title, noun=kind.noun, dedupe_key=dedupe, total=len(items)
        )
        bulk_insert.create_rows(
            [
                JobItem(job=made, position=place, name=_item_name(body, place), body=body)
                for place, body in enumerate(items)
            ]
        )
        if kind.undo is not None:
            journal.record_new_rows(made)
        wake_worker_after_commit()
    return made


def get_job(account: Account, id: str, *, to_change: bool = False) -> Job:
    """Return the account's job. Raise NotFoundError if the caller has no permission for the job's product."""
    found = account.jobs.filter(pk=id).first()
    kind = find_kind(found.kind) if found else None
    if found is None or (kind is not None and not permissions.is_permitted(kind.product, writes=to_change)):
        raise NotFoundError(messages.JOB_NOT_FOUND)
    return found


def list_faults(job: Job, limit: int) -> list[ItemResult]:
    """Return the first items that failed."""
    rows = job.items.exclude(error="").order_by("position").values_list("position", "name", "result", "error")
    return [ItemResult(*row) for row in rows[:limit]]


def open_file(job: Job) -> StreamedFile:
    """Open the file of a job. Raise FileNotFoundError if it was deleted."""
    return StreamedFile(job.file_name, job.file_type, store.read_chunks(job.file_key), job.file_size)


def delete_jobs(account: Account, name: str) -> None:
    """Delete all of the account's jobs of one kind, with their files.

    Call it if their content must no longer be shown.
    """
    found = account.jobs.filter(kind=name)
    for one in found:
        transaction.on_commit(partial(store.delete, one.file_key))
    found.delete()


def json_size(body: Any) -> int:
    return len(json.dumps(body, ensure_ascii=False).encode())


def _check_size(items: Sequence[Any]) -> None:
    if len(items) > MAX_ITEMS:
        raise OperationNotAllowedError(messages.JOB_TOO_LONG(most=f"{MAX_ITEMS:,}"))
    in_all = 0
    for place, body in enumerate(items):
        size = json_size(body)
        in_all += size
        if size > MAX_ITEM_BYTES:
            raise OperationNotAllowedError(messages.JOB_ITEM_TOO_LARGE(name=_item_name(body, place)))
    if in_all > MAX_TOTAL_BYTES:
        raise OperationNotAllowedError(messages.JOB_TOO_LARGE)


def _item_name(body: Any, place: int) -> str:
    name = body.get("name") if isinstance(body, dict) else None
    return (
        " ".join(str(name).split())[:MAX_NAME_LENGTH]
        if name
        else owner_gettext("Item %(number)s") % {"number": place + 1}
    )
