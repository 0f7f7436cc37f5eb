"""The worker drains the outbox and keeps house. By default it is a thread of the server; `bin/workspace
worker` runs one as a process of its own. Any number may run side by side: a lease gives each row to one of
them."""

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
from workspace.delivery.models import Chore, Delivery
from workspace.delivery.outbox.worker_thread import Lane
from workspace.delivery.redaction import masked
from workspace.lib import clock
from workspace.storage.database.errors import trouble_of
from workspace.storage.models import SetAside
from workspace.storage.row_tasks import RowTask

logger = logging.getLogger(__name__)

SOON = 60.0  # seconds until a chore is looked at again that met a failing database, or was another worker's turn
WHOLE = ""  # in place of a row: the task as a whole failed
WAITS_FOR = timedelta(days=3)  # while the way out is closed; links in mails are no older
JITTER = 0.15  # of each delay, so that a returning mail server does not meet everything at once


@dataclass(slots=True)
class Duty:
    name: str
    seconds: float
    func: Callable[[], object]


_duties: list[Duty] = []


@overload
def every(seconds: float, func: RowTask) -> None: ...
@overload
def every(seconds: float, func: Callable[[], object], *, name: str) -> None: ...
def every(seconds: float, func: Callable[[], object], *, name: str = "") -> None:
    """Call `func()` at this interval in one of the workers, outside any transaction.

    Registered in the `ready` of its app. After a kill it is called again early, which must do no harm. A task that goes
    through accounts or rows is a `storage.row_tasks.row_task`, which has its own name: one bad row never stops the
    others. The name is stored, so it does not depend on where the function is: `package.verb_object`.
    """
    _duties.append(Duty(func.name if isinstance(func, RowTask) else name, seconds, func))


class Worker(Lane):
    """`poll`: seconds between looks when nothing wakes it. `batch`: rows leased at once. `lease`: seconds
    until a row whose worker was killed is taken again. `margin`: no row is begun with less than these seconds
    of its lease left, so it must exceed the longest that one sending takes."""

    def __init__(self, *, poll: float = 3.0, batch: int = 20, lease: float = 300.0, margin: float = 150.0) -> None:
        super().__init__("outbox", outbox.wake, poll)
        self.batch, self.lease, self.margin = batch, lease, margin
        self._done: dict[int, float] = {}  # chore's place -> when it last ran, on the monotonic clock

    def drain_once(self) -> int:
        """Try one batch of due deliveries; the number that were taken."""
        rows = Delivery.lease(outbox.kinds(), limit=self.batch, seconds=self.lease)
        with ExitStack() as stack:
            channels: dict[str, outbox.Channel] = {}
            for row in rows:
                if self._stopping.is_set() or row.lapses_within(min(self.margin, self.lease / 2)):
                    row.release()
                    continue
                if not row.is_held():  # withdrawn while it waited behind the others of this batch
                    continue
                if row.kind not in channels:
                    channels[row.kind] = stack.enter_context(closing(outbox.open_channel(row.kind)))
                _attempt(row, channels[row.kind], self.note)
        return len(rows)

    def keep_house(self) -> None:
        """Run the chores that are due and no other worker's turn."""
        for place, chore in enumerate(_duties):
            last = self._done.get(place)
            if last is not None and time.monotonic() - last < chore.seconds:
                continue
            self._done[place] = time.monotonic()
            try:
                if not Chore.take(chore.name, chore.seconds):
                    self._done[place] += min(0.0, SOON - chore.seconds)
                    continue
                chore.func()
                SetAside.clear(chore.name, [WHOLE])
                Chore.settle(chore.name, chore.seconds)
            except Exception as problem:
                if trouble := trouble_of(problem):
                    self._done[place] += min(0.0, SOON - chore.seconds)
                    logger.warning("A chore waits for the database: %s", trouble.detail)
                else:
                    logger.exception("A chore failed and will be tried again in %s s", chore.seconds)
                    SetAside.note(chore.name, WHOLE, f"{type(problem).__name__}: {problem}")

    def turn(self) -> bool:
        self.keep_house()
        return self.drain_once() == self.batch


def _attempt(row: Delivery, channel: outbox.Channel, note: Callable[[Callable[[], bool]], bool]) -> None:
    last = row.attempts > len(channel.delays)
    if row.attempts > len(channel.delays) + 1:
        note(lambda: row.park("The worker ended each time while sending this"))
        return
    try:
        state = channel.send(row)
    except outbox.Refused as refused:
        words = str(refused)
        note(lambda: row.park(words))
        logger.warning("Delivery %s parked: refused by the receiver (%s)", row.id, masked(words))
    except outbox.Closed as closed:
        words, seconds = str(closed), closed.seconds
        if closed.lasted > WAITS_FOR and row.created_at < clock.now() - WAITS_FOR:
            note(lambda: row.park(words))
            logger.warning("Delivery %s parked: it could not leave for %s days", row.id, WAITS_FOR.days)
        else:
            note(lambda: row.release(jittered(seconds), words))
    except Exception as error:  # whatever a channel meets, the others' deliveries go on
        reason = f"{type(error).__name__}: {error}"
        if last:
            note(lambda: row.park(reason))
            logger.warning("Delivery %s parked after %s attempts: %s", row.id, row.attempts, masked(reason))
        else:
            note(lambda: row.back_off(jittered(channel.delays[row.attempts - 1]), reason))
            logger.warning("Delivery %s did not leave (attempt %s): %s", row.id, row.attempts, masked(reason))
    else:
        if not note(lambda: row.finish(state)):
            logger.warning("Delivery %s was withdrawn while it left, or took longer than its lease", row.id)


def jittered(seconds: float) -> float:
    return seconds * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
