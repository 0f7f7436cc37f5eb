"""The kinds of jobs. `delivery.jobs` explains how jobs work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workspace.accounts.models import Account

MAX_FILE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a job.

    `place` is its position from 0, `name` its display name, `body` the value given to `start`, and `ready` the
    result of `prepare`."""

    place: int
    name: str
    body: Any
    ready: Any = None


@dataclass(frozen=True, slots=True)
class ItemResult:
    """The result of an item: the return value of the job's function, or a human-readable error message."""

    place: int
    name: str
    result: Any
    fault: str


@dataclass(frozen=True, slots=True)
class JobFile:
    """A job's file, which was written to the path given to `finish`."""

    name: str
    media_type: str


Each = Callable[[Account, Item], Any]
Prepare = Callable[[Account, Sequence[Item]], Sequence[Any]]
Finish = Callable[[Account, Iterator[ItemResult], Path], JobFile]
Undo = Callable[[Account, Sequence[Any]], None]
Describe = Callable[[Any], str]  # from a Job to text


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job.

    - `title` is its display name, and `noun` is the plural noun for its items.
    - `prepare` returns one value per item, or an exception for an item that cannot be prepared. A chunk must take well
      under a minute.
    - `finish` writes the file to the path, row by row if there are many, outside a transaction. It may run twice.
    - `undo` removes everything that the items created, given the function's return values. If it is set, starting the
      job can be undone.
    - `describe` returns the job's findings so far as text.
    - `max_file_bytes` is the largest allowed file, in bytes.
    """

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
    """Register a kind of job named `product.what`. Pass `product` if the product has another key.

    The decorated function runs in the item's transaction and returns JSON or None. Import its module in the `ready`
    method of the app that owns it.
    """
    of_product = product or name.partition(".")[0]

    def register(each: Each) -> Each:
        _kinds[name] = JobKind(
            name, title, noun, each, prepare, finish, undo, describe_result, chunk, of_product, max_file_bytes
        )
        return each

    return register


def kind_names() -> list[str]:
    return sorted(_kinds)


def get_kind(name: str) -> JobKind:
    """Return the kind of job with this name. Raise KeyError if it is not registered."""
    return _kinds[name]


def find_kind(name: str) -> JobKind | None:
    """Return the kind of job with this name, or None."""
    return _kinds.get(name)
