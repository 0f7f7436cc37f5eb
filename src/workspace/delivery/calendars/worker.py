"""The worker for calendars: it writes bookings immediately and reads each calendar every ten minutes.

Several calendars are read in parallel, since most of the time is waiting. It is separate from the other workers, so
that no email waits for a slow server. Any number of these workers may run side by side."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from workspace.delivery import messages
from workspace.delivery.calendars import event_push, reader, sync_state
from workspace.delivery.calendars.reader import ReadJob, ReadResult
from workspace.delivery.dav.client import DavError
from workspace.delivery.models import Calendar
from workspace.delivery.outbox.worker_thread import WorkerThread, claim_due
from workspace.lib.errors import ToolError
from workspace.storage.row_tasks import set_aside_on_error

logger = logging.getLogger(__name__)

READ_TASK, WRITE_TASK = "delivery.read_calendars", "delivery.write_calendars"
LEASE = timedelta(minutes=15)  # until a calendar is read again if its worker was killed; reading 50 parts is faster


class CalendarWorker(WorkerThread):
    """The worker for calendars.

    `at_once` is the number of calendars read in parallel, each up to 10 MB. Twice as many are written to in parallel.
    """

    def __init__(self, *, poll: float = 5.0, at_once: int = 2) -> None:
        super().__init__("calendars", event_push.wake_event, poll)
        self.at_once = at_once

    def run_once(self) -> bool:
        """Write all due events and read a few calendars that are due. Only this thread uses the database."""
        tasks = event_push.claim_tasks(2 * self.at_once)
        calendars = claim_due(Calendar.objects.select_related("account"), self.at_once, LEASE)
        jobs = [(one, job) for one in calendars if (job := self._build_job(one)) is not None]
        if not tasks and not jobs:
            return bool(calendars)
        with ThreadPoolExecutor(3 * self.at_once, thread_name_prefix="calendar") as pool:
            written = pool.map(event_push.write_event, tasks)
            read = pool.map(_read_safely, (job for _, job in jobs))
            for task, result in zip(tasks, written, strict=True):
                with set_aside_on_error(WRITE_TASK, task.pk):
                    self.save_with_retry(_push_saver(task, result))
            for (calendar, _), outcome in zip(jobs, read, strict=True):
                with set_aside_on_error(READ_TASK, calendar.pk):
                    self.save_with_retry(_read_saver(calendar, outcome))
        return True

    def _build_job(self, calendar: Calendar) -> ReadJob | None:
        with set_aside_on_error(READ_TASK, calendar.pk):
            try:
                return sync_state.build_job(calendar)
            except ToolError as refusal:
                words = refusal.message
                self.save_with_retry(lambda: sync_state.save_failure(calendar, words))
        return None


def _read_safely(job: ReadJob) -> ReadResult:
    """Read a calendar in a worker thread, without the database."""
    try:
        return reader.read_calendar(job)
    except Exception as error:  # an error in one calendar does not stop the others
        logger.exception("A calendar could not be read")
        return ReadResult(problem=str(messages.INTERNAL_SYNC_ERROR(error=type(error).__name__)))


def _push_saver(task: event_push.EventTask, result: str | DavError) -> Callable[[], bool]:
    return lambda: event_push.save_result(task, result)


def _read_saver(calendar: Calendar, outcome: ReadResult) -> Callable[[], bool]:
    return lambda: sync_state.save_result(calendar, outcome)
