"""What is known of the database's condition: whether it can be read and written, and since when not."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from workspace.storage.database.errors import Trouble, trouble_of

logger = logging.getLogger(__name__)

REMEMBERED = 60.0  # seconds that a failed write is told of when nobody has written since


@dataclass(frozen=True, slots=True)
class Condition:
    """What one look has found; None is well. `at`: when it was over, on the monotonic clock."""

    reads: Trouble | None = None
    writes: Trouble | None = None
    at: float = field(default_factory=time.monotonic)


_guard = threading.Lock()
_failed: tuple[Trouble, float] | None = None


@contextmanager
def noting_writes() -> Iterator[None]:
    """Remember what becomes of a write."""
    global _failed
    try:
        yield
    except Exception as error:
        trouble = trouble_of(error)
        if trouble and trouble is not Trouble.FILES:  # which says nothing of the database
            with _guard:
                is_news = _failed is None or _failed[0] is not trouble
                _failed = (trouble, time.monotonic())
            if is_news:  # one line, not one for each of those who are refused
                logger.error("The database cannot be written (%s): %s", trouble, trouble.detail)
        raise
    if _failed is not None:
        with _guard:
            was, _failed = _failed, None
        if was is not None:
            logger.warning("The database is written again")


def failed_write() -> Trouble | None:
    """The trouble that the last write has met, unless one has come through since."""
    with _guard:
        if _failed is None or time.monotonic() - _failed[1] > REMEMBERED:
            return None
        return _failed[0]
