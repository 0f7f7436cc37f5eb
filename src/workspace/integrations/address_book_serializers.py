"""Serialization of connected address books for tools and pages, without their passwords."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.delivery.address_books import sync_state
from workspace.delivery.models import AddressBook
from workspace.lib import clock
from workspace.lib.text import escape_markdown, format_count

_NO_COUNTS = {"there": 0, "waiting": 0, "theirs": 0, "failed": 0, "leaving": 0}


class BookData(TypedDict):
    name: str
    url: str
    writes: Annotated[bool, Field(description="Whether it can receive contacts.")]


class AddressBookData(TypedDict):
    contacts_id: str
    name: str
    host: str
    username: str
    books: list[BookData]
    into: Annotated[
        str, Field(description="URL of the address book that receives contacts. Empty until you choose one.")
    ]
    products: Annotated[list[str], Field(description="Products whose contacts are sent.")]
    group: str
    take_out: bool
    live: bool
    state: Annotated[str, Field(description="new (nothing sent yet), good or broken.")]
    problem: str
    failing_since: str | None
    stopped: Annotated[bool, Field(description="Whether syncing stopped until the password is corrected.")]
    reached_at: str | None
    there: Annotated[int, Field(description="Number of contacts added there.")]
    waiting: int
    to_take_out: int
    changed_there: Annotated[int, Field(description="Number of contacts that you changed or deleted there.")]
    not_taken: Annotated[int, Field(description="Number of contacts that the server rejected.")]
    why_not_taken: str
    page: str


def list_address_book_data(books: Sequence[AddressBook]) -> list[AddressBookData]:
    counts = sync_state.copy_counts(books)
    return [_address_book_data(one, counts.get(one.pk, _NO_COUNTS)) for one in books]


def _address_book_data(address_book: AddressBook, counts: dict[str, int]) -> AddressBookData:
    return {
        "contacts_id": address_book.pk,
        "name": address_book.name,
        "host": address_book.host,
        "username": address_book.username,
        "books": [
            {"name": book["name"], "url": book["url"], "writes": book["writes"]}
            for book in address_book.available_books
        ],
        "into": address_book.target_book,
        "products": address_book.products,
        "group": address_book.group,
        "take_out": address_book.removes_deleted,
        "live": address_book.live,
        "state": address_book.health,
        "problem": address_book.problem,
        "failing_since": clock.to_iso(address_book.failing_since),
        "stopped": address_book.health == "broken" and address_book.next_at is None,
        "reached_at": clock.to_iso(address_book.reached_at),
        "there": counts["there"],
        "waiting": counts["waiting"],
        "to_take_out": counts["leaving"],
        "changed_there": counts["theirs"],
        "not_taken": counts["failed"],
        "why_not_taken": sync_state.last_problem(address_book) if counts["failed"] else "",
        "page": f"{settings.BASE_URL}{sync_state.PAGE}/{address_book.pk}",
    }


def format_address_book(row: AddressBookData) -> str:
    books = ", ".join(_format_book(book) for book in row["books"])
    texts = [
        f"**{escape_markdown(row['name'])}** (at {row['host']}, `{row['contacts_id']}`): {row['state']}",
        "" if row["live"] else "off",
        escape_markdown(row["problem"]),
        f"not reached since {row['failing_since']}" if row["failing_since"] else "",
        "stopped until the password is corrected" if row["stopped"] else "",
        f"last synced at {row['reached_at']}" if row["reached_at"] else "not synced yet",
        f"user {escape_markdown(row['username'])}",
        f"address books: {books}",
        f"contacts are added to {row['into']}" if row["into"] else "no address book chosen (set `into`)",
        f"contacts from: {', '.join(row['products']) or 'no products'}",
        f"group {escape_markdown(row['group'])}" if row["group"] else "",
        "contacts deleted here are deleted there" if row["take_out"] else "contacts deleted here are kept there",
        f"{format_count(row['there'], 'contact')} synced",
        f"{row['waiting']} waiting" if row["waiting"] else "",
        f"{row['to_take_out']} to delete" if row["to_take_out"] else "",
        f"{row['changed_there']} changed in the address book" if row["changed_there"] else "",
        f"{row['not_taken']} rejected by the server" if row["not_taken"] else "",
        escape_markdown(row["why_not_taken"]),
        f"see {row['page']}",
    ]
    return "; ".join(part for part in texts if part)


def _format_book(book: BookData) -> str:
    return f"{escape_markdown(book['name'])} ({'' if book['writes'] else 'read only, '}{book['url']})"
