"""Writing contacts to an address book and removing them, in batches with one session.

A contact that its owner changed or deleted in the book is left alone, unless the person was erased. If a response was
lost, the REV property identifies the contact as ours, so that no one is added twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from workspace.delivery import messages
from workspace.delivery.address_books import carddav
from workspace.delivery.address_books.contact_source import Person, get_source
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import DavError, DavSession
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import ContactCopyState
from workspace.lib import clock
from workspace.lib.vcard import build_vcard

logger = logging.getLogger(__name__)

BATCH_SIZE = 25
TIMEOUT_SECONDS = 40.0  # for all requests to one server
MAX_FAILURES_IN_A_ROW = 2  # consecutive server failures after which the server is left alone for a while
GONE = "gone"


@dataclass(frozen=True, slots=True)
class ContactTask:
    """A copy as it was when it was claimed. An empty `card` removes the contact."""

    copy: ContactCopy
    card: bytes = b""
    rev: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """The tasks for one address book. If there are none, only the existence of `into` is checked."""

    book: AddressBook
    credentials: tuple[str, str]
    into: str
    tasks: list[ContactTask]


class PushResult(NamedTuple):
    """The result for one contact. `state` is the state of a copy, or GONE."""

    state: str
    etag: str = ""
    rev: str = ""


Result = PushResult | DavError


def claim_batch(book: AddressBook) -> Batch | None:
    """Claim a book's due copies. Return None if no request is needed.

    Raise DecryptionError if the credentials cannot be decrypted.
    """
    due = ContactCopy.objects.filter(address_book=book, state=ContactCopyState.WAITING, next_at__lte=clock.now())
    if not book.is_enabled:
        due = due.filter(erased=True)
    copies = list(due.order_by("next_at", "id")[:BATCH_SIZE])
    if not copies and book.health == "good":
        return None
    wanted: dict[str, list[str]] = {}
    for copy in copies:
        if not copy.pending_removal:
            wanted.setdefault(copy.product, []).append(copy.subject)
    people = {
        person.id: person
        for product, ids in wanted.items()
        for person in get_source().find_people(book.account, product, ids)
    }
    tasks = [_build_task(book, copy, people.get(copy.subject)) for copy in copies]
    return Batch(book, book.credentials(), book.target_book, tasks)


def _build_task(book: AddressBook, copy: ContactCopy, person: Person | None) -> ContactTask:
    if copy.pending_removal or copy.erased or person is None:
        return ContactTask(copy)
    contact = person.contact()
    # an update gets the current time, so that the new version differs from the one in the book
    revised = clock.now() if copy.rev else person.at
    groups = [book.group] if book.group else []
    card = build_vcard(replace(contact, revised_at=revised, categories=groups), book.version)
    return ContactTask(copy, card, carddav.parse_revision(card))


def write_batch(batch: Batch) -> list[Result]:
    """Run the tasks and return their results. If the server keeps failing, there are fewer results than tasks.

    This runs in a worker thread without the database.
    """
    session = DavSession(batch.credentials, seconds=TIMEOUT_SECONDS, credential_host=batch.book.host)
    results: list[Result] = []
    if not batch.tasks:
        return [_run_safely(partial(_check_book, session, batch.into))]
    failed = 0
    for task in batch.tasks:
        result = _run_safely(partial(_write_contact, session, task))
        results.append(result)
        failed = failed + 1 if is_server_failure(result) else 0
        if failed == MAX_FAILURES_IN_A_ROW or (isinstance(result, DavError) and result.status == 401):
            break
    return results


def is_server_failure(result: Result) -> bool:
    """Return whether a failure is caused by the server rather than by this contact."""
    return isinstance(result, DavError) and result.status not in (400, 406, 409, 412, 413, 415, 422)


def _run_safely(act: Callable[[], PushResult]) -> Result:
    try:
        return act()
    except DavError as trouble:
        return trouble
    except Exception as error:  # an error with one server does not stop the others
        logger.exception("A contact could not be put into an address book")
        return DavError(messages.INTERNAL_SYNC_ERROR(error=type(error).__name__), status=500)


def _check_book(session: DavSession, into: str) -> PushResult:
    carddav.check_book(session, into)
    return PushResult(ContactCopyState.THERE)


def _write_contact(session: DavSession, task: ContactTask) -> PushResult:
    copy = task.copy
    if not task.card:
        return _remove_contact(session, copy)
    try:
        return _put_card(session, task, copy.etag)
    except DavError as trouble:
        if trouble.status not in (404, 409, 412):
            raise
        etag, card = _fetch_card(session, copy.url)
        if not card and not copy.etag:
            if trouble.status == 412:
                raise
            carddav.check_book(session, copy.url.rpartition("/")[0] + "/")
            # the book exists, so the server rejects this contact
            raise DavError(messages.CONTACT_REJECTED(status=trouble.status), status=409) from None
        rev = carddav.parse_revision(card)
        if not copy.rev and rev == task.rev:  # the response to an earlier attempt was lost
            return PushResult(ContactCopyState.THERE, etag[:200], rev)
        if not _is_unchanged(copy, etag, rev):
            return PushResult(ContactCopyState.THEIRS, copy.etag, copy.rev)
        return _put_card(session, task, etag)


def _fetch_card(session: DavSession, url: str) -> tuple[str, bytes]:
    """Fetch a contact as `webdav.fetch_file` does.

    A file larger than any of ours contains a photo that the owner added.
    """
    try:
        return webdav.fetch_file(session, url)
    except DavError as trouble:
        if trouble.status != 413:
            raise
        return "", b"a large one"


def _is_unchanged(copy: ContactCopy, etag: str, rev: str) -> bool:
    """Return whether the contact is unchanged, by its ETag, or if that is weak, by its REV."""
    if copy.etag and etag and not copy.etag.startswith("W/"):
        return etag == copy.etag
    return bool(copy.rev) and rev == copy.rev


def _put_card(session: DavSession, task: ContactTask, etag: str) -> PushResult:
    return PushResult(
        ContactCopyState.THERE, webdav.put(session, task.copy.url, task.card, carddav.MEDIA_TYPE, etag)[:200], task.rev
    )


def _remove_contact(session: DavSession, copy: ContactCopy) -> PushResult:
    """Remove a contact: always if the person was erased, otherwise only if the contact is unchanged."""
    if copy.erased:
        webdav.delete(session, copy.url, "")
        return PushResult(GONE)
    etag, card = _fetch_card(session, copy.url)
    if not card:
        return PushResult(GONE)
    if not _is_unchanged(copy, etag, carddav.parse_revision(card)):
        return PushResult(ContactCopyState.THEIRS, etag[:200], copy.rev)
    try:
        webdav.delete(session, copy.url, etag)
    except DavError as trouble:
        if trouble.status != 412:
            raise
        return PushResult(ContactCopyState.THEIRS, etag[:200], copy.rev)
    return PushResult(GONE)
