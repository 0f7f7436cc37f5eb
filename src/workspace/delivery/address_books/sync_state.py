"""The result of writing to an address book: its copies, its state and notifications to its owner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from workspace.delivery import notifications
from workspace.delivery.address_books.contact_push import GONE, Batch, PushResult, Result, is_server_failure
from workspace.delivery.dav.client import DavError
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import AddressBookHealth, ContactCopyState
from workspace.delivery.models.calendar import MAX_PROBLEM_LENGTH
from workspace.delivery.notifications import NotificationKind
from workspace.delivery.outbox.worker import add_jitter
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction

PAGE = "/app/account/contacts"
SYNC_NOTIFICATION = NotificationKind(
    "account.contacts",
    owner_gettext_lazy("Address book"),
    owner_gettext_lazy("An address book connection fails or works again"),
    PAGE,
)
SYNC_INTERVAL = timedelta(minutes=1)
MAX_RETRY_DELAY = timedelta(hours=1)  # between two retries while it is broken
PERMANENT_RETRY_DELAY = timedelta(hours=6)  # if retrying soon cannot help
WARNING_DELAY = timedelta(hours=1)  # time of failures before the owner gets an email, because servers restart
# delays after each failure of one contact; after the last one it fails until its owner tries again
RETRY_DELAYS = (60.0, 600.0, 3600.0, 4 * 3600.0, *([12 * 3600.0] * 5))


def save_results(batch: Batch, results: Sequence[Result]) -> bool:
    """Save the results of a batch.

    Return False and save nothing if the connection was changed or removed. The next run then finds out what is in the
    book.
    """
    with write_transaction():
        row = AddressBook.objects.select_for_update().filter(pk=batch.book.pk, revision=batch.book.revision).first()
        if row is None:
            return False
        arrived = any(not is_server_failure(one) for one in results)
        _update_copies([(task.copy, result) for task, result in zip(batch.tasks, results, strict=False)], arrived)
        trouble = next((one for one in results if isinstance(one, DavError) and is_server_failure(one)), None)
        last = results[-1] if results else None
        if trouble is not None and (not arrived or trouble.status == 401 or last is trouble):
            _mark_broken(row, trouble)
        else:
            _mark_healthy(row, len(batch.tasks))
        row.save()
    return True


def save_failure(book: AddressBook, message: str) -> bool:
    """Save a failure that happened before any request, such as credentials that cannot be decrypted."""
    return save_results(Batch(book, ("", ""), "", []), [DavError(message, status=401)])


def schedule_next(book: AddressBook) -> bool:
    """Schedule the next run for a book with nothing to write. Return whether the book is unchanged."""
    with write_transaction(relaxed=True):
        turn = clock.now() + SYNC_INTERVAL if book.is_enabled else None
        return bool(AddressBook.objects.filter(pk=book.pk, revision=book.revision).update(next_at=turn))


def _update_copies(pairs: Iterable[tuple[ContactCopy, Result]], arrived: bool) -> None:
    now = clock.now()
    kept: list[ContactCopy] = []
    gone: list[int] = []
    for copy, result in pairs:
        if isinstance(result, PushResult):
            if result.state == GONE:
                gone.append(copy.pk)
                continue
            copy.state, copy.etag, copy.rev, copy.attempts, copy.problem = result.state, result.etag, result.rev, 0, ""
        else:
            _record_failure(copy, result, arrived, now)
        kept.append(copy)
    ContactCopy.objects.filter(pk__in=gone).delete()
    names = ["state", "etag", "rev", "attempts", "problem", "next_at"]
    # people who were erased in the meantime still have to be removed
    left = set(ContactCopy.objects.filter(pk__in=[one.pk for one in kept], erased=True).values_list("pk", flat=True))
    for copy in kept:
        if copy.pk in left and not copy.erased:
            copy.state, copy.next_at = ContactCopyState.WAITING, now
    ContactCopy.objects.bulk_update(kept, names, batch_size=200)


def _record_failure(copy: ContactCopy, trouble: DavError, arrived: bool, now: datetime) -> None:
    """Record that a contact failed and put it at the end of the queue.

    The attempt counts only if the batch shows that the server itself works.
    """
    copy.problem = str(trouble)[:MAX_PROBLEM_LENGTH]
    if arrived and trouble.status != 401:
        copy.attempts += 1
    if copy.attempts > len(RETRY_DELAYS):
        copy.state = ContactCopyState.FAILED
    else:
        copy.next_at = now + timedelta(seconds=add_jitter(RETRY_DELAYS[copy.attempts - 1]) if copy.attempts else 1)


def _mark_broken(row: AddressBook, trouble: DavError) -> None:
    now = clock.now()
    row.problem, row.health = str(trouble)[:MAX_PROBLEM_LENGTH], AddressBookHealth.BROKEN
    row.failing_since = row.failing_since or now
    lasted = now - row.failing_since
    if trouble.status == 401:
        row.next_at = None  # another attempt could lock the account on the server, so the owner has to act
    else:
        row.next_at = now + (
            PERMANENT_RETRY_DELAY if trouble.is_permanent else min(MAX_RETRY_DELAY, max(SYNC_INTERVAL, lasted / 2))
        )
    if not row.owner_warned and (trouble.is_permanent or row.next_at is None or lasted >= WARNING_DELAY):
        row.owner_warned = notifications.notify_owner(
            row.account, SYNC_NOTIFICATION, "owner/contacts_broken", _email_context(row)
        )


def _mark_healthy(row: AddressBook, request_count: int) -> None:
    now = clock.now()
    if row.owner_warned:
        notifications.notify_owner(row.account, SYNC_NOTIFICATION, "owner/contacts_recovered", _email_context(row))
    row.problem, row.health, row.failing_since, row.owner_warned = "", AddressBookHealth.GOOD, None, False
    row.reached_at = now
    row.next_at = (now if request_count else now + SYNC_INTERVAL) if row.is_enabled else None


def _email_context(row: AddressBook) -> dict[str, Any]:
    return {"book": row, "page": f"{settings.BASE_URL}{PAGE}/{row.pk}"}


def copy_counts(books: Sequence[AddressBook]) -> dict[str, dict[str, int]]:
    """Return the number of copies per state (there, waiting, theirs, failed, leaving), keyed by connection.

    Run one query for all connections.
    """
    if not books:
        return {}
    found = ContactCopy.objects.filter(address_book__in=[one.pk for one in books]).order_by().values("address_book")
    names = ("there", "waiting", "theirs", "failed", "leaving")
    counts = found.annotate(
        there=Count("pk", filter=Q(state=ContactCopyState.THERE)),
        waiting=Count("pk", filter=Q(state=ContactCopyState.WAITING, pending_removal=False)),
        theirs=Count("pk", filter=Q(state=ContactCopyState.THEIRS)),
        failed=Count("pk", filter=Q(state=ContactCopyState.FAILED)),
        leaving=Count("pk", filter=Q(state=ContactCopyState.WAITING, pending_removal=True)),
    )
    return {id: dict(zip(names, each, strict=True)) for id, *each in counts.values_list("address_book", *names)}


def last_problem(book: AddressBook) -> str:
    """Return the reason that the contact that failed last is not in the book, or ""."""
    failed = ContactCopy.objects.filter(address_book=book, state=ContactCopyState.FAILED).order_by("-next_at")
    return failed.values_list("problem", flat=True).first() or ""
