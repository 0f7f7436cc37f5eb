"""The lane in which providers are asked, apart from the outbox's: one that hangs delays no mail. Any number may run
side by side."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from workspace.delivery.models import Chore, Delivery, State
from workspace.delivery.outbox.worker import jittered
from workspace.delivery.outbox.worker_thread import Lane
from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.payments import connection, reconciliation
from workspace.payments.checkout import KIND
from workspace.payments.provider import ProviderTrouble, Unreachable
from workspace.payments.status_sync import follow
from workspace.storage.database.errors import trouble_of
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

MINUTE, HOUR = 60.0, 3600.0
DELAYS = (5.0, 30.0, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, 24 * HOUR)
STANDS_BACK = 30.0  # seconds that an account's other payments wait once its provider did not answer
SWEEP, SWEPT_EVERY = "payments.fetch_payments", 300.0

# set after each commit of what is to be asked; the lane waits on it
wake = threading.Event()
_works: dict[str, Callable[[dict[str, Any]], None]] = {}
_sweeps: list[Callable[[], None]] = []


def register(name: str, work: Callable[[dict[str, Any]], None], sweep: Callable[[], None]) -> None:
    """What a room above has asked of a provider: `work` gets what was put under that name, and raises ProviderTrouble;
    `sweep` comes by every few minutes."""
    _works[name] = work
    if sweep not in _sweeps:
        _sweeps.append(sweep)


class PaymentLane(Lane):
    """`lease`: seconds until what a killed worker held is taken again, more than a batch of silent providers takes."""

    def __init__(self, *, poll: float = 3.0, batch: int = 10, lease: float = 600.0) -> None:
        super().__init__("payments", wake, poll)
        self.batch, self.lease = batch, lease

    def turn(self) -> bool:
        rows = Delivery.lease([KIND], limit=self.batch, seconds=self.lease)
        away: set[str | None] = set()
        for row in rows:
            if self._stopping.is_set() or row.account_id in away:
                self._note(lambda row=row: row.release(STANDS_BACK))  # type: ignore[misc]
            elif row.is_held() and not self._done(row):
                away.add(row.account_id)
        self._sweep()
        return len(rows) == self.batch

    def _done(self, row: Delivery) -> bool:
        """False where the provider was away."""
        given = row.payload or {}
        is_last = row.attempts > len(DELAYS)
        try:
            if "connection" in given:
                connection.wind_down(given["connection"], at_any_rate=is_last)
            elif "closed" in given:
                connection.end_closed(given["closed"])
            elif name := next((one for one in _works if one in given), ""):
                _works[name](given[name])
            else:
                follow(given.get("payment", ""))
        except Unreachable as away:
            self._again(row, away.message, away.wait)
            return False
        except (ProviderTrouble, Refusal) as trouble:
            self._again(row, trouble.message)
        except Exception as problem:
            if trouble_of(problem) is not None:
                raise
            logger.exception("A payment could not be followed")
            self._again(row, type(problem).__name__)
        else:
            self._note(lambda: row.finish(State.SENT))
        return True

    def _again(self, row: Delivery, words: str, wait: float = 0.0) -> None:
        if row.attempts > len(DELAYS):
            self._note(lambda: row.park(words))
        else:
            seconds = max(jittered(DELAYS[row.attempts - 1]), wait)
            self._note(lambda: row.back_off(seconds, words))

    def _note(self, settle: Callable[[], bool]) -> None:
        self.note(settle)

    def _sweep(self) -> None:
        """What nobody told of: the address of events may be wrong, or this machine was off."""
        if not Chore.take(SWEEP, SWEPT_EVERY):
            return
        away: set[str] = set()

        def ask(row: tuple[str, str]) -> None:
            id, account_id = row
            if account_id not in away and not _asked(id):
                away.add(account_id)

        due = [(payment.pk, payment.account_id) for payment in reconciliation.due(clock.now())]
        # what somebody tells of comes first
        run_rows(SWEEP, due, ask, until=lambda: self._stopping.is_set() or wake.is_set())
        reconciliation.look_back()
        run_rows("payments.run_sweeps", range(len(_sweeps)), lambda place: _sweeps[place]())
        Chore.settle(SWEEP, SWEPT_EVERY)


def _asked(payment_id: str) -> bool:
    try:
        follow(payment_id)
    except (ProviderTrouble, Refusal):
        return False
    return True
