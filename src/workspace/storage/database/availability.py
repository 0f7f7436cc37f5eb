"""The condition of the database: whether it can be read and written to."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from workspace.storage.database.errors import StorageFailure, find_storage_failure

logger = logging.getLogger(__name__)

MAX_FAILURE_AGE_SECONDS = 60.0  # after which a failed write no longer counts, if there was no other write


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """The result of one check, at time `at` on the monotonic clock. None means no failure."""

    reads: StorageFailure | None = None
    writes: StorageFailure | None = None
    at: float = field(default_factory=time.monotonic)


_guard = threading.Lock()
_last_failure: tuple[StorageFailure, float] | None = None
_last_answer_at = 0.0


def record_answer() -> None:
    """Record that the database server has just responded to a statement of this process."""
    global _last_answer_at
    _last_answer_at = time.monotonic()


def has_answered_since(moment: float) -> bool:
    """Return whether the database server has responded to this process since `moment`, a monotonic time."""
    return _last_answer_at > moment


@contextmanager
def track_writes() -> Iterator[None]:
    """Record whether the write inside the context fails."""
    global _last_failure
    try:
        yield
    except Exception as error:
        trouble = find_storage_failure(error)
        if trouble and trouble is not StorageFailure.FILES_UNREACHABLE:  # not a failure of the database
            with _guard:
                is_news = _last_failure is None or _last_failure[0] is not trouble
                _last_failure = (trouble, time.monotonic())
            if is_news:  # logged once and not for each failed request
                logger.error("The database cannot be written (%s): %s", trouble, trouble.detail)
        raise
    if _last_failure is not None:
        with _guard:
            was, _last_failure = _last_failure, None
        if was is not None:
            logger.warning("The database is written again")


def last_write_failure() -> StorageFailure | None:
    """Return the failure of the last write, or None if it succeeded or was long ago."""
    with _guard:
        if _last_failure is None or time.monotonic() - _last_failure[1] > MAX_FAILURE_AGE_SECONDS:
            return None
        return _last_failure[0]
