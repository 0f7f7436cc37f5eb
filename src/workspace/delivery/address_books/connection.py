"""Connecting an address book: probing the server outside of any transaction, and applying changes."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from django.db import transaction

from workspace.accounts.models import Account
from workspace.delivery import messages
from workspace.delivery.address_books import carddav, wake_event
from workspace.delivery.dav.client import DavSession, url_host
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import PASSWORD, AddressBookHealth, Book
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_query import CompiledQuery, parameter

MAX_BOOKS = 5
REPLACED_REASON = "A replaced address or password can't be restored"
REMOVED_REASON = "The password of a removed address book isn't stored. Connect it again"

# results of probes made just before the transaction of the call, by position in its list
probed_books: ContextVar[dict[int, list[Book]] | None] = ContextVar("probed_books", default=None)


def probe_server(url: str, username: str, password: str) -> list[Book]:
    """Request a URL and return its address books.

    This takes at most about 20 seconds. Raise DavError if there is no address book or the server fails.
    """
    return carddav.find_books(DavSession((username, password), credential_host=url_host(url)), url)


def connect_book(
    account: Account, books: list[Book], url: str, username: str, password: str, **fields: Any
) -> AddressBook:
    """Connect the address books that a probe found.

    Raise OperationNotAllowedError if the account is at its limit."""
    if account.address_books.count() >= MAX_BOOKS:
        raise OperationNotAllowedError(messages.ADDRESS_BOOK_LIMIT(most=MAX_BOOKS))
    taken = [one for one in books if one["writes"]]
    named = fields.pop("name", "") or (books[0]["name"] if len(books) == 1 else url_host(url))
    made = AddressBook.objects.create(
        account=account,
        name=named[:120],
        url=url,
        host=url_host(url),
        available_books=books,
        target_book=taken[0]["url"] if len(taken) == 1 else "",
        username=username,
        password=encryption.encrypt_secret(password, account.pk, PASSWORD),
        **fields,
    )
    journal.record_new_rows(made)
    _start_sync(made)
    return made


def update_connection(book: AddressBook, books: list[Book], url: str, username: str, password: str) -> None:
    """Change the URL or the password of a connection.

    A selected book stays selected if it still exists. Contacts in a book that is no longer listed are kept there."""
    writable = [one["url"] for one in books if one["writes"]]
    into = book.target_book if book.target_book in writable else (writable[0] if len(writable) == 1 else "")
    sealed = encryption.encrypt_secret(password, book.account_id, PASSWORD)
    journal.update_row(
        book, url=url, host=url_host(url), username=username, password=sealed, available_books=books, target_book=into
    )
    AddressBook.objects.filter(pk=book.pk).update(
        health=AddressBookHealth.NEW, problem="", failing_since=None, owner_warned=False
    )
    places = tuple(f"{one['url'].rstrip('/')}/" for one in books)
    away = [pk for pk, at in book.copies.values_list("pk", "url") if not at.startswith(places)]
    for few in range(0, len(away), 500):
        ContactCopy.objects.filter(pk__in=away[few : few + 500]).delete()
    book.refresh_from_db()
    _start_sync(book)
    journal.mark_irreversible(REPLACED_REASON)


def change_settings(book: AddressBook, **fields: Any) -> None:
    """Change settings of a connection, and synchronize again if they affect which contacts go where."""
    if journal.update_row(book, **fields).keys() & {"target_book", "products", "removes_deleted", "live"}:
        _start_sync(book)


def get_writable_book(connection: AddressBook, name: str, path: str) -> Book:
    """Return the connection's writable book with this name or URL. Raise InvalidInputError if there is none."""
    found = [one for one in connection.available_books if name in (one["url"], one["name"])]
    if len(found) > 1:
        raise InvalidInputError.at_path(path, messages.NAME_AMBIGUOUS(name=name))
    if not found:
        names = ", ".join(one["name"] for one in connection.available_books)
        raise InvalidInputError.at_path(path, messages.ADDRESS_BOOK_NOT_FOUND(names=names))
    if not found[0]["writes"]:
        raise InvalidInputError.at_path(path, messages.ADDRESS_BOOK_IS_READ_ONLY(name=name))
    return found[0]


def retry_all(book: AddressBook) -> None:
    """Start a full comparison and retry the failed contacts."""
    waiting = {"state": "waiting", "attempts": 0, "problem": ""}
    ContactCopy.objects.filter(address_book=book, state="failed").update(**waiting)
    _start_sync(book)


def remove_books(account: Account, ids: Sequence[str]) -> int:
    """Remove connections permanently. Contacts that we wrote to the books are kept there."""
    gone, _ = account.address_books.filter(pk__in=ids).delete()
    if gone:
        journal.mark_irreversible(REMOVED_REASON)
    return gone


def _start_sync(book: AddressBook) -> None:
    book.schedule_full_sync()
    transaction.on_commit(wake_event.event.set)


_ANY_BOOK = CompiledQuery(lambda: AddressBook.objects.filter(account_id=parameter("account")).values_list("pk"))


def is_connected(account: Account) -> bool:
    """Return whether the account has a connected address book."""
    return _ANY_BOOK.fetch_first(account=account.pk) is not None


encryption.register_encrypted_columns(AddressBook, password=PASSWORD)
