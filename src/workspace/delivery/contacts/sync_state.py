"""What becomes of an address book that was written into: its copies, its state, and what its owner is told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q

from workspace.delivery import notifications
from workspace.delivery.contacts.contact_push import GONE, Batch, Done, Result, is_servers
from workspace.delivery.dav.client import Trouble
from workspace.delivery.models import AddressBook, ContactCopy
from workspace.delivery.models.address_book import CopyState, Health
from workspace.delivery.models.calendar import LONGEST_PROBLEM
from workspace.delivery.notifications import Kind
from workspace.delivery.outbox.worker import jittered
from workspace.lib import clock
from workspace.storage.database.transactions import writing

PAGE = "/app/account/contacts"
NEWS = Kind("account.contacts", "Address book", "Contacts cannot be put into your address book, or can again", PAGE)
EVERY = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(hours=1)  # between two tries while it is broken
LASTS = timedelta(hours=6)  # where trying again soon cannot help
PATIENCE = timedelta(hours=1)  # of failing until the owner gets a mail: servers restart
# of one contact that is not taken, after each failure; then it is given up until its owner tries again
DELAYS = (60.0, 600.0, 3600.0, 4 * 3600.0, *([12 * 3600.0] * 5))


def settle(batch: Batch, results: Sequence[Result]) -> bool:
    """Write it down. False where the connection was changed meanwhile, or is gone: what stands there is found again."""
    with writing():
        row = AddressBook.objects.select_for_update().filter(pk=batch.book.pk, revision=batch.book.revision).first()
        if row is None:
            return False
        arrived = any(not is_servers(one) for one in results)
        _copies([(task.copy, result) for task, result in zip(batch.tasks, results, strict=False)], arrived)
        trouble = next((one for one in results if isinstance(one, Trouble) and is_servers(one)), None)
        last = results[-1] if results else None
        if trouble is not None and (not arrived or trouble.status == 401 or last is trouble):
            _broken(row, trouble)
        else:
            _good(row, len(batch.tasks))
        row.save()
    return True


def fail(book: AddressBook, words: str) -> bool:
    """Nothing was asked: what it takes to ask is lost."""
    return settle(Batch(book, ("", ""), "", []), [Trouble(words, status=401)])


def rest(book: AddressBook) -> bool:
    """There was nothing to ask."""
    with writing(relaxed=True):
        turn = clock.now() + EVERY if book.goes else None
        return bool(AddressBook.objects.filter(pk=book.pk, revision=book.revision).update(next_at=turn))


def _copies(pairs: Iterable[tuple[ContactCopy, Result]], arrived: bool) -> None:
    now = clock.now()
    kept: list[ContactCopy] = []
    gone: list[int] = []
    for copy, result in pairs:
        if isinstance(result, Done):
            if result.state == GONE:
                gone.append(copy.pk)
                continue
            copy.state, copy.etag, copy.rev, copy.tries, copy.problem = result.state, result.etag, result.rev, 0, ""
        else:
            _failed(copy, result, arrived, now)
        kept.append(copy)
    ContactCopy.objects.filter(pk__in=gone).delete()
    names = ["state", "etag", "rev", "tries", "problem", "next_at"]
    # who was erased meanwhile still leaves
    left = set(ContactCopy.objects.filter(pk__in=[one.pk for one in kept], erased=True).values_list("pk", flat=True))
    for copy in kept:
        if copy.pk in left and not copy.erased:
            copy.state, copy.next_at = CopyState.WAITING, now
    ContactCopy.objects.bulk_update(kept, names, batch_size=200)


def _failed(copy: ContactCopy, trouble: Trouble, arrived: bool, now: datetime) -> None:
    """Others come first from now on; a try counts where the server took somebody else."""
    copy.problem = str(trouble)[:LONGEST_PROBLEM]
    if arrived and trouble.status != 401:
        copy.tries += 1
    if copy.tries > len(DELAYS):
        copy.state = CopyState.FAILED
    else:
        copy.next_at = now + timedelta(seconds=jittered(DELAYS[copy.tries - 1]) if copy.tries else 1)


def _broken(row: AddressBook, trouble: Trouble) -> None:
    now = clock.now()
    row.problem, row.health = str(trouble)[:LONGEST_PROBLEM], Health.BROKEN
    row.failing_since = row.failing_since or now
    lasted = now - row.failing_since
    if trouble.status == 401:
        row.next_at = None  # another try could lock the account there: its owner sees to it
    else:
        row.next_at = now + (LASTS if trouble.lasts else min(LONGEST_PAUSE, max(EVERY, lasted / 2)))
    if not row.warned and (trouble.lasts or row.next_at is None or lasted >= PATIENCE):
        row.warned = notifications.tell(row.account, NEWS, "contacts_broken", _given(row))


def _good(row: AddressBook, asked: int) -> None:
    now = clock.now()
    if row.warned:
        notifications.tell(row.account, NEWS, "contacts_well", _given(row))
    row.problem, row.health, row.failing_since, row.warned = "", Health.GOOD, None, False
    row.reached_at = now
    row.next_at = (now if asked else now + EVERY) if row.goes else None


def _given(row: AddressBook) -> dict[str, Any]:
    return {"book": row, "page": f"{settings.BASE_URL}{PAGE}/{row.pk}"}


def counts_of(books: Sequence[AddressBook]) -> dict[str, dict[str, int]]:
    """Of each connection: how many are there, wait, are theirs, failed, and are to be taken out. One query."""
    if not books:
        return {}
    found = ContactCopy.objects.filter(address_book__in=[one.pk for one in books]).order_by().values("address_book")
    names = ("there", "waiting", "theirs", "failed", "leaving")
    counts = found.annotate(
        there=Count("pk", filter=Q(state=CopyState.THERE)),
        waiting=Count("pk", filter=Q(state=CopyState.WAITING, leaves=False)),
        theirs=Count("pk", filter=Q(state=CopyState.THEIRS)),
        failed=Count("pk", filter=Q(state=CopyState.FAILED)),
        leaving=Count("pk", filter=Q(state=CopyState.WAITING, leaves=True)),
    )
    return {id: dict(zip(names, each, strict=True)) for id, *each in counts.values_list("address_book", *names)}


def why(book: AddressBook) -> str:
    """Why the last contact that was given up is not in it."""
    failed = ContactCopy.objects.filter(address_book=book, state=CopyState.FAILED).order_by("-next_at")
    return failed.values_list("problem", flat=True).first() or ""
