"""The lane of calendars: bookings are written into them at once, and they are read every ten minutes, several at a
time, since most of each is waiting. Apart from the other lanes, so that no mail waits for a server that hangs. Any
number of lanes may run side by side."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from workspace.delivery.calendars import event_push, reader, sync_state
from workspace.delivery.calendars.reader import Job, Outcome
from workspace.delivery.dav.client import Trouble
from workspace.delivery.models import Calendar
from workspace.delivery.outbox.worker_thread import Lane, claim_due
from workspace.lib.errors import Refusal
from workspace.storage.row_tasks import setting_aside

logger = logging.getLogger(__name__)

READING, WRITING = "delivery.read_calendars", "delivery.write_calendars"
LEASE = timedelta(minutes=15)  # until one is read again whose worker was killed; longer than reading fifty parts takes


class CalendarLane(Lane):
    """`at_once`: how many calendars are read at the same time, each of up to 10 MB; twice as many are written into."""

    def __init__(self, *, poll: float = 5.0, at_once: int = 2) -> None:
        super().__init__("calendars", event_push.wake, poll)
        self.at_once = at_once

    def turn(self) -> bool:
        """What is due to be written, and a few that are due to be read. Only this thread speaks to the database."""
        tasks = event_push.take(2 * self.at_once)
        calendars = claim_due(Calendar.objects.select_related("account"), self.at_once, LEASE)
        jobs = [(one, job) for one in calendars if (job := self._job(one)) is not None]
        if not tasks and not jobs:
            return bool(calendars)
        with ThreadPoolExecutor(3 * self.at_once, thread_name_prefix="calendar") as pool:
            written = pool.map(event_push.write, tasks)
            read = pool.map(_read, (job for _, job in jobs))
            for task, result in zip(tasks, written, strict=True):
                with setting_aside(WRITING, task.pk):
                    self.note(_settling(task, result))
            for (calendar, _), outcome in zip(jobs, read, strict=True):
                with setting_aside(READING, calendar.pk):
                    self.note(_keeping(calendar, outcome))
        return True

    def _job(self, calendar: Calendar) -> Job | None:
        with setting_aside(READING, calendar.pk):
            try:
                return sync_state.job_of(calendar)
            except Refusal as refusal:
                words = refusal.message
                self.note(lambda: sync_state.fail(calendar, words))
        return None


def _read(job: Job) -> Outcome:
    """In a thread of its own, without the database."""
    try:
        return reader.read(job)
    except Exception as error:  # whatever one calendar holds, the others are read
        logger.exception("A calendar could not be read")
        return Outcome(problem=f"Something went wrong here while it was read ({type(error).__name__})")


def _settling(task: event_push.Task, result: str | Trouble) -> Callable[[], bool]:
    return lambda: event_push.settle(task, result)


def _keeping(calendar: Calendar, outcome: Outcome) -> Callable[[], bool]:
    return lambda: sync_state.keep(calendar, outcome)
