"""Jobs: work on many items that is too long for one call.

    @job("qr.bulk", title="QR codes from a list", noun="codes", prepare=render_all, finish=build_zip)
    def create_code(account: Account, item: Item) -> dict[str, Any]: ...

    jobs.start(account, "qr.bulk", rows, dedupe=f"import:{upload.id}")

`prepare` runs on a chunk of items outside any transaction, for rendering, hashing and requests. `create_code` runs in
one transaction per item, under the account's lock, and commits together with the job's progress. A killed worker
therefore loses only the current item, and nothing is done twice. A ToolError is recorded for its item, and the job
continues."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from workspace.accounts import permissions
from workspace.accounts.models import Account
from workspace.delivery.models import Job, JobItem
from workspace.delivery.models.job import ACTIVE_STATES
from workspace.delivery.outbox import join_transaction
from workspace.lib.errors import NotFoundError, OperationNotAllowedError
from workspace.storage import journal
from workspace.storage.database import bulk_insert
from workspace.storage.files import store
from workspace.tools.answer import StreamedFile

MAX_ITEMS = 5000
MAX_ACTIVE_JOBS = 20  # of one account
MAX_ITEM_BYTES = 64 * 1024  # of an item as JSON, and of its result
MAX_TOTAL_BYTES = 16 * 1024 * 1024
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_DEDUPE_LENGTH = 200
MAX_NAME_LENGTH = 120

# set after each commit of a job; the worker waits for it
wake_event = threading.Event()


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a job.

    `place` is its position from 0, `name` its name for people, `body` the value given to `start`, and `ready` the
    result of `prepare`."""

    place: int
    name: str
    body: Any
    ready: Any = None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The result of an item: the return value of the job's function, or an error message for people."""

    place: int
    name: str
    result: Any
    fault: str


@dataclass(frozen=True, slots=True)
class JobFile:
    """A job's file, written to the path that `finish` was given."""

    name: str
    media_type: str


Each = Callable[[Account, Item], Any]
Prepare = Callable[[Account, Sequence[Item]], Sequence[Any]]
Finish = Callable[[Account, Iterator[ItemResult], Path], JobFile]
Undo = Callable[[Account, Sequence[Any]], None]
Describe = Callable[[Job], str]


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job.

    - `title` is its name for people, `noun` the plural of its items.
    - `prepare` returns one value per item, or an exception for an item that cannot be prepared. A chunk must take
      well under a minute.
    - `finish` writes the file to the path, row by row if there are many, outside a transaction. It may run twice.
    - `undo` removes what the items created, given the function's return values. With it, starting the job can be
      undone.
    - `describe` returns the findings so far as text.
    - `max_file_bytes` is the largest allowed file, in bytes."""

    name: str
    title: str
    noun: str
    each: Each
    prepare: Prepare | None
    finish: Finish | None
    undo: Undo | None
    describe: Describe | None
    chunk: int
    product: str
    max_file_bytes: int = MAX_FILE_BYTES


_kinds: dict[str, JobKind] = {}


def job(
    name: str,
    *,
    title: str,
    noun: str = "items",
    prepare: Prepare | None = None,
    finish: Finish | None = None,
    undo: Undo | None = None,
    describe_result: Describe | None = None,
    chunk: int = 20,
    product: str = "",
    max_file_bytes: int = MAX_FILE_BYTES,
) -> Callable[[Each], Each]:
    """Register a kind of job named `product.what`. Pass `product` if the product's key is another word.

    The decorated function runs in the item's transaction and returns JSON or None. Import its module in the `ready`
    method of the app that owns it."""
    of_product = product or name.partition(".")[0]

    def register(each: Each) -> Each:
        _kinds[name] = JobKind(
            name, title, noun, each, prepare, finish, undo, describe_result, chunk, of_product, max_file_bytes
        )
        return each

    return register


def kind_names() -> list[str]:
    return sorted(_kinds)


def get_kind(job: Job) -> JobKind:
    return _kinds[job.kind]


def describe_findings(job: Job) -> str:
    """Return the findings of a job as text, or "" if there are none."""
    kind = _kinds.get(job.kind)
    return kind.describe(job) if kind is not None and kind.describe is not None else ""


def start(account: Account, name: str, items: Sequence[Any], *, dedupe: str | None = None) -> Job:
    """Start a job in the caller's transaction.

    `items` are JSON. The `name` of an object identifies it in error messages. If the account used the `dedupe` key
    in the last week, return the earlier job. Raise OperationNotAllowedError if the job is too large or too many jobs
    are active, and ValueError for an unknown kind or no items."""
    kind = _kinds.get(name)
    if kind is None:
        raise ValueError(f"No job of kind {name!r}")
    if dedupe is not None and not 0 < len(dedupe) <= MAX_DEDUPE_LENGTH:
        raise ValueError(f"A dedupe key has 1 to {MAX_DEDUPE_LENGTH} characters")
    if not items:
        raise ValueError("A job needs something to do")
    _check_size(kind, items)
    with join_transaction():
        # under the account's lock, which the dispatcher already has, so that two starts cannot both pass the check
        account = account.lock()
        if dedupe is not None and (earlier := account.jobs.filter(dedupe_key=dedupe).first()):
            return earlier
        check_quota(account)
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
        wake_after_commit()
    return made


def check_quota(account: Account) -> None:
    """Raise OperationNotAllowedError if the account has too many active jobs."""
    if account.jobs.filter(state__in=ACTIVE_STATES).count() >= MAX_ACTIVE_JOBS:
        raise OperationNotAllowedError(
            f"{MAX_ACTIVE_JOBS} jobs are being worked on already: wait until one of them is done"
        )


def wake_after_commit() -> None:
    """Wake the job worker after the commit."""
    transaction.on_commit(wake_event.set)


def get_job(account: Account, id: str, *, to_change: bool = False) -> Job:
    """Return the account's job. Raise NotFoundError if the caller has no permission for its product."""
    found = account.jobs.filter(pk=id).first()
    kind = _kinds.get(found.kind) if found else None
    if found is None or (kind is not None and not permissions.is_permitted(kind.product, writes=to_change)):
        raise NotFoundError("There is no such job, or it was over more than a week ago")
    return found


def list_results(job: Job) -> Iterator[ItemResult]:
    """Return the results of the finished items, in order."""
    rows = job.items.filter(position__lt=job.done).order_by("position")
    for row in rows.values_list("position", "name", "result", "error").iterator(chunk_size=500):
        yield ItemResult(*row)


def list_faults(job: Job, limit: int) -> list[ItemResult]:
    """Return the first items that failed."""
    rows = job.items.exclude(error="").order_by("position").values_list("position", "name", "result", "error")
    return [ItemResult(*row) for row in rows[:limit]]


def open_file(job: Job) -> StreamedFile:
    """Return the file of a job. Raise FileNotFoundError after it was deleted."""
    return StreamedFile(job.file_name, job.file_type, store.read_chunks(job.file_key), job.file_size)


def delete_jobs(account: Account, name: str) -> None:
    """Delete all jobs of one kind of the account, with their files, because their content must not be shown anymore."""
    found = account.jobs.filter(kind=name)
    for job in found:
        transaction.on_commit(partial(store.delete, job.file_key))
    found.delete()


def json_size(body: Any) -> int:
    return len(json.dumps(body, ensure_ascii=False).encode())


def _check_size(kind: JobKind, items: Sequence[Any]) -> None:
    if len(items) > MAX_ITEMS:
        raise OperationNotAllowedError(f"One job takes up to {MAX_ITEMS:,} {kind.noun}: send the rest in another")
    in_all = 0
    for place, body in enumerate(items):
        size = json_size(body)
        in_all += size
        if size > MAX_ITEM_BYTES:
            raise OperationNotAllowedError(
                f"{_item_name(body, place)} holds too much: one of the {kind.noun} may have 64 kB"
            )
    if in_all > MAX_TOTAL_BYTES:
        raise OperationNotAllowedError(f"These {kind.noun} hold over 16 MB in all: send them in parts")


def _item_name(body: Any, place: int) -> str:
    name = body.get("name") if isinstance(body, dict) else None
    return " ".join(str(name).split())[:MAX_NAME_LENGTH] if name else f"Number {place + 1}"
