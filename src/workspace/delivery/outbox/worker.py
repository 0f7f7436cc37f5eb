"""The worker that sends the deliveries of the outbox and runs scheduled tasks.

By default it is a thread of the server. `bin/workspace worker` runs it as a separate process. Any number of them may
run side by side, because a lease assigns each row to one of them.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import timedelta
from typing import overload

from workspace.delivery import outbox
from workspace.delivery.models import Delivery, ScheduledTask
from workspace.delivery.outbox.worker_thread import WorkerThread
from workspace.delivery.smtp_reply_redaction import mask_server_reply
from workspace.lib import clock
from workspace.storage.database.errors import find_storage_failure
from workspace.storage.models import SetAside
from workspace.storage.row_tasks import RowTask

logger = logging.getLogger(__name__)

RETRY_DELAY_SECONDS = 60.0  # until a task is checked again after a database error or another worker's claim
WHOLE_TASK = ""  # in place of a row's key: the task as a whole failed
MAX_WAIT = timedelta(days=3)  # while the channel is unavailable, because links in emails are not valid longer
JITTER_FRACTION = 0.15  # of each delay, so that a recovered mail server does not get everything at once


@dataclass(slots=True)
class PeriodicTask:
    name: str
    seconds: float
    func: Callable[[], object]


_periodic_tasks: list[PeriodicTask] = []


@overload
def every(seconds: float, func: RowTask) -> None: ...
@overload
def every(seconds: float, func: Callable[[], object], *, name: str) -> None: ...
def every(seconds: float, func: Callable[[], object], *, name: str = "") -> None:
    """Call `func()` at this interval in one of the workers, outside any transaction.

    Register it in the `ready` method of its app. If the process is killed, it may be called again early, which must do
    no harm. A task that processes accounts or rows one by one is a `storage.row_tasks.row_task`, which has its own
    name, so that one bad row never stops the others. Because the name is stored, it does not depend on where the
    function is: `package.verb_object`.
    """
    _periodic_tasks.append(PeriodicTask(func.name if isinstance(func, RowTask) else name, seconds, func))


class OutboxWorker(WorkerThread):
    """The worker for the outbox. All times are in seconds.

    `poll` is the interval between checks when nothing wakes it. `batch` is the number of rows per lease. `lease` is the
    time until a row of a killed worker is leased again. A row is not started if less than `margin` of its lease is
    left, so `margin` must be longer than the slowest delivery.
    """

    def __init__(self, *, poll: float = 3.0, batch: int = 20, lease: float = 300.0, margin: float = 150.0) -> None:
        super().__init__("outbox", outbox.wake_event, poll)
        self.batch, self.lease, self.margin = batch, lease, margin
        self._last_runs: dict[int, float] = {}  # position of a task -> when it last ran, on the monotonic clock

    def drain_once(self) -> int:
        """Try one batch of due deliveries. Return how many rows were leased."""
        rows = Delivery.lease_due(outbox.channel_kinds(), limit=self.batch, seconds=self.lease)
        with ExitStack() as stack:
            channels: dict[str, outbox.Channel] = {}
            for row in rows:
                if self._stopping.is_set() or row.is_expiring_within(min(self.margin, self.lease / 2)):
                    row.release()
                    continue
                if not row.has_lease():  # withdrawn while it waited behind others of this batch
                    continue
                if row.kind not in channels:
                    channels[row.kind] = stack.enter_context(closing(outbox.open_channel(row.kind)))
                _attempt_delivery(row, channels[row.kind], self.save_with_retry)
        return len(rows)

    def run_due_tasks(self) -> None:
        """Run the tasks that are due and that no other worker has claimed."""
        for place, chore in enumerate(_periodic_tasks):
            last = self._last_runs.get(place)
            if last is not None and time.monotonic() - last < chore.seconds:
                continue
            self._last_runs[place] = time.monotonic()
            try:
                if not ScheduledTask.claim(chore.name, chore.seconds):
                    self._last_runs[place] += min(0.0, RETRY_DELAY_SECONDS - chore.seconds)
                    continue
                chore.func()
                SetAside.clear_rows(chore.name, [WHOLE_TASK])
                ScheduledTask.reschedule(chore.name, chore.seconds)
            except Exception as problem:
                if trouble := find_storage_failure(problem):
                    self._last_runs[place] += min(0.0, RETRY_DELAY_SECONDS - chore.seconds)
                    logger.warning("A scheduled task waits for the database: %s", trouble.detail)
                else:
                    logger.exception("A scheduled task failed and will be tried again in %s s", chore.seconds)
                    SetAside.record_failure(chore.name, WHOLE_TASK, f"{type(problem).__name__}: {problem}")

    def run_once(self) -> bool:
        """Run due tasks, then one batch of deliveries. Return True if the batch was full."""
        self.run_due_tasks()
        return self.drain_once() == self.batch


def _attempt_delivery(row: Delivery, channel: outbox.Channel, note: Callable[[Callable[[], bool]], bool]) -> None:
    last = row.attempts > len(channel.delays)
    if row.attempts > len(channel.delays) + 1:
        note(lambda: row.park("The worker stopped each time it tried to send this"))
        return
    try:
        state = channel.send(row)
    except outbox.PermanentDeliveryError as refused:
        words = str(refused)
        note(lambda: row.park(words))
        logger.warning("Delivery %s parked: refused by the receiver (%s)", row.id, mask_server_reply(words))
    except outbox.ChannelUnavailableError as closed:
        words, seconds = str(closed), closed.seconds
        if closed.duration > MAX_WAIT and row.created_at < clock.now() - MAX_WAIT:
            note(lambda: row.park(words))
            logger.warning("Delivery %s parked: it could not leave for %s days", row.id, MAX_WAIT.days)
        else:
            note(lambda: row.release(add_jitter(seconds), words))
    except Exception as error:  # an error in one delivery does not stop the others
        reason = f"{type(error).__name__}: {error}"
        if last:
            note(lambda: row.park(reason))
            logger.warning("Delivery %s parked after %s attempts: %s", row.id, row.attempts, mask_server_reply(reason))
        else:
            note(lambda: row.back_off(add_jitter(channel.delays[row.attempts - 1]), reason))
            logger.warning(
                "Delivery %s did not leave (attempt %s): %s", row.id, row.attempts, mask_server_reply(reason)
            )
    else:
        if not note(lambda: row.finish(state)):
            logger.warning("Delivery %s was withdrawn while it left, or took longer than its lease", row.id)


def add_jitter(seconds: float) -> float:
    """Vary a delay randomly by up to 15% in either direction."""
    return seconds * random.uniform(1 - JITTER_FRACTION, 1 + JITTER_FRACTION)  # noqa: S311
