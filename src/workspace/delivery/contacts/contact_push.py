"""People put into an address book and taken out of it, a few in a row over one conversation. What its owner has changed
or deleted there is theirs: it is left as it is, unless the person is erased. Where an answer was lost, what stands at
the address tells by its REV that it is ours, so nobody stands there twice."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from workspace.delivery.contacts import carddav
from workspace.delivery.contacts.sources import Person, source
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import Conversation, Trouble
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import CopyState
from workspace.lib import clock
from workspace.lib.vcard import vcard

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 25
SECONDS = 40.0  # for all that one server is asked in a row
IN_A_ROW = 2  # failures of the server's, after which it is left alone for a while
GONE = "gone"


@dataclass(frozen=True, slots=True)
class Task:
    """A copy as it was when it was taken; `card` is empty to take it out."""

    copy: ContactCopy
    card: bytes = b""
    rev: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """`into` is asked whether it is there, where nothing else is to be done."""

    book: AddressBook
    credentials: tuple[str, str]
    into: str
    tasks: list[Task]


class Done(NamedTuple):
    """`state` of a copy, or GONE."""

    state: str
    etag: str = ""
    rev: str = ""


Result = Done | Trouble


def take(book: AddressBook) -> Batch | None:
    """What is due; None where there is nothing to ask. Raises CannotUnseal."""
    due = ContactCopy.objects.filter(address_book=book, state=CopyState.WAITING, next_at__lte=clock.now())
    if not book.goes:
        due = due.filter(erased=True)
    copies = list(due.order_by("next_at", "id")[:MOST_AT_ONCE])
    if not copies and book.health == "good":
        return None
    wanted: dict[str, list[str]] = {}
    for copy in copies:
        if not copy.leaves:
            wanted.setdefault(copy.product, []).append(copy.subject)
    people = {
        person.id: person for product, ids in wanted.items() for person in source().found(book.account, product, ids)
    }
    tasks = [_task(book, copy, people.get(copy.subject)) for copy in copies]
    return Batch(book, book.credentials(), book.into, tasks)


def _task(book: AddressBook, copy: ContactCopy, person: Person | None) -> Task:
    if copy.leaves or copy.erased or person is None:
        return Task(copy)
    contact = person.contact()
    # one that was written before is of now, so that what stands there is told from what stood there
    revised = clock.now() if copy.rev else person.at
    groups = [book.group] if book.group else []
    card = vcard(replace(contact, revised_at=revised, categories=groups), book.version)
    return Task(copy, card, carddav.rev_of(card))


def write(batch: Batch) -> list[Result]:
    """What became of each task; fewer where the server is left alone. In a thread of its own, without the database."""
    talk = Conversation(batch.credentials, seconds=SECONDS, home=batch.book.host)
    results: list[Result] = []
    if not batch.tasks:
        return [_tried(partial(_checked, talk, batch.into))]
    failed = 0
    for task in batch.tasks:
        result = _tried(partial(_written, talk, task))
        results.append(result)
        failed = failed + 1 if is_servers(result) else 0
        if failed == IN_A_ROW or (isinstance(result, Trouble) and result.status == 401):
            break
    return results


def is_servers(result: Result) -> bool:
    """Whether a failure is rather of the server than of this one contact."""
    return isinstance(result, Trouble) and result.status not in (400, 406, 409, 412, 413, 415, 422)


def _tried(act: Callable[[], Done]) -> Result:
    try:
        return act()
    except Trouble as trouble:
        return trouble
    except Exception as error:  # whatever one server answers, the others are written
        logger.exception("A contact could not be put into an address book")
        return Trouble(f"Something went wrong here ({type(error).__name__})", status=500)


def _checked(talk: Conversation, into: str) -> Done:
    carddav.check(talk, into)
    return Done(CopyState.THERE)


def _written(talk: Conversation, task: Task) -> Done:
    copy = task.copy
    if not task.card:
        return _taken_out(talk, copy)
    try:
        return _put(talk, task, copy.etag)
    except Trouble as trouble:
        if trouble.status not in (404, 409, 412):
            raise
        etag, card = _standing(talk, copy.url)
        if not card and not copy.etag:
            if trouble.status == 412:
                raise
            carddav.check(talk, copy.url.rpartition("/")[0] + "/")
            # the book is there, so it is this contact that it does not take
            raise Trouble(f"The address book does not take this contact ({trouble.status})", status=409) from None
        rev = carddav.rev_of(card)
        if not copy.rev and rev == task.rev:  # the answer to an earlier try was lost
            return Done(CopyState.THERE, etag[:200], rev)
        if not _is_as_written(copy, etag, rev):
            return Done(CopyState.THEIRS, copy.etag, copy.rev)
        return _put(talk, task, etag)


def _standing(talk: Conversation, url: str) -> tuple[str, bytes]:
    """As `webdav.there`. What is larger than anything of ours has a photo of the owner's."""
    try:
        return webdav.there(talk, url)
    except Trouble as trouble:
        if trouble.status != 413:
            raise
        return "", b"a large one"


def _is_as_written(copy: ContactCopy, etag: str, rev: str) -> bool:
    """By its tag; by its REV where a server told none that lasts."""
    if copy.etag and etag and not copy.etag.startswith("W/"):
        return etag == copy.etag
    return bool(copy.rev) and rev == copy.rev


def _put(talk: Conversation, task: Task, etag: str) -> Done:
    return Done(CopyState.THERE, webdav.put(talk, task.copy.url, task.card, carddav.MEDIA_TYPE, etag)[:200], task.rev)


def _taken_out(talk: Conversation, copy: ContactCopy) -> Done:
    """By force for who is erased; else only what nobody has changed there."""
    if copy.erased:
        webdav.delete(talk, copy.url, "")
        return Done(GONE)
    etag, card = _standing(talk, copy.url)
    if not card:
        return Done(GONE)
    if not _is_as_written(copy, etag, carddav.rev_of(card)):
        return Done(CopyState.THEIRS, etag[:200], copy.rev)
    try:
        webdav.delete(talk, copy.url, etag)
    except Trouble as trouble:
        if trouble.status != 412:
            raise
        return Done(CopyState.THEIRS, etag[:200], copy.rev)
    return Done(GONE)
