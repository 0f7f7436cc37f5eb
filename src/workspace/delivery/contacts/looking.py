"""Who is to stand in an address book, beside who does: what came is looked for every minute, and all is compared when
something of the account has changed, or after an hour. Whatever took a contact away (a deletion, its undo, a card that
went with its contacts, the bin that was emptied), nobody had to think of this."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, TypeVar

from workspace.accounts.models import Change
from workspace.delivery.contacts import carddav
from workspace.delivery.contacts.sources import Person, source
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.contacts import CopyState
from workspace.storage.database import writing
from workspace.toolkit import clock

MOST_PEOPLE = 20_000  # of one product in one book, the newest
AT_ONCE = 500  # people of one statement
SLACK = timedelta(minutes=5)  # a row may be older than its commit
COMPARED = timedelta(hours=1)
# between two comparisons while the account changes: comparing a thousand takes some 20 ms
Row = TypeVar("Row")
PAUSE, PAUSE_A_PERSON = timedelta(minutes=1), timedelta(milliseconds=30)


def look(book: AddressBook) -> None:
    """Write down what is to change in it. `book` is held by this worker."""
    now = clock.now()
    newest = Change.objects.filter(account=book.account_id).order_by("-at", "-id").values_list("pk", flat=True).first()
    marker = newest or ""
    whole = book.compared_at is None or book.compared_at < now - COMPARED
    if not whole and marker != book.marker and book.compared_at is not None:
        whole = book.compared_at < now - PAUSE - book.copies.count() * PAUSE_A_PERSON
    since = None if whole or book.looked_at is None else book.looked_at - SLACK
    offered = {one.key for one in source().offered()}
    for product in book.products:
        if product in offered:
            _product(book, product, list(source().ids(book.account, product, since, MOST_PEOPLE)), whole=whole)
    looked: dict[str, Any] = {"looked_at": now, **({"compared_at": now, "marker": marker} if whole else {})}
    with writing(relaxed=True):
        AddressBook.objects.filter(pk=book.pk, revision=book.revision).update(**looked)


def _product(book: AddressBook, product: str, ids: list[str], *, whole: bool) -> None:
    copies = ContactCopy.objects.filter(address_book=book, product=product)
    if not whole:
        copies = copies.filter(subject__in=ids)
    known: dict[str, list[ContactCopy]] = {}
    for copy in copies.iterator(chunk_size=2000):
        known.setdefault(copy.subject, []).append(copy)
    for few in _in_parts(ids):
        if not whole and all(id in known for id in few):
            continue
        people = source().found(book.account, product, few)
        _write(book, product, people, known)
        for person in people:
            known.pop(person.contact.uid, None)
    if whole and book.takes_out and len(ids) < MOST_PEOPLE:
        _leave([copy for copies in known.values() for copy in copies])


def _write(book: AddressBook, product: str, people: Sequence[Person], known: dict[str, list[ContactCopy]]) -> None:
    fresh: list[ContactCopy] = []
    changed: list[ContactCopy] = []
    for person in people:
        url = carddav.address_in(book.into, person.contact.uid)
        mine = None
        for copy in known.get(person.contact.uid, ()):
            if copy.url == url:
                mine = copy
            elif not copy.leaves:  # it moves with the choice of the book
                changed.append(_leaving(copy))
        if mine is None:
            fresh.append(
                ContactCopy(
                    address_book=book, product=product, subject=person.contact.uid, url=url, digest=person.digest
                )
            )
        elif not mine.erased and (mine.leaves or (mine.digest != person.digest and mine.state != CopyState.THEIRS)):
            mine.state, mine.leaves, mine.digest = CopyState.WAITING, False, person.digest
            mine.tries, mine.problem, mine.next_at = 0, "", clock.now()
            changed.append(mine)
    if fresh or changed:
        with writing():
            if _is_there(book):
                ContactCopy.objects.bulk_create(fresh, ignore_conflicts=True)
                _save(changed)


def _leave(copies: list[ContactCopy]) -> None:
    going = [_leaving(copy) for copy in copies if not copy.leaves and copy.state != CopyState.THEIRS]
    for few in _in_parts(going):
        with writing():
            _save(few)


def _leaving(copy: ContactCopy) -> ContactCopy:
    copy.leaves, copy.state, copy.tries, copy.problem, copy.next_at = True, CopyState.WAITING, 0, "", clock.now()
    return copy


def _save(copies: Sequence[ContactCopy]) -> None:
    if copies:
        names = ["state", "leaves", "digest", "tries", "problem", "next_at"]
        ContactCopy.objects.bulk_update(copies, names, batch_size=200)


def _in_parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    return (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))


def _is_there(book: AddressBook) -> bool:
    """Held, so that removing the connection waits."""
    held = AddressBook.objects.select_for_update().filter(pk=book.pk, revision=book.revision)
    return held.values_list("pk").first() is not None
