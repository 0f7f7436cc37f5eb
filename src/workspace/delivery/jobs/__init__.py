"""Jobs: work on many items that is too long for one call.

    @job("qr.bulk", title="QR codes from a list", noun="codes", prepare=draw, finish=as_zip)
    def make_one(account: Account, item: Item) -> dict[str, Any]: ...

    jobs.start(account, "qr.bulk", rows, dedupe=f"import:{upload.id}")

`prepare` runs outside any transaction on a chunk of items (rendering, hashing, asking others), `make_one` in a
transaction of each item's own with the account's lock, and its effect commits together with the job's progress: a
killed worker loses the item in hand and nothing is done twice. A Refusal is the item's fault, and the job goes on.
"""

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
from workspace.storage.database import bulk
from workspace.storage.files import store
from workspace.tools.answer import StreamedFile

MAX_ITEMS = 5000
MAX_ACTIVE_JOBS = 20  # jobs of one account
MAX_ITEM_BYTES = 64 * 1024  # bytes of JSON, and of its result
MAX_TOTAL_BYTES = 16 * 1024 * 1024
MAX_FILE_BYTES = 256 * 1024 * 1024
MAX_DEDUPE_LENGTH = 200
MAX_NAME_LENGTH = 120

# set after each commit of a job; the lane waits on it
wake_event = threading.Event()


@dataclass(frozen=True, slots=True)
class Item:
    """One of the job's items: its place from 0, the name that people know it by, what `start` was given, and what
    `prepare` made of it."""

    place: int
    name: str
    body: Any
    ready: Any = None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """What became of an item: what the job's function answered, or its fault in words for people."""

    place: int
    name: str
    result: Any
    fault: str


@dataclass(frozen=True, slots=True)
class JobFile:
    """A job's file, whose bytes it wrote to the path that it was given."""

    name: str
    media_type: str


Each = Callable[[Account, Item], Any]
Prepare = Callable[[Account, Sequence[Item]], Sequence[Any]]
Finish = Callable[[Account, Iterator[ItemResult], Path], JobFile]
Undo = Callable[[Account, Sequence[Any]], None]
Describe = Callable[[Job], str]


@dataclass(frozen=True, slots=True)
class JobKind:
    """`title` for people, `noun` the plural of its items. `prepare` answers one value an item, or an exception in the
    place of one that cannot be prepared; a chunk must take it well under a minute. `finish` writes the file to the
    path, row by row where there are many, outside a transaction and perhaps twice. `undo` takes away what the items
    made, by what the job's function answered for each: with it the job's start is a change that can be taken back.
    `describe` says what the job has found so far, in words; `max_file_bytes` is what its file may be, in bytes."""

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
    tell: Describe | None = None,
    chunk: int = 20,
    product: str = "",
    largest: int = MAX_FILE_BYTES,
) -> Callable[[Each], Each]:
    """Teach the worker a kind of job: `product.what`, with the `product` where its key is another word. The decorated
    function runs in the item's transaction and answers JSON or None. Its module is imported in the `ready` of the app
    that owns it."""
    of_product = product or name.partition(".")[0]

    def register(each: Each) -> Each:
        _kinds[name] = JobKind(name, title, noun, each, prepare, finish, undo, tell, chunk, of_product, largest)
        return each

    return register


def kind_names() -> list[str]:
    return sorted(_kinds)


def get_kind(job: Job) -> JobKind:
    return _kinds[job.kind]


def describe_findings(job: Job) -> str:
    """What its kind tells of it, in words; empty for nothing."""
    kind = _kinds.get(job.kind)
    return kind.describe(job) if kind is not None and kind.describe is not None else ""


def start(account: Account, name: str, items: Sequence[Any], *, dedupe: str | None = None) -> Job:
    """Begin a job in the caller's transaction: nothing begins when that rolls back. `items` are JSON; an object's
    `name` names it where a fault is told. With a `dedupe` key that the account used in the last week, the earlier job
    comes back. Raises OperationNotAllowedError for too much at once, ValueError for a kind that there is not and for no
    items."""
    kind = _kinds.get(name)
    if kind is None:
        raise ValueError(f"No job of kind {name!r}")
    if dedupe is not None and not 0 < len(dedupe) <= MAX_DEDUPE_LENGTH:
        raise ValueError(f"A dedupe key has 1 to {MAX_DEDUPE_LENGTH} characters")
    if not items:
        raise ValueError("A job needs something to do")
    _check_size(kind, items)
    with join_transaction():
        # under the account's lock, which the door took already, so that two starts cannot both find room
        account = account.lock()
        if dedupe is not None and (earlier := account.jobs.filter(dedupe_key=dedupe).first()):
            return earlier
        check_quota(account)
        made = Job.objects.create(
            account=account, kind=name, title=kind.title, noun=kind.noun, dedupe_key=dedupe, total=len(items)
        )
        bulk.create_rows(
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
    """Raises OperationNotAllowedError when the account has as many jobs going on as it may have at once."""
    if account.jobs.filter(state__in=ACTIVE_STATES).count() >= MAX_ACTIVE_JOBS:
        raise OperationNotAllowedError(
            f"{MAX_ACTIVE_JOBS} jobs are being worked on already: wait until one of them is done"
        )


def wake_after_commit() -> None:
    transaction.on_commit(wake_event.set)


def get_job(account: Account, id: str, *, to_change: bool = False) -> Job:
    """The account's job, of a product that who asks may see or change; raises NotFound."""
    found = account.jobs.filter(pk=id).first()
    kind = _kinds.get(found.kind) if found else None
    if found is None or (kind is not None and not permissions.is_permitted(kind.product, writes=to_change)):
        raise NotFoundError("There is no such job, or it was over more than a week ago")
    return found


def list_results(job: Job) -> Iterator[ItemResult]:
    """Of the items that have passed, in their order."""
    rows = job.items.filter(position__lt=job.done).order_by("position")
    for row in rows.values_list("position", "name", "result", "error").iterator(chunk_size=500):
        yield ItemResult(*row)


def list_faults(job: Job, most: int) -> list[ItemResult]:
    """The first items that could not be done."""
    rows = job.items.exclude(error="").order_by("position").values_list("position", "name", "result", "error")
    return [ItemResult(*row) for row in rows[:most]]


def open_file(job: Job) -> StreamedFile:
    """The file of a job that has one. Raises FileNotFoundError once it is forgotten."""
    return StreamedFile(job.file_name, job.file_type, store.read_chunks(job.file_key), job.file_size)


def delete_jobs(account: Account, name: str) -> None:
    """All of the account's jobs of one kind, with their files: what they told is not to be told any more."""
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
