"""Worker processes of granian that react to stop signals from the start.

granian forks a worker with its parent's signal handlers, which only set a flag that the worker never reads. It installs
the worker's own handlers after the application is loaded. Signals in between would be lost, and the parent would kill
the worker at the end of its drain time.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from granian.server.mp import MPServer, WorkerProcess

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class MultiProcessServer(MPServer):
    """A granian server that blocks stop signals while it forks a worker, until the worker can handle them."""

    def _spawn_worker(self, idx: Any, target: Any, *arguments: Any, **options: Any) -> WorkerProcess:
        worker: WorkerProcess = super()._spawn_worker(idx, partial(_run_worker, target), *arguments, **options)
        # granian chooses the class of its process, and starts it itself
        worker.inner.start = partial(_start_process, worker.inner.start)
        return worker

    def _respawn_workers(self, *arguments: Any, **options: Any) -> None:
        super()._respawn_workers(*arguments, **options)
        if self.interrupt_signal:  # it arrived just before granian cleared the event for which its loop waits
            self.main_loop_interrupt.set()

    def signal_handler_interrupt(self, *arguments: Any, **options: Any) -> None:
        """Stop the server. Ctrl-C reaches the workers as well, so a worker that ends is not an error."""
        for worker in self.wrks:
            worker.interrupt_by_parent = True
        super().signal_handler_interrupt(*arguments, **options)  # type: ignore[no-untyped-call]  # no annotations

    def shutdown(self, exit_code: int = 0) -> None:
        """Shut down. If a stop signal caused this, return instead of exiting."""
        try:
            super().shutdown(exit_code)  # type: ignore[no-untyped-call]  # no annotations
        except SystemExit:
            if exit_code or not self.interrupt_signal:
                raise


@contextmanager
def block_stop_signals() -> Iterator[None]:
    """Block stop signals inside the context. Earlier signals are handled before the context starts."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_on_stop_signals() -> None:
    """Let stop signals end this process immediately while it has no work to finish."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def ignore_repeated_signals(loop: asyncio.AbstractEventLoop) -> None:
    """Make signal handlers added from now on run only once, for the first signal.

    granian's channel holds one value. A second signal would block the entire process, for example if Ctrl-C reaches a
    worker that its parent also stops.
    """
    add = loop.add_signal_handler
    is_stopping = False

    def add_handler(number: int, callback: Callable[..., object], *arguments: Any) -> None:
        def run_once() -> None:
            nonlocal is_stopping
            if not is_stopping:
                is_stopping = True
                callback(*arguments)

        add(number, run_once)

    loop.add_signal_handler = add_handler  # type: ignore[assignment]  # only on this loop


def _start_process(start: Callable[[], None]) -> None:
    with block_stop_signals():
        start()


def _run_worker(target: Callable[..., None], *arguments: Any) -> None:
    """Run granian's worker in its process."""
    end_on_stop_signals()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    target(*arguments)
