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

from workspace.lib.errors import BusyError
from workspace.lib.subprocess_worker.__main__ import OUT_OF_MEMORY_EXIT_CODE

log = logging.getLogger("workspace.child")

MAX_WAIT_SECONDS = 8.0  # seconds that somebody waits for the turn
RETRY_AFTER_SECONDS = 3  # seconds
NICE_LEVEL = 5  # further back, a busy machine would starve it
CLOCK_TIME_FACTOR = 3  # of the time on the clock to that of the processor
_PASSED_VARIABLES = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH")  # no secret of ours
# What is freed goes back to the system at once, and one thread needs one arena.
_ALLOCATOR_VARIABLES = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
# Whatever the work is, there is one child at a time in this process: their memory does not add up.
_run_lock = threading.Lock()


class SubprocessError(Exception):
    """The child ended without an answer. `is_exhausted` tells whether its memory or its time was used up."""

    def __init__(self, spent: bool) -> None:
        super().__init__("out of memory or time" if spent else "ended early")
        self.is_exhausted = spent


@dataclass(frozen=True, slots=True)
class SubprocessLimits:
    """One's turn: `run` gives the work to a child."""

    megabytes: int
    seconds: int

    def run(self, module: str, content: bytes) -> bytes:
        """What `answer(content)` of the module returns, in a process of its own.

        Raises SubprocessError, and BusyError where the machine has no time for it."""
        # started anew, never forked: a copy of this process would hold its memory, and its threads' locks for ever
        limits = [str(limit) for limit in (self.megabytes, self.seconds, NICE_LEVEL)]
        command = [sys.executable, "-I", "-m", "workspace.lib.subprocess_worker", module, *limits]
        environment = _ALLOCATOR_VARIABLES | {
            name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ
        }
        try:
            done = subprocess.run(  # noqa: S603  our own module
                command, input=content, capture_output=True, env=environment, timeout=self.seconds * CLOCK_TIME_FACTOR
            )
        except subprocess.TimeoutExpired:
            log.warning("a child of %s had too little of the processor", module)
            raise BusyError(RETRY_AFTER_SECONDS) from None
        if done.returncode == 0:
            return done.stdout
        # Rust and C++ abort without memory; a kill that is not ours comes from a system that has none
        spent = done.returncode in (OUT_OF_MEMORY_EXIT_CODE, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)
        told = done.stderr.decode("utf-8", "replace")[-1000:]
        log.warning("a child of %s ended with %s: %s", module, done.returncode, told)
        raise SubprocessError(spent)


@dataclass(frozen=True, slots=True)
class QueueSlot:
    """A place in the queue."""

    limits: SubprocessLimits

    @contextmanager
    def wait_for_turn(self) -> Iterator[SubprocessLimits]:
        """Wait for one's turn. Raises BusyError."""
        if not _run_lock.acquire(timeout=MAX_WAIT_SECONDS):
            raise BusyError(RETRY_AFTER_SECONDS)
        try:
            yield self.limits
        finally:
            _run_lock.release()


class SubprocessPool:
    """A queue for one kind of work.

    So many callers may be at work or wait that they take `share` of the process's threads, and at least one; whoever
    finds no place, or waits too long, is told to come again.

    `megabytes` are a child's beyond its libraries, `seconds` its time on the processor.
    """

    threads: ClassVar[int] = 12  # of the pool that serves requests, which sets it

    def __init__(self, share: float, *, megabytes: int, seconds: int) -> None:
        self.share = share
        self._used_slots = 0
        self._guard = threading.Lock()
        self._limits = SubprocessLimits(megabytes, seconds)

    @property
    def slot_count(self) -> int:
        return max(1, int(self.threads * self.share))

    @contextmanager
    def reserve_slot(self) -> Iterator[QueueSlot]:
        """Take a place at once. Raises BusyError."""
        with self._guard:
            if self._used_slots >= self.slot_count:
                raise BusyError(RETRY_AFTER_SECONDS)
            self._used_slots += 1
        try:
            yield QueueSlot(self._limits)
        finally:
            with self._guard:
                self._used_slots -= 1

    def run(self, module: str, content: bytes, limits: SubprocessLimits | None = None) -> bytes:
        """Wait for one's turn and have the work done, within narrower limits where some are given.

        Raises BusyError or ChildFailed."""
        with self.reserve_slot() as place, place.wait_for_turn() as turn:
            return (limits or turn).run(module, content)
