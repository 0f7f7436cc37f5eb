"""granian's workers as processes that obey a signal from their first moment on.

A worker is forked with its parent's handlers, which only set a flag that the worker never reads, and granian installs
the worker's own once the application has been loaded: a signal in between was lost, and the parent killed the worker
when its time to drain was over."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from granian.server.mp import MPServer, WorkerProcess

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class MultiProcessServer(MPServer):
    """Forks its workers with stop signals held back until the worker can obey them."""

    def _spawn_worker(self, idx: Any, target: Any, *arguments: Any, **options: Any) -> WorkerProcess:
        worker: WorkerProcess = super()._spawn_worker(idx, partial(_run_worker, target), *arguments, **options)
        # granian chooses the class of its process, and starts it itself
        worker.inner.start = partial(_start_process, worker.inner.start)
        return worker

    def _respawn_workers(self, *arguments: Any, **options: Any) -> None:
        super()._respawn_workers(*arguments, **options)
        if self.interrupt_signal:  # it came just before granian cleared what its loop waits for
            self.main_loop_interrupt.set()

    def signal_handler_interrupt(self, *arguments: Any, **options: Any) -> None:
        for worker in self.wrks:  # Ctrl-C reaches the workers too: that they end is no failure
            worker.interrupt_by_parent = True
        super().signal_handler_interrupt(*arguments, **options)  # type: ignore[no-untyped-call]  # no annotations

    def shutdown(self, exit_code: int = 0) -> None:
        try:
            super().shutdown(exit_code)  # type: ignore[no-untyped-call]  # no annotations
        except SystemExit:
            if exit_code or not self.interrupt_signal:
                raise


@contextmanager
def hold_stop_signals() -> Iterator[None]:
    """Keep stop signals pending inside; those that came before have been handled when this begins."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_on_stop_signals() -> None:
    """Have a stop signal end this process at once: for the time in which there is nothing to finish."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def obey_first_signal(loop: asyncio.AbstractEventLoop) -> None:
    """Have the handlers that are added from now on run once, whichever signal comes first.

    granian's signal holds one value: setting it a second time blocks the whole process, as when Ctrl-C reaches a worker
    that its parent stops too."""
    add = loop.add_signal_handler
    is_stopping = False

    def add_handler(number: int, callback: Callable[..., object], *arguments: Any) -> None:
        def run_once() -> None:
            nonlocal is_stopping
            if not is_stopping:
                is_stopping = True
                callback(*arguments)

        add(number, run_once)

    loop.add_signal_handler = add_handler  # type: ignore[assignment]  # of this loop alone


def _start_process(start: Callable[[], None]) -> None:
    with hold_stop_signals():
        start()


def _run_worker(target: Callable[..., None], *arguments: Any) -> None:
    """Run granian's worker, in its process."""
    end_on_stop_signals()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    target(*arguments)
