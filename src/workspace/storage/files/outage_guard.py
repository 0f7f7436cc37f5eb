"""Requests to a storage that may not respond.

If it does not, all requests fail immediately for some seconds, and then one at a time tries again. At most half of the
threads wait for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings

from workspace.lib import clock
from workspace.storage.database.errors import FileStoreUnreachableError, StorageFailure, find_storage_failure

logger = logging.getLogger(__name__)

RETRY_DELAY_SECONDS = 3.0  # without any request, after a failure
TURN_TIMEOUT_SECONDS = 1.0  # maximum wait while others use all connections
_DISK_FAILURES = (StorageFailure.FULL, StorageFailure.READ_ONLY, StorageFailure.BROKEN)


class OutageGuard:
    def __init__(self) -> None:
        """Start with the assumption that the storage is reachable."""
        self._turns = threading.BoundedSemaphore(max(2, settings.THREADS // 2))
        self._lock = threading.Lock()
        self._last_attempt, self._is_trying, self._last_answer = 0.0, False, 0.0
        self.unreachable_since: datetime | None = None

    @contextmanager
    def guard_request(self) -> Iterator[None]:
        """Make a request inside the context.

        Raise FileStoreUnreachableError instead of a storage error. FileNotFoundError, NotImplementedError and disk
        failures are raised unchanged, because they are responses.
        """
        began = self.start_request()
        if not self._turns.acquire(timeout=TURN_TIMEOUT_SECONDS):
            self._is_trying = False
            raise FileStoreUnreachableError("too many requests are waiting for files")
        try:
            yield
        except (FileNotFoundError, NotImplementedError):
            self._record_success()
            raise
        except Exception as problem:
            if find_storage_failure(problem) in _DISK_FAILURES:
                self._record_success()
                raise
            self.record_failure(problem, began)
            raise FileStoreUnreachableError(f"{type(problem).__name__}: {problem}") from problem
        else:
            self._record_success()
        finally:
            self._turns.release()

    def describe_outage(self) -> str | None:
        """Return the time since which the storage has been unreachable, for monitoring, or None."""
        return f"away since {clock.to_iso(self.unreachable_since)}" if self.unreachable_since else None

    def start_request(self) -> float:
        """Return the time at which a request starts.

        Raise FileStoreUnreachableError if a request would be pointless.
        """
        with self._lock:
            if self.unreachable_since is None:
                return time.monotonic()
            if self._is_trying or time.monotonic() - self._last_attempt < RETRY_DELAY_SECONDS:
                raise FileStoreUnreachableError("file storage was unavailable a moment ago")
            self._is_trying = True
            return time.monotonic()

    def record_failure(self, problem: Exception, began: float) -> None:
        """Record that a request that started at `began` has failed."""
        with self._lock:
            if began < self._last_answer:
                return  # it has responded to others since this request started
            self._last_attempt, self._is_trying = time.monotonic(), False
            is_news, self.unreachable_since = self.unreachable_since is None, self.unreachable_since or clock.now()
        if is_news:
            logger.error("Files cannot be read or kept: %s: %s", type(problem).__name__, problem)

    def _record_success(self) -> None:
        self._last_answer = time.monotonic()
        if self.unreachable_since is not None:
            with self._lock:
                self.unreachable_since, self._is_trying = None, False
            logger.warning("Files can be read and kept again")
