"""The lane of contacts: each connected address book is looked after every minute, a few at a time. Apart from the other
lanes, so that nothing waits for a server that hangs. Any number of lanes may run side by side."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from workspace.delivery.contacts import comparison, contact_push, sync_state, wake_event
from workspace.delivery.contacts.contact_push import Batch, Result
from workspace.delivery.models import AddressBook
from workspace.delivery.outbox.worker_thread import Lane, claim_due
from workspace.lib.errors import Refusal
from workspace.storage.row_tasks import setting_aside

TASK = "delivery.sync_address_books"
LEASE = timedelta(minutes=10)  # until one is looked after again whose worker was killed; far longer than a turn takes


class ContactLane(Lane):
    """`at_once`: how many address books are written into at the same time."""

    def __init__(self, *, poll: float = 5.0, at_once: int = 3) -> None:
        super().__init__("contacts", wake_event.wake, poll)
        self.at_once = at_once

    def turn(self) -> bool:
        """Only this thread speaks to the database."""
        # nothing is sent for an account that is closing or suspended
        active = AddressBook.objects.filter(account__closes_at=None, account__banned_at=None)
        books = claim_due(active.select_related("account"), self.at_once, LEASE)
        batches = [batch for one in books if (batch := self._batch(one)) is not None]
        if batches:
            with ThreadPoolExecutor(self.at_once, thread_name_prefix="contacts") as pool:
                for batch, results in zip(batches, pool.map(contact_push.write, batches), strict=True):
                    with setting_aside(TASK, batch.book.pk):
                        self.note(_settling(batch, results))
        return bool(books)

    def _batch(self, book: AddressBook) -> Batch | None:
        with setting_aside(TASK, book.pk):
            try:
                if book.goes:
                    comparison.look(book)
                batch = contact_push.take(book)
            except Refusal as refusal:
                words = refusal.message
                self.note(lambda: sync_state.fail(book, words))
                return None
            if batch is None:
                self.note(lambda: sync_state.rest(book))
            return batch
        return None


def _settling(batch: Batch, results: list[Result]) -> Callable[[], bool]:
    return lambda: sync_state.settle(batch, results)
