"""The worker drains the outbox and keeps house. By default it is a thread of the server; `bin/workspace
worker` runs one as a process of its own. Any number may run side by side: a lease gives each row to one of
them."""

from __future__ import annotations

import logging
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass

from django.db import close_old_connections, connections

from workspace.delivery import outbox
from workspace.delivery.models import Delivery

logger = logging.getLogger(__name__)

JITTER = 0.15  # of each delay, so that a returning mail server does not meet everything at once


@dataclass(slots=True)
class Chore:
    seconds: float
    func: Callable[[], object]


_chores: list[Chore] = []


def every(seconds: float, func: Callable[[], object]) -> None:
    """Have every worker call `func()` when it starts and then each so many seconds, outside any transaction.
    Several processes may each call it, so it must not mind being called twice. Registered in the `ready` of
    the app it is of."""
    _chores.append(Chore(seconds, func))


class Worker:
    """`poll`: seconds between looks when nothing wakes it. `batch`: rows leased at once. `lease`: seconds
    until a row whose worker was killed is taken again. `margin`: no row is begun with less than these seconds
    of its lease left, so it must exceed the longest that one sending takes."""

    def __init__(self, *, poll: float = 3.0, batch: int = 20, lease: float = 300.0, margin: float = 150.0) -> None:
        self.poll, self.batch, self.lease, self.margin = poll, batch, lease, margin
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._done: dict[int, float] = {}  # chore's place -> when it last ran, on the monotonic clock

    def start(self) -> None:
        """Work in a thread until `stop`. A second start is ignored."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._run, name="outbox", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = 30.0) -> None:
        """Finish the delivery in hand, give the rest back, and end the thread."""
        self._stopping.set()
        outbox.wake.set()
        if self._thread is not None:
            self._thread.join(timeout)
            self._thread = None

    def run_forever(self) -> None:
        """Work until SIGTERM or SIGINT; for a process's main thread."""
        ends = {signal.SIGTERM, signal.SIGINT}
        # blocked before the thread starts, which inherits it; a handler that sets an event could deadlock
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ends)
        try:
            self.start()
            signal.sigwait(ends)
            self.stop()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def drain_once(self) -> int:
        """Try one batch of due deliveries; the number that were taken."""
        rows = Delivery.lease(outbox.kinds(), limit=self.batch, seconds=self.lease)
        with ExitStack() as stack:
            channels: dict[str, outbox.Channel] = {}
            for row in rows:
                if self._stopping.is_set() or row.lapses_within(min(self.margin, self.lease / 2)):
                    row.release()
                    continue
                if row.kind not in channels:
                    channels[row.kind] = stack.enter_context(closing(outbox.open_channel(row.kind)))
                _attempt(row, channels[row.kind])
        return len(rows)

    def keep_house(self) -> None:
        """Run the chores that are due."""
        for place, chore in enumerate(_chores):
            last = self._done.get(place)
            if last is not None and time.monotonic() - last < chore.seconds:
                continue
            self._done[place] = time.monotonic()
            try:
                chore.func()
            except Exception:
                logger.exception("A chore failed and will be tried again in %s s", chore.seconds)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                # cleared first: what commits from here on wakes the wait below
                outbox.wake.clear()
                if not self._turn() and not self._stopping.is_set():
                    outbox.wake.wait(self.poll)
        finally:
            connections.close_all()

    def _turn(self) -> bool:
        """Whether there may be more to do at once. No exception leaves: a database away for a minute is no
        reason to end."""
        try:
            close_old_connections()
            self.keep_house()
            return self.drain_once() == self.batch
        except Exception:
            logger.exception("The outbox worker stumbled and goes on")
            return False
        finally:
            close_old_connections()


def _attempt(row: Delivery, channel: outbox.Channel) -> None:
    last = row.attempts > len(channel.delays)
    if row.attempts > len(channel.delays) + 1:
        row.park("The worker ended each time while sending this")
        return
    try:
        state = channel.send(row)
    except outbox.Refused as refused:
        row.park(str(refused))
        logger.warning("Delivery %s parked: refused by the receiver", row.id)
    except Exception as error:  # whatever a channel meets, the others' deliveries go on
        reason = f"{type(error).__name__}: {error}"
        if last:
            row.park(reason)
            logger.warning("Delivery %s parked after %s attempts (%s)", row.id, row.attempts, type(error).__name__)
        else:
            row.back_off(_jittered(channel.delays[row.attempts - 1]), reason)
    else:
        if not row.finish(state):
            logger.warning("Delivery %s took longer than its lease and may arrive twice", row.id)


def _jittered(seconds: float) -> float:
    return seconds * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
