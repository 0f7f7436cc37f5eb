"""granian's single worker in this process.

It needs neither a parent that only watches nor a second start of Python. The service manager (systemd, a container
runtime) restarts it if it ends.
"""

import asyncio
import os
import signal
import threading
from typing import Any

from granian.server.mp import MPServer

from workspace.interfaces.server.worker_processes import STOP_SIGNALS, block_stop_signals, end_on_stop_signals


class SingleProcessServer(MPServer):
    """A server that runs the worker in this process instead of a child process."""

    def _spawn_workers(self, spawn_target: Any, target_loader: Any) -> None:
        with block_stop_signals():
            # granian's handlers only set a flag, which nothing reads while the worker starts in this process
            end_on_stop_signals()
        if not self.interrupt_signal:
            self._spawn_worker(idx=0, target=spawn_target, callback_loader=target_loader).inner.run()
        # this process ends with the worker
        self.signal_handler_interrupt()  # type: ignore[no-untyped-call]  # it has no annotations


def limit_shutdown_time(seconds: float) -> None:
    """Exit within `seconds` after a stop signal, even if work is still in progress.

    Call it from the main thread, before its event loop runs.
    """

    def start_timer(number: int, frame: Any) -> None:
        timer = threading.Timer(seconds, os._exit, [1])
        timer.daemon = True
        timer.start()

    def install_handlers() -> None:
        for number in STOP_SIGNALS:
            # in addition to the loop's handler, which is notified through a pipe
            signal.signal(number, start_timer)
            signal.siginterrupt(number, False)

    # the loop has installed its handlers by then
    asyncio.get_event_loop().call_soon(install_handlers)
