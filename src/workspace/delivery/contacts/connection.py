"""Connecting an address book: looking what there is, outside of any transaction, and what follows from a change."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from django.db import transaction

from workspace.accounts.models import Account
from workspace.delivery.contacts import carddav, wake_event
from workspace.delivery.dav.client import Conversation, host_of
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import PASSWORD, Book, Health
from workspace.lib.errors import InvalidInput, ToolError
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_query import Statement, given

MOST_BOOKS = 5
REPLACED = "An address or a password that was replaced does not come back"
NOT_KEPT = "The password of an address book that was removed is not kept: connect it again"

# what was found just before the transaction of the call, by place in its list
probed: ContextVar[dict[int, list[Book]] | None] = ContextVar("probed_books", default=None)


def probe(url: str, username: str, password: str) -> list[Book]:
    """Ask the address, for at most some twenty seconds. Raises Trouble."""
    return carddav.books_at(Conversation((username, password), home=host_of(url)), url)


def connect(account: Account, found: list[Book], url: str, username: str, password: str, **fields: Any) -> AddressBook:
    """A new one, of what was found. Raises ToolError where the account has enough."""
    if account.address_books.count() >= MOST_BOOKS:
        raise ToolError(f"An account has at most {MOST_BOOKS} connections to address books: remove one first")
    taken = [one for one in found if one["writes"]]
    named = fields.pop("name", "") or (found[0]["name"] if len(found) == 1 else host_of(url))
    made = AddressBook.objects.create(
        account=account,
        name=named[:120],
        url=url,
        host=host_of(url),
        books=found,
        into=taken[0]["url"] if len(taken) == 1 else "",
        username=username,
        password=encryption.seal(password, account.pk, PASSWORD),
        **fields,
    )
    journal.add(made)
    _begin(made)
    return made


def lead(book: AddressBook, found: list[Book], url: str, username: str, password: str) -> None:
    """To another address, or with another password. What was chosen stays chosen where it is there still; who
    stands in a book that is not among those any more stays there."""
    writable = [one["url"] for one in found if one["writes"]]
    into = book.into if book.into in writable else (writable[0] if len(writable) == 1 else "")
    sealed = encryption.seal(password, book.account_id, PASSWORD)
    journal.change(book, url=url, host=host_of(url), username=username, password=sealed, books=found, into=into)
    AddressBook.objects.filter(pk=book.pk).update(health=Health.NEW, problem="", failing_since=None, warned=False)
    places = tuple(f"{one['url'].rstrip('/')}/" for one in found)
    away = [pk for pk, at in book.copies.values_list("pk", "url") if not at.startswith(places)]
    for few in range(0, len(away), 500):
        ContactCopy.objects.filter(pk__in=away[few : few + 500]).delete()
    book.refresh_from_db()
    _begin(book)
    journal.for_good(REPLACED)


def change(book: AddressBook, **fields: Any) -> None:
    if journal.change(book, **fields).keys() & {"into", "products", "takes_out", "live"}:
        _begin(book)


def book_of(connection: AddressBook, named: str, path: str) -> Book:
    """One of its books by name or address, that we may write into. Raises InvalidInput."""
    found = [one for one in connection.books if named in (one["url"], one["name"])]
    if len(found) > 1:
        raise InvalidInput.at(path, f"Several are called {named}: give the address of one")
    if not found:
        names = ", ".join(one["name"] for one in connection.books)
        raise InvalidInput.at(path, f"There is no such address book in it: {names}")
    if not found[0]["writes"]:
        raise InvalidInput.at(path, f"You may not write into {named}: choose another one")
    return found[0]


def begin_again(book: AddressBook) -> None:
    """Compare all now, and try once more what was given up."""
    waiting = {"state": "waiting", "tries": 0, "problem": ""}
    ContactCopy.objects.filter(address_book=book, state="failed").update(**waiting)
    _begin(book)


def remove(account: Account, ids: Sequence[str]) -> int:
    """For good; who we put into them stays there."""
    gone, _ = account.address_books.filter(pk__in=ids).delete()
    if gone:
        journal.for_good(NOT_KEPT)
    return gone


def _begin(book: AddressBook) -> None:
    book.begin_anew()
    transaction.on_commit(wake_event.wake.set)


_ANY = Statement(lambda: AddressBook.objects.filter(account_id=given("account")).values_list("pk"))


def is_connected(account: Account) -> bool:
    return _ANY.first(account=account.pk) is not None


encryption.sealed_in(AddressBook, password=PASSWORD)
