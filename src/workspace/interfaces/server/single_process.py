"""granian's one worker in this process: without a parent that only watches, and without a second start of Python. Who
keeps services running (systemd, a container's runtime) starts it again where it ends."""

import asyncio
import os
import signal
import threading
from typing import Any

from granian.server.mp import MPServer

from workspace.interfaces.server.worker_processes import STOP_SIGNALS, end_on_stop_signals, hold_stop_signals


class SingleProcessServer(MPServer):
    """Runs the worker where others would start it as a process."""

    def _spawn_workers(self, spawn_target: Any, target_loader: Any) -> None:
        with hold_stop_signals():
            # granian's handlers only set a flag, which nothing reads while the worker starts here
            end_on_stop_signals()
        if not self.interrupt_signal:
            self._spawn_worker(idx=0, target=spawn_target, callback_loader=target_loader).inner.run()
        # with its end ours has come
        self.signal_handler_interrupt()  # type: ignore[no-untyped-call]  # it has no annotations


def limit_shutdown_time(seconds: float) -> None:
    """Have the process end so many seconds after it was asked to, whatever is still under way. For the main thread,
    before its event loop runs."""

    def begin(number: int, frame: Any) -> None:
        timer = threading.Timer(seconds, os._exit, [1])
        timer.daemon = True
        timer.start()

    def listen() -> None:
        for number in STOP_SIGNALS:
            # beside the loop's own, which is told through a pipe
            signal.signal(number, begin)
            signal.siginterrupt(number, False)

    # the loop listens by then
    asyncio.get_event_loop().call_soon(listen)
