"""What is known of the database's condition: whether it can be read and written, and since when not."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from workspace.storage.database.errors import StorageFailure, find_storage_failure

logger = logging.getLogger(__name__)

MAX_FAILURE_AGE_SECONDS = 60.0  # seconds that a failed write is told of when nobody has written since


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """What one look has found; None is well. `at`: when it was over, on the monotonic clock."""

    reads: StorageFailure | None = None
    writes: StorageFailure | None = None
    at: float = field(default_factory=time.monotonic)


_guard = threading.Lock()
_last_failure: tuple[StorageFailure, float] | None = None
_last_answer_at = 0.0


def record_answer() -> None:
    """Record that the database server has just answered a statement of this process."""
    global _last_answer_at
    _last_answer_at = time.monotonic()


def has_answered_since(moment: float) -> bool:
    """Return whether the database server has answered this process after `moment`, on the monotonic clock."""
    return _last_answer_at > moment


@contextmanager
def track_writes() -> Iterator[None]:
    """Remember what becomes of a write."""
    global _last_failure
    try:
        yield
    except Exception as error:
        trouble = find_storage_failure(error)
        if trouble and trouble is not StorageFailure.FILES_UNREACHABLE:  # which says nothing of the database
            with _guard:
                is_news = _last_failure is None or _last_failure[0] is not trouble
                _last_failure = (trouble, time.monotonic())
            if is_news:  # one line, not one for each of those who are refused
                logger.error("The database cannot be written (%s): %s", trouble, trouble.detail)
        raise
    if _last_failure is not None:
        with _guard:
            was, _last_failure = _last_failure, None
        if was is not None:
            logger.warning("The database is written again")


def last_write_failure() -> StorageFailure | None:
    """The trouble that the last write has met, unless one has come through since."""
    with _guard:
        if _last_failure is None or time.monotonic() - _last_failure[1] > MAX_FAILURE_AGE_SECONDS:
            return None
        return _last_failure[0]
