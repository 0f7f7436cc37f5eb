"""The worker for contacts, which synchronizes each connected address book every minute, a few at a time.

It is separate from the other workers, so that nothing waits for a slow server. Any number of these workers may run side
by side.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from workspace.delivery.address_books import contact_comparison, contact_push, sync_state, wake_event
from workspace.delivery.address_books.contact_push import Batch, Result
from workspace.delivery.models import AddressBook
from workspace.delivery.outbox.worker_thread import WorkerThread, claim_due
from workspace.lib.errors import ToolError
from workspace.storage.row_tasks import set_aside_on_error

TASK_NAME = "delivery.sync_address_books"
LEASE = timedelta(minutes=10)  # until a book is synchronized again if its worker was killed; a run is far shorter


class ContactWorker(WorkerThread):
    """The worker for contacts. `at_once` is the number of address books written to in parallel."""

    def __init__(self, *, poll: float = 5.0, at_once: int = 3) -> None:
        super().__init__("contacts", wake_event.event, poll)
        self.at_once = at_once

    def run_once(self) -> bool:
        """Synchronize a few address books that are due. Only this thread uses the database."""
        # nothing is sent for an account that is closing or suspended
        active = AddressBook.objects.filter(account__closes_at=None, account__banned_at=None)
        books = claim_due(active.select_related("account"), self.at_once, LEASE)
        batches = [batch for one in books if (batch := self._claim_batch(one)) is not None]
        if batches:
            with ThreadPoolExecutor(self.at_once, thread_name_prefix="contacts") as pool:
                for batch, results in zip(batches, pool.map(contact_push.write_batch, batches), strict=True):
                    with set_aside_on_error(TASK_NAME, batch.book.pk):
                        self.save_with_retry(_results_saver(batch, results))
        return bool(books)

    def _claim_batch(self, book: AddressBook) -> Batch | None:
        with set_aside_on_error(TASK_NAME, book.pk):
            try:
                if book.is_enabled:
                    contact_comparison.compare_if_due(book)
                batch = contact_push.claim_batch(book)
            except ToolError as refusal:
                words = refusal.message
                self.save_with_retry(lambda: sync_state.save_failure(book, words))
                return None
            if batch is None:
                self.save_with_retry(lambda: sync_state.schedule_next(book))
            return batch
        return None


def _results_saver(batch: Batch, results: list[Result]) -> Callable[[], bool]:
    return lambda: sync_state.save_results(batch, results)
