"""The worker that sends requests to payment providers.

It is separate from the outbox worker, so that a slow provider does not delay emails. Any number of these workers may
run side by side.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from workspace.delivery.models import Delivery, DeliveryState, ScheduledTask
from workspace.delivery.outbox.worker import add_jitter
from workspace.delivery.outbox.worker_thread import WorkerThread
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payment_clients.errors import ProviderError, ProviderUnreachableError
from workspace.payments import connection, reconciliation
from workspace.payments.checkout import DELIVERY_KIND
from workspace.payments.status_sync import sync_payment
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

MINUTE, HOUR = 60.0, 3600.0
RETRY_DELAYS = (
    5.0,
    30.0,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    4 * HOUR,
    8 * HOUR,
    16 * HOUR,
    24 * HOUR,
)
ACCOUNT_RETRY_DELAY = 30.0  # other payments of the account wait this long after its provider did not respond
RECONCILIATION_TASK, RECONCILIATION_SECONDS = "payments.fetch_payments", 300.0

# Set after each commit that enqueues a delivery; the worker waits for it.
wake_event = threading.Event()
_handlers: dict[str, Callable[[dict[str, Any]], None]] = {}
_reconcilers: list[Callable[[], None]] = []


def register(name: str, work: Callable[[dict[str, Any]], None], reconcile: Callable[[], None]) -> None:
    """Register a handler and a periodic task of a higher-level package.

    `work` gets the jobs that were enqueued under this name, and may raise ProviderError. `reconcile` runs every few
    minutes.
    """
    _handlers[name] = work
    if reconcile not in _reconcilers:
        _reconcilers.append(reconcile)


class PaymentWorker(WorkerThread):
    """The worker for deliveries to payment providers.

    `lease` is the time in seconds after which deliveries of a killed worker are leased again. It is longer than a batch
    with unresponsive providers takes.
    """

    def __init__(self, *, poll: float = 3.0, batch: int = 10, lease: float = 600.0) -> None:
        super().__init__("payments", wake_event, poll)
        self.batch, self.lease = batch, lease

    def run_once(self) -> bool:
        rows = Delivery.lease_due([DELIVERY_KIND], limit=self.batch, seconds=self.lease)
        away: set[str | None] = set()
        for row in rows:
            if self._stopping.is_set() or row.account_id in away:
                self._record_outcome(lambda row=row: row.release(ACCOUNT_RETRY_DELAY))  # type: ignore[misc]
            elif row.has_lease() and not self._process_delivery(row):
                away.add(row.account_id)
        self._run_reconciliation()
        return len(rows) == self.batch

    def _process_delivery(self, row: Delivery) -> bool:
        """Process a delivery. Return False if the provider was unavailable."""
        given = row.payload or {}
        is_last = row.attempts > len(RETRY_DELAYS)
        try:
            if "connection" in given:
                connection.finish_disconnect(given["connection"], ignore_failures=is_last)
            elif "closed" in given:
                connection.end_closed_account(given["closed"])
            elif name := next((one for one in _handlers if one in given), ""):
                _handlers[name](given[name])
            else:
                sync_payment(given.get("payment", ""))
        except ProviderUnreachableError as away:
            self._retry_later(row, away.message, away.retry_after)
            return False
        except (ProviderError, ToolError) as trouble:
            self._retry_later(row, trouble.message)
        except Exception as problem:
            if find_storage_failure(problem) is not None:
                raise
            logger.exception("A payment could not be synchronized")
            self._retry_later(row, type(problem).__name__)
        else:
            self._record_outcome(lambda: row.finish(DeliveryState.SENT))
        return True

    def _retry_later(self, row: Delivery, words: str, wait: float = 0.0) -> None:
        if row.attempts > len(RETRY_DELAYS):
            self._record_outcome(lambda: row.park(words))
        else:
            seconds = max(add_jitter(RETRY_DELAYS[row.attempts - 1]), wait)
            self._record_outcome(lambda: row.back_off(seconds, words))

    def _record_outcome(self, save: Callable[[], bool]) -> None:
        self.save_with_retry(save)

    def _run_reconciliation(self) -> None:
        """Check for missed events: the webhook may be wrong, or this server was down."""
        if not ScheduledTask.claim(RECONCILIATION_TASK, RECONCILIATION_SECONDS):
            return
        away: set[str] = set()

        def reconcile_row(row: tuple[str, str]) -> None:
            id, account_id = row
            if account_id not in away and not _try_sync(id):
                away.add(account_id)

        due = [(payment.pk, payment.account_id) for payment in reconciliation.list_due_payments(clock.now())]
        # New deliveries are handled first.
        run_rows(RECONCILIATION_TASK, due, reconcile_row, until=lambda: self._stopping.is_set() or wake_event.is_set())
        reconciliation.reconcile_connection()
        run_rows("payments.run_sweeps", range(len(_reconcilers)), lambda place: _reconcilers[place]())
        ScheduledTask.reschedule(RECONCILIATION_TASK, RECONCILIATION_SECONDS)


def _try_sync(payment_id: str) -> bool:
    try:
        sync_payment(payment_id)
    except (ProviderError, ToolError):
        return False
    return True
