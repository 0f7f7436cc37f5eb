"""A connected address book as tools and pages tell it. Its password does not leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.delivery.contacts import sync_state
from workspace.delivery.models import AddressBook
from workspace.lib import clock
from workspace.lib.text import counted, escape_markdown

_NONE = {"there": 0, "waiting": 0, "theirs": 0, "failed": 0, "leaving": 0}


class BookRow(TypedDict):
    name: str
    url: str
    writes: Annotated[bool, Field(description="Whether contacts can be put into it")]


class AddressBookRow(TypedDict):
    contacts_id: str
    name: str
    host: str
    username: str
    books: list[BookRow]
    into: Annotated[str, Field(description="The address of its book that contacts go into; empty until it is chosen")]
    products: Annotated[list[str], Field(description="Whose contacts go")]
    group: str
    take_out: bool
    live: bool
    state: Annotated[str, Field(description="new until somebody was put there, good, broken")]
    problem: str
    failing_since: str | None
    stopped: Annotated[bool, Field(description="Not tried again until its password is mended")]
    reached_at: str | None
    there: Annotated[int, Field(description="Contacts that we put there")]
    waiting: int
    to_take_out: int
    changed_there: Annotated[int, Field(description="Changed or deleted there by you, so left as they are")]
    not_taken: Annotated[int, Field(description="Contacts that the server does not take")]
    why_not_taken: str
    page: str


def rows(books: Sequence[AddressBook]) -> list[AddressBookRow]:
    counts = sync_state.counts_of(books)
    return [_row(one, counts.get(one.pk, _NONE)) for one in books]


def _row(one: AddressBook, counts: dict[str, int]) -> AddressBookRow:
    return {
        "contacts_id": one.pk,
        "name": one.name,
        "host": one.host,
        "username": one.username,
        "books": [{"name": book["name"], "url": book["url"], "writes": book["writes"]} for book in one.books],
        "into": one.into,
        "products": one.products,
        "group": one.group,
        "take_out": one.takes_out,
        "live": one.live,
        "state": one.health,
        "problem": one.problem,
        "failing_since": clock.iso(one.failing_since),
        "stopped": one.health == "broken" and one.next_at is None,
        "reached_at": clock.iso(one.reached_at),
        "there": counts["there"],
        "waiting": counts["waiting"],
        "to_take_out": counts["leaving"],
        "changed_there": counts["theirs"],
        "not_taken": counts["failed"],
        "why_not_taken": sync_state.why(one) if counts["failed"] else "",
        "page": f"{settings.BASE_URL}{sync_state.PAGE}/{one.pk}",
    }


def line(row: AddressBookRow) -> str:
    books = ", ".join(_book(book) for book in row["books"])
    told = [
        f"**{escape_markdown(row['name'])}** (at {row['host']}, `{row['contacts_id']}`): {row['state']}",
        "" if row["live"] else "off",
        escape_markdown(row["problem"]),
        f"not reached since {row['failing_since']}" if row["failing_since"] else "",
        "stopped until its password is mended" if row["stopped"] else "",
        f"reached at {row['reached_at']}" if row["reached_at"] else "not reached yet",
        f"user {escape_markdown(row['username'])}",
        f"its books: {books}",
        f"contacts go into {row['into']}" if row["into"] else "choose into which of them: give `into`",
        f"contacts of: {', '.join(row['products']) or 'nothing'}",
        f"in the group {escape_markdown(row['group'])}" if row["group"] else "",
        "deleted here, taken out there" if row["take_out"] else "what is deleted here stays there",
        f"{counted(row['there'], 'contact')} there",
        f"{row['waiting']} waiting" if row["waiting"] else "",
        f"{row['to_take_out']} to take out" if row["to_take_out"] else "",
        f"{row['changed_there']} changed there" if row["changed_there"] else "",
        f"{row['not_taken']} not taken" if row["not_taken"] else "",
        escape_markdown(row["why_not_taken"]),
        f"see {row['page']}",
    ]
    return "; ".join(part for part in told if part)


def _book(book: BookRow) -> str:
    return f"{escape_markdown(book['name'])} ({'' if book['writes'] else 'read only, '}{book['url']})"
