"""Giving work to a child process and waiting for it, for a bounded time, with a bounded number of others."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from workspace.lib.errors import Busy
from workspace.lib.subprocess_worker.__main__ import OUT_OF_MEMORY

log = logging.getLogger("workspace.child")

PATIENCE = 8.0  # seconds that somebody waits for the turn
RETRY_AFTER = 3  # seconds
NICE = 5  # further back, a busy machine would starve it
CLOCK = 3  # of the time on the clock to that of the processor
_PASSED_ON = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH")  # no secret of ours
# What is freed goes back to the system at once, and one thread needs one arena.
_ALLOCATOR = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
# Whatever the work is, there is one child at a time in this process: their memory does not add up.
_turn = threading.Lock()


class ChildFailed(Exception):
    """The child ended without an answer. `spent` tells whether its memory or its time was used up."""

    def __init__(self, spent: bool) -> None:
        super().__init__("out of memory or time" if spent else "ended early")
        self.spent = spent


@dataclass(frozen=True, slots=True)
class Turn:
    """One's turn: `run` gives the work to a child."""

    megabytes: int
    seconds: int

    def run(self, module: str, content: bytes) -> bytes:
        """What `answer(content)` of the module returns, in a process of its own. Raises ChildFailed, and Busy where
        the machine has no time for it."""
        # started anew, never forked: a copy of this process would hold its memory, and its threads' locks for ever
        limits = [str(limit) for limit in (self.megabytes, self.seconds, NICE)]
        command = [sys.executable, "-I", "-m", "workspace.lib.subprocess_worker", module, *limits]
        environment = _ALLOCATOR | {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        try:
            done = subprocess.run(  # noqa: S603  our own module
                command, input=content, capture_output=True, env=environment, timeout=self.seconds * CLOCK
            )
        except subprocess.TimeoutExpired:
            log.warning("a child of %s had too little of the processor", module)
            raise Busy(RETRY_AFTER) from None
        if done.returncode == 0:
            return done.stdout
        # Rust and C++ abort without memory; a kill that is not ours comes from a system that has none
        spent = done.returncode in (OUT_OF_MEMORY, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)
        told = done.stderr.decode("utf-8", "replace")[-1000:]
        log.warning("a child of %s ended with %s: %s", module, done.returncode, told)
        raise ChildFailed(spent)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the queue."""

    limits: Turn

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait for one's turn. Raises Busy."""
        if not _turn.acquire(timeout=PATIENCE):
            raise Busy(RETRY_AFTER)
        try:
            yield self.limits
        finally:
            _turn.release()


class Children:
    """A queue for one kind of work. So many callers may be at work or wait that they take `share` of the process's
    threads, and at least one; whoever finds no place, or waits too long, is told to come again.

    `megabytes` are a child's beyond its libraries, `seconds` its time on the processor.
    """

    threads: ClassVar[int] = 12  # of the pool that serves requests, which sets it

    def __init__(self, share: float, *, megabytes: int, seconds: int) -> None:
        self.share = share
        self._taken = 0
        self._guard = threading.Lock()
        self._limits = Turn(megabytes, seconds)

    @property
    def places(self) -> int:
        return max(1, int(self.threads * self.share))

    @contextmanager
    def place(self) -> Iterator[Place]:
        """Take a place at once. Raises Busy."""
        with self._guard:
            if self._taken >= self.places:
                raise Busy(RETRY_AFTER)
            self._taken += 1
        try:
            yield Place(self._limits)
        finally:
            with self._guard:
                self._taken -= 1

    def run(self, module: str, content: bytes, limits: Turn | None = None) -> bytes:
        """Wait for one's turn and have the work done, within narrower limits where some are given. Raises Busy or
        ChildFailed."""
        with self.place() as place, place.turn() as turn:
            return (limits or turn).run(module, content)
