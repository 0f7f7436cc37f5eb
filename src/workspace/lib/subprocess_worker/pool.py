"""Running work in a subprocess, with limits on the waiting time and on the number of callers."""

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

MAX_WAIT_SECONDS = 8.0  # of waiting for the turn
RETRY_AFTER_SECONDS = 3
NICE_LEVEL = 5  # with a higher value, a busy machine would starve it
CLOCK_TIME_FACTOR = 3  # wall-clock time as a multiple of CPU time
START_SECONDS = 10  # wall-clock time for starting Python, which a busy machine delays, in addition to that for the work
_PASSED_VARIABLES = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH")  # no secrets
# Freed memory is returned to the system immediately, and one thread needs one arena.
_ALLOCATOR_VARIABLES = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_TRIM_THRESHOLD_": "131072"}
# There is one subprocess at a time in this process for all work, so that their memory does not add up.
_run_lock = threading.Lock()


class SubprocessError(Exception):
    """The subprocess ended without a result. `is_exhausted` is true if its memory or time was used up."""

    def __init__(self, is_exhausted: bool) -> None:
        super().__init__("out of memory or time" if is_exhausted else "ended early")
        self.is_exhausted = is_exhausted


@dataclass(frozen=True, slots=True)
class SubprocessLimits:
    """The limits of a subprocess. Its method `run` runs work in one."""

    megabytes: int
    seconds: int

    def run(self, module: str, content: bytes) -> bytes:
        """Run `handle(content)` of the module in a subprocess and return the result.

        Raise SubprocessError, or BusyError if the machine has no capacity."""
        # a new process and never a fork, which would copy this process's memory and keep its threads' locks forever
        limits = [str(limit) for limit in (self.megabytes, self.seconds, NICE_LEVEL)]
        command = [sys.executable, "-I", "-m", "workspace.lib.subprocess_worker", module, *limits]
        environment = _ALLOCATOR_VARIABLES | {
            name: os.environ[name] for name in _PASSED_VARIABLES if name in os.environ
        }
        try:
            done = subprocess.run(  # noqa: S603  our own module
                command,
                input=content,
                capture_output=True,
                env=environment,
                timeout=START_SECONDS + self.seconds * CLOCK_TIME_FACTOR,
            )
        except subprocess.TimeoutExpired:
            log.warning("a subprocess of %s got too little processor time", module)
            raise BusyError(RETRY_AFTER_SECONDS) from None
        if done.returncode == 0:
            return done.stdout
        # Rust and C++ abort without memory; a kill that is not ours comes from a system without memory
        spent = done.returncode in (OUT_OF_MEMORY_EXIT_CODE, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGABRT)
        errors = done.stderr.decode("utf-8", "replace")[-1000:]
        log.warning("a subprocess of %s ended with %s: %s", module, done.returncode, errors)
        raise SubprocessError(spent)


@dataclass(frozen=True, slots=True)
class QueueSlot:
    """A reserved position in the queue."""

    limits: SubprocessLimits

    @contextmanager
    def wait_for_turn(self) -> Iterator[SubprocessLimits]:
        """Wait for the turn of this slot. Raise BusyError if that takes too long."""
        if not _run_lock.acquire(timeout=MAX_WAIT_SECONDS):
            raise BusyError(RETRY_AFTER_SECONDS)
        try:
            yield self.limits
        finally:
            _run_lock.release()


class SubprocessPool:
    """A queue for one kind of work.

    At most the fraction `share` of the process's threads, and at least one, can work or wait here. A caller gets
    BusyError if there is no free slot or the wait takes too long.

    `megabytes` is the memory of a subprocess beyond its libraries, and `seconds` its CPU time.
    """

    threads: ClassVar[int] = 12  # of the pool that serves requests; the pool sets the number

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
        """Reserve a slot without waiting. Raise BusyError if there is none."""
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
        """Wait for a slot and run the work, optionally with lower limits.

        Raise BusyError or SubprocessError if it fails.
        """
        with self.reserve_slot() as place, place.wait_for_turn() as turn:
            return (limits or turn).run(module, content)
