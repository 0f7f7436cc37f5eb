"""Comparing an account's contacts with their copies in an address book.

New contacts are looked for every minute. A full comparison runs when there are new contacts, when something in the
account has changed, and after an hour. It detects every removal, regardless of the cause: a deletion or its undo, a
deleted card, an emptied bin. A person who submits again is written once, with their earliest contact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from workspace.accounts.models import Change
from workspace.delivery.address_books import carddav
from workspace.delivery.address_books.contact_source import get_source
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import ContactCopyState
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.storage.database.transactions import write_transaction

MAX_PEOPLE = 20_000  # of one product in one book, the newest
BATCH_SIZE = 500  # people per statement
COMMIT_DELAY = timedelta(minutes=5)  # a row may be older than its commit by this much
COMPARISON_INTERVAL = timedelta(hours=1)
# between two comparisons, since comparing a thousand people takes about 60 ms
MIN_INTERVAL, MIN_INTERVAL_PER_PERSON = timedelta(seconds=50), timedelta(milliseconds=5)
Row = TypeVar("Row")


class ContactTarget(NamedTuple):
    """A person to write to the address book. Targets are sorted by the time of the contact."""

    at: datetime
    subject: str
    product: str
    digest: str


def compare_if_due(book: AddressBook) -> None:
    """Compare the contacts with their copies, and update those that differ.

    This worker must hold the lease of `book`.
    """
    now = clock.now()
    newest = (
        Change.objects.filter(account=book.account_id)
        .order_by("-created_at", "-id")
        .values_list("pk", flat=True)
        .first()
    )
    marker = newest or ""
    offered = {one.key for one in get_source().list_offers()}
    products = [one for one in book.products if one in offered]
    if book.compared_at is not None and book.compared_at > now - COMPARISON_INTERVAL:
        if marker == book.cursor and not _has_new_contacts(book, products):
            _save_progress(book, checked_at=now)
            return
        if book.compared_at > now - MIN_INTERVAL - book.copies.count() * MIN_INTERVAL_PER_PERSON:
            return
    _compare_people(book, products)
    _save_progress(book, checked_at=now, compared_at=now, cursor=marker)


def _save_progress(book: AddressBook, **fields: Any) -> None:
    with write_transaction(relaxed=True):
        AddressBook.objects.filter(pk=book.pk, revision=book.revision).update(**fields)


def _has_new_contacts(book: AddressBook, products: Sequence[str]) -> bool:
    """Return whether there are new contacts since the last check."""
    since = (book.checked_at or book.created_at) - COMMIT_DELAY
    for product in products:
        ids = get_source().ids(book.account, product, since, BATCH_SIZE)
        if ids and book.copies.filter(subject__in=ids).count() < len(ids):
            return True
    return False


def _compare_people(book: AddressBook, products: Sequence[str]) -> None:
    people: dict[tuple[str, str], ContactTarget] = {}
    full: set[str] = set()
    for product in products:
        ids = get_source().ids(book.account, product, None, MAX_PEOPLE)
        if len(ids) == MAX_PEOPLE:
            full.add(product)  # older ones may still exist and stay
        for few in _split_batches(ids):
            for person in get_source().find_people(book.account, product, few):
                # family members may share an address
                key = search_key(person.name), search_key(person.reachable_at)
                one = ContactTarget(person.at, person.id, product, person.digest)
                people[key] = min(one, people.get(key, one))
    known: dict[str, list[ContactCopy]] = {}
    for copy in ContactCopy.objects.filter(address_book=book, product__in=products).iterator(chunk_size=2000):
        known.setdefault(copy.subject, []).append(copy)
    for some in _split_batches(sorted(people.values(), reverse=True)):
        _save_targets(book, some, known)
    if book.removes_deleted:
        gone = known.keys() - {one.subject for one in people.values()}
        _remove_copies([copy for subject in gone for copy in known[subject] if copy.product not in full])


def _save_targets(book: AddressBook, people: Sequence[ContactTarget], copies: dict[str, list[ContactCopy]]) -> None:
    fresh: list[ContactCopy] = []
    changed: list[ContactCopy] = []
    for one in people:
        url = carddav.contact_url(book.target_book, one.subject)
        mine = None
        for copy in copies.get(one.subject, ()):
            if copy.url == url:
                mine = copy
            elif not copy.pending_removal:  # the copy moves with the selected book
                changed.append(_mark_for_removal(copy))
        if mine is None:
            fresh.append(
                ContactCopy(address_book=book, product=one.product, subject=one.subject, url=url, digest=one.digest)
            )
        elif not mine.erased and (
            mine.pending_removal or (mine.digest != one.digest and mine.state != ContactCopyState.THEIRS)
        ):
            mine.state, mine.pending_removal, mine.digest = ContactCopyState.WAITING, False, one.digest
            mine.attempts, mine.problem, mine.next_at = 0, "", clock.now()
            changed.append(mine)
    if fresh or changed:
        with write_transaction():
            if _lock_if_unchanged(book):
                ContactCopy.objects.bulk_create(fresh, ignore_conflicts=True)
                _update_copies(changed)


def _remove_copies(copies: list[ContactCopy]) -> None:
    going = [
        _mark_for_removal(copy) for copy in copies if not copy.pending_removal and copy.state != ContactCopyState.THEIRS
    ]
    for few in _split_batches(going):
        with write_transaction():
            _update_copies(few)


def _mark_for_removal(copy: ContactCopy) -> ContactCopy:
    copy.pending_removal, copy.state, copy.attempts, copy.problem, copy.next_at = (
        True,
        ContactCopyState.WAITING,
        0,
        "",
        clock.now(),
    )
    return copy


def _update_copies(copies: Sequence[ContactCopy]) -> None:
    if copies:
        names = ["state", "pending_removal", "digest", "attempts", "problem", "next_at"]
        ContactCopy.objects.bulk_update(copies, names, batch_size=200)


def _split_batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[at : at + BATCH_SIZE] for at in range(0, len(rows), BATCH_SIZE))


def _lock_if_unchanged(book: AddressBook) -> bool:
    """Lock the connection's row so that its removal waits, and return whether it is unchanged."""
    held = AddressBook.objects.select_for_update().filter(pk=book.pk, revision=book.revision)
    return held.values_list("pk").first() is not None
