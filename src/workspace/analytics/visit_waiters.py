"""Callers waiting until a visit is written: threads of the pool, and coroutines of an event loop."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress

Waiter = Future[None] | asyncio.Future[None] | None  # None: nothing waits for it


def release_waiters(waiting: Sequence[Waiter], problem: Exception | None) -> None:
    """Release the waiting callers. Wake each event loop only once."""
    loops: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = defaultdict(list)
    for done in waiting:
        if isinstance(done, Future):
            _complete_waiter(done, problem)
        elif done is not None:
            loops[done.get_loop()].append(done)
    for loop, futures in loops.items():
        with suppress(RuntimeError):  # the loop has ended, with all of its coroutines
            loop.call_soon_threadsafe(_complete_all, futures, problem)


def _complete_all(waiting: Sequence[asyncio.Future[None]], problem: Exception | None) -> None:
    for done in waiting:
        _complete_waiter(done, problem)


def _complete_waiter(done: Future[None] | asyncio.Future[None], problem: Exception | None) -> None:
    if done.done():  # cancelled: the guest has left
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
