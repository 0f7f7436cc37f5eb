"""Who is to stand in an address book, beside who does: whether somebody came is looked for every minute, and all is
compared when somebody did, when something of the account has changed, and after an hour. Whatever took a contact away
(a deletion, its undo, a card that went with its contacts, the bin that was emptied), nobody had to think of this. Who
comes again stands there once, as they first came."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from workspace.accounts.models import Change
from workspace.delivery.contacts import carddav
from workspace.delivery.contacts.sources import source
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import CopyState
from workspace.lib import clock
from workspace.lib.text import fold
from workspace.storage.database.transactions import writing

MOST_PEOPLE = 20_000  # of one product in one book, the newest
AT_ONCE = 500  # people of one statement
SLACK = timedelta(minutes=5)  # a row may be older than its commit
COMPARED = timedelta(hours=1)
# between two comparisons: comparing a thousand takes some 60 ms
PAUSE, PAUSE_A_PERSON = timedelta(seconds=50), timedelta(milliseconds=5)
Row = TypeVar("Row")


class Wanted(NamedTuple):
    """Somebody who is to stand there, by when they came."""

    at: datetime
    subject: str
    product: str
    digest: str


def look(book: AddressBook) -> None:
    """Write down what is to change in it. `book` is held by this worker."""
    now = clock.now()
    newest = Change.objects.filter(account=book.account_id).order_by("-at", "-id").values_list("pk", flat=True).first()
    marker = newest or ""
    offered = {one.key for one in source().offered()}
    products = [one for one in book.products if one in offered]
    if book.compared_at is not None and book.compared_at > now - COMPARED:
        if marker == book.marker and not _came(book, products):
            _note(book, looked_at=now)
            return
        if book.compared_at > now - PAUSE - book.copies.count() * PAUSE_A_PERSON:
            return
    _compare(book, products)
    _note(book, looked_at=now, compared_at=now, marker=marker)


def _note(book: AddressBook, **fields: Any) -> None:
    with writing(relaxed=True):
        AddressBook.objects.filter(pk=book.pk, revision=book.revision).update(**fields)


def _came(book: AddressBook, products: Sequence[str]) -> bool:
    """Whether there is anybody new, of those who came lately."""
    since = (book.looked_at or book.created_at) - SLACK
    for product in products:
        ids = source().ids(book.account, product, since, AT_ONCE)
        if ids and book.copies.filter(subject__in=ids).count() < len(ids):
            return True
    return False


def _compare(book: AddressBook, products: Sequence[str]) -> None:
    people: dict[tuple[str, str], Wanted] = {}
    full: set[str] = set()
    for product in products:
        ids = source().ids(book.account, product, None, MOST_PEOPLE)
        if len(ids) == MOST_PEOPLE:
            full.add(product)  # older ones are there still, and stay
        for few in _in_parts(ids):
            for person in source().found(book.account, product, few):
                # a family may share an address
                key = fold(person.name), fold(person.reached)
                one = Wanted(person.at, person.id, product, person.digest)
                people[key] = min(one, people.get(key, one))
    known: dict[str, list[ContactCopy]] = {}
    for copy in ContactCopy.objects.filter(address_book=book, product__in=products).iterator(chunk_size=2000):
        known.setdefault(copy.subject, []).append(copy)
    for some in _in_parts(sorted(people.values(), reverse=True)):
        _write(book, some, known)
    if book.takes_out:
        gone = known.keys() - {one.subject for one in people.values()}
        _leave([copy for subject in gone for copy in known[subject] if copy.product not in full])


def _write(book: AddressBook, people: Sequence[Wanted], known: dict[str, list[ContactCopy]]) -> None:
    fresh: list[ContactCopy] = []
    changed: list[ContactCopy] = []
    for one in people:
        url = carddav.address_in(book.into, one.subject)
        mine = None
        for copy in known.get(one.subject, ()):
            if copy.url == url:
                mine = copy
            elif not copy.leaves:  # it moves with the choice of the book
                changed.append(_leaving(copy))
        if mine is None:
            fresh.append(
                ContactCopy(address_book=book, product=one.product, subject=one.subject, url=url, digest=one.digest)
            )
        elif not mine.erased and (mine.leaves or (mine.digest != one.digest and mine.state != CopyState.THEIRS)):
            mine.state, mine.leaves, mine.digest = CopyState.WAITING, False, one.digest
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
