"""Answers of tools: the same content as data for machines and as Markdown for people and agents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class File:
    """A file to download. `name` is its file name."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class StreamedFile:
    """A file in chunks, which may be large. `size` is in bytes, if known."""

    name: str
    media_type: str
    content: Iterable[bytes]
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """An answer of a tool.

    - `text_source` is its text or a function that builds it, because the dashboard does not use the text and building
      it for many items is slow.
    - `replayed` means that it is the stored answer for the same Idempotency-Key, and that nothing was done now.
    - `file` is the complete file of an export, available at the URL in the data.
    - `picture` renders a PNG for channels that show one. It may raise a ToolError.
    - `brief` builds a shorter version of a long answer, for AI assistants.
    """

    data: T_co
    text_source: str | Callable[[], str]
    replayed: bool = False
    file: File | None = None
    picture: Callable[[], bytes] | None = None
    brief: Callable[[], Answer[Any]] | None = None

    @property
    def text(self) -> str:
        return self.text_source if isinstance(self.text_source, str) else self.text_source()


class Page(TypedDict):
    """The position of a page within the whole list.

    A list with more than its items inherits from this and declares its `items` itself, because pydantic loses the type
    of the items in a class that inherits from `Listing[Row]`.
    """

    total: Annotated[int, Field(description="Total number of results.", ge=0)]
    count: Annotated[int, Field(description="Number of results in this response.", ge=0)]
    offset: Annotated[int, Field(description="Number of results skipped.", ge=0)]
    has_more: Annotated[bool, Field(description="Whether more results follow.")]


class Listing(Page, Generic[T]):
    """One page of a list."""

    items: list[T]


def listing_answer(
    items: list[T], *, total: int, offset: int, noun: str, line: Callable[[T], str]
) -> Answer[Listing[T]]:
    """Return a page of `items` as an answer.

    `noun` is the plural (`QR codes`), and `line` returns an item's Markdown bullet.
    """
    data = build_listing(items, total=total, offset=offset)
    if not total:
        text = f"No {noun} found."
    else:
        head = f"{len(items)} of {total} {noun}" + (f", from number {offset + 1}" if offset else "") + ":"
        tail = [f"More results: use offset={offset + len(items)}."] if data["has_more"] else []
        text = "\n".join([head, "", *format_bullets(items, line), *tail])
    return Answer(data, text)


def build_listing(items: list[T], *, total: int, offset: int = 0) -> Listing[T]:
    """Build the data of one page of a list."""
    count = len(items)
    return {"total": total, "count": count, "offset": offset, "has_more": offset + count < total, "items": items}


def format_bullets(items: Iterable[T], line: Callable[[T], str]) -> list[str]:
    return [f"- {line(item)}" for item in items]


def format_fact_list(title: str, pairs: Mapping[str, Any]) -> str:
    """Return a heading and one line per fact. Facts that are None or empty are left out."""
    rows = [f"- {name}: {value}" for name, value in pairs.items() if value not in (None, "")]
    return "\n".join([f"**{title}**", *rows])
