"""Scheduled tasks that handle one row at a time.

One bad row never stops the others. It is logged, set aside with its error for the administrator, and tried again later.

    @row_task("booking.send_reminders", due_reminders, batch_size=200)
    def remind(id: str) -> bool: ...

    worker.every(60, remind)
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db.models import QuerySet

from workspace.storage.database.errors import StorageFailure, find_storage_failure
from workspace.storage.models import SetAside

logger = logging.getLogger(__name__)

MAX_STORAGE_FAILURES = 3  # consecutive rows with a database failure, after which the task stops until its next run

Ids = Sequence[Any] | QuerySet[Any, Any]


def run_rows(
    task: str,
    ids: Ids,
    handle: Callable[[Any], object],
    *,
    batch_size: int | None = None,
    until: Callable[[], bool] | None = None,
) -> int:
    """Call `handle(id)` for each id, outside of any transaction. Return the sum of the results (True counts as 1).

    `batch_size` limits the rows of one run, not counting rows that are set aside. `until` ends the run early. If the
    database does not respond, raise the error, because no row caused it.
    """
    aside, again = SetAside.rows_for_task(task)
    if batch_size is not None:
        ids = ids[: batch_size + len(aside)]
    total, troubles, failed = 0, 0, set()
    for id in [one for one in ids if row_key(one) not in aside][:batch_size]:
        if until is not None and until():
            return total
        try:
            total += int(handle(id) or 0)  # type: ignore[call-overload]
            troubles = 0
        except Exception as problem:
            trouble = find_storage_failure(problem)
            if trouble is None:
                failed.add(row_key(id))
                set_row_aside(task, id, problem)
                continue
            troubles += 1
            if trouble is StorageFailure.UNREACHABLE or troubles == MAX_STORAGE_FAILURES:
                raise
            logger.warning("%s: row %s waits for the database: %s", task, row_key(id), trouble.detail)
    SetAside.clear_rows(task, again - failed)
    return total


@contextmanager
def set_aside_on_error(task: str, id: object) -> Iterator[None]:
    """Run the work for one row. Log an error and set the row aside, but raise errors of a failing database."""
    try:
        yield
    except Exception as problem:
        if find_storage_failure(problem) is not None:
            raise
        set_row_aside(task, id, problem)
    else:
        SetAside.clear_rows(task, [row_key(id)])


def set_row_aside(task: str, id: object, problem: Exception) -> None:
    logger.error("%s: row %s failed and is set aside", task, row_key(id), exc_info=problem)
    SetAside.record_failure(task, row_key(id), f"{type(problem).__name__}: {problem}")


def row_key(id: object) -> str:
    """Return the text that identifies a row. The parts of a composite id are joined."""
    return " ".join(map(str, id)) if isinstance(id, tuple) else str(id)


class RowTask:
    """A task for `worker.every`.

    `due()` returns the ids of the rows to handle. Calling the task handles them.
    """

    def __init__(
        self, name: str, handle: Callable[[Any], object], find_due: Callable[[], Ids], batch_size: int | None
    ) -> None:
        self.name, self.handle, self.due, self.most = name, handle, find_due, batch_size
        self.__doc__, self.__module__ = handle.__doc__, handle.__module__
        self.__name__, self.__qualname__ = handle.__name__, handle.__qualname__

    def __call__(self, *, until: Callable[[], bool] | None = None) -> int:
        return run_rows(self.name, self.due(), self.handle, batch_size=self.most, until=until)


def row_task(
    name: str, find_due: Callable[[], Ids], *, batch_size: int | None = None
) -> Callable[[Callable[[Any], object]], RowTask]:
    """Create a task from a function that handles one row by its id. Rows that fail are stored under `name`."""
    return lambda handle: RowTask(name, handle, find_due, batch_size)
