"""Pushing our events to an account's calendars over CalDAV.

Copies are updated in the transaction of the booking and sent by the worker. Only the latest state counts: an event
that was moved twice before it was sent is sent once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery.calendars import caldav, event_sources
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import DavError, DavSession, url_host
from workspace.delivery.models import Calendar, EventCopy
from workspace.delivery.models.calendar import MAX_PROBLEM_LENGTH, EventCopyState
from workspace.delivery.outbox import join_transaction
from workspace.delivery.outbox.worker import add_jitter
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.lib.ics import Event, build_caldav_event
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

# delays after the first failure, the second and so on; after three days an event fails until it changes again
RETRY_DELAYS = (10.0, 60.0, 300.0, 1800.0, 3600.0, *([4 * 3600.0] * 17))
LEASE = timedelta(minutes=5)
RETENTION = timedelta(days=30)  # how long the copy of a removed event is stored

# set after each commit that gives the worker something to write or read; the worker waits for it
wake_event = threading.Event()


@dataclass(frozen=True, slots=True)
class EventTask:
    """One copy to write, as it was when it was claimed.

    `host` is the host that the password was entered for. A URL on an earlier host of the connection does not get the
    password.
    """

    pk: int
    revision: int
    tries: int
    url: str
    etag: str
    body: str
    credentials: tuple[str, str] | None
    host: str = ""


def push_event(account: Account, subject: str, event: Event | None, *, page_id: str = "") -> int:
    """Queue an event to be written to the account's calendars, or removed (None), in the caller's transaction.

    `subject` is the id at the start of the UID, and `page_id` is the id of the booked item. A cancelled event is
    removed. Return the number of calendars that will change.
    """
    with join_transaction():
        calendars = _calendars_for.fetch(account)
        if not calendars:
            return 0
        body = "" if event is None or event.status == "cancelled" else build_caldav_event(event).decode()
        copies = {copy.calendar_id: copy for copy in _copies_of.fetch(account, subject)}
        targets = [one for one in calendars if one.write_to and (not page_id or _is_for_page(one, page_id))]
        changed = sum(_update_copy(copy, body) for copy in copies.values())
        if event is not None and body:
            fresh = [_build_copy(one, subject, event) for one in targets if one.pk not in copies]
            changed += len(EventCopy.objects.bulk_create(fresh))
        if changed:
            wake_after_commit()
    return changed


@compile_once
def _copies_of(account: Account, subject: str) -> QuerySet[EventCopy]:
    return EventCopy.objects.filter(calendar__account=account, subject=subject)


@compile_once
def _calendars_for(account: Account) -> QuerySet[Calendar]:
    return account.calendars.all()


def wake_after_commit() -> None:
    """Wake the calendar worker after the commit."""
    transaction.on_commit(wake_event.set)


def push_upcoming(calendar: Calendar) -> None:
    """Queue upcoming events for a calendar to which bookings are now written.

    Events in another calendar of the same connection stay there and are updated with their bookings.
    """
    if not calendar.write_to:
        return
    there = set(calendar.copies.exclude(state=EventCopyState.GONE).values_list("subject", flat=True))
    wanted = {
        one.subject: one.event
        for one in event_sources.upcoming_events(calendar.account)
        if one.subject not in there and (not one.page_id or _is_for_page(calendar, one.page_id))
    }
    with join_transaction():
        calendar.copies.filter(state=EventCopyState.GONE, subject__in=wanted).delete()
        EventCopy.objects.bulk_create(_build_copy(calendar, subject, event) for subject, event in wanted.items())
        wake_after_commit()


def _build_copy(calendar: Calendar, subject: str, event: Event) -> EventCopy:
    url = caldav.event_url(calendar.write_to, subject)
    return EventCopy(calendar=calendar, subject=subject, url=url, body=build_caldav_event(event).decode())


def _is_for_page(calendar: Calendar, page_id: str) -> bool:
    return not calendar.pages or page_id in calendar.page_ids


def _update_copy(copy: EventCopy, body: str) -> bool:
    """Update the copy of an event and return whether anything changed.

    A copy follows its booking even if bookings are now written to another calendar."""
    if copy.state == EventCopyState.WAITING and copy.body == body:
        return False
    if copy.state == EventCopyState.GONE:
        if not body or not copy.calendar.write_to:
            return False
        copy.url = caldav.event_url(copy.calendar.write_to, copy.subject)
    copy.body, copy.state, copy.attempts, copy.problem = body, EventCopyState.WAITING, 0, ""
    copy.revision, copy.next_at, copy.changed_at = copy.revision + 1, clock.now(), clock.now()
    copy.save()
    return True


def claim_tasks(limit: int) -> list[EventTask]:
    """Claim up to `limit` due copies, one per calendar because writes to a calendar run in sequence.

    A claimed copy is leased, so that no other worker takes it."""
    now = clock.now()
    due = EventCopy.objects.filter(state=EventCopyState.WAITING, next_at__lte=now).order_by("next_at")
    tasks: list[EventTask] = []
    seen: set[str] = set()
    for copy in due.select_related("calendar")[: 4 * limit]:
        if copy.calendar_id in seen or len(tasks) == limit:
            continue
        seen.add(copy.calendar_id)
        with write_transaction():
            mine = EventCopy.objects.filter(pk=copy.pk, revision=copy.revision, next_at=copy.next_at)
            if not mine.update(next_at=now + LEASE):
                continue
        try:
            credentials = copy.calendar.credentials()
        except ToolError as refusal:
            save_result(
                EventTask(copy.pk, copy.revision, len(RETRY_DELAYS), "", "", "", None), DavError(refusal.message)
            )
            continue
        tasks.append(
            EventTask(
                copy.pk,
                copy.revision,
                copy.attempts,
                copy.url,
                copy.etag,
                copy.body,
                credentials,
                _calendar_host(copy.calendar),
            )
        )
    return tasks


def _calendar_host(calendar: Calendar) -> str:
    return url_host(f"https://{calendar.host}")


def write_event(task: EventTask) -> str | DavError:
    """Write or remove an event. Return its new ETag, "" if it was removed, or the error.

    This runs in a worker thread without the database. If the event was changed in the calendar, it is overwritten,
    because the booking is authoritative.
    """
    try:
        session = DavSession(task.credentials, credential_host=task.host)
        try:
            return _apply_task(session, task, task.etag)
        except DavError as trouble:
            if trouble.status not in (404, 409, 412):
                raise
            return _apply_task(session, task, webdav.fetch_file(session, task.url)[0])
    except DavError as trouble:
        return trouble
    except Exception as error:
        logger.exception("An event could not be written into a calendar")
        return DavError(type(error).__name__)


def _apply_task(session: DavSession, task: EventTask, etag: str) -> str:
    if task.body:
        return caldav.put(session, task.url, task.body.encode(), etag)
    webdav.delete(session, task.url, etag)
    return ""


def save_result(task: EventTask, outcome: str | DavError) -> bool:
    """Save the result of a task and return whether the copy still exists.

    A copy that has changed since it was claimed stays queued, with the new ETag.
    """
    now = clock.now()
    with write_transaction():
        row = EventCopy.objects.select_for_update().filter(pk=task.pk).first()
        if row is None:
            return False
        is_same = row.revision == task.revision
        if isinstance(outcome, DavError):
            row.problem = str(outcome)[:MAX_PROBLEM_LENGTH]
            if is_same:
                row.attempts = task.tries + 1
                if row.attempts > len(RETRY_DELAYS):
                    row.state, row.body = EventCopyState.FAILED, ""
                else:
                    row.next_at = now + timedelta(seconds=add_jitter(RETRY_DELAYS[row.attempts - 1]))
        else:
            row.etag = outcome[:200]
            if is_same:
                row.state = EventCopyState.THERE if task.body else EventCopyState.GONE
                # guests' data is stored only until it is written
                row.body, row.problem, row.attempts = "", "", 0
            else:
                row.next_at = now
        row.save()
    return True


def delete_old() -> int:
    """Delete copies of events that were removed more than `RETENTION` ago. Return how many were deleted."""
    return EventCopy.objects.filter(state=EventCopyState.GONE, changed_at__lt=clock.now() - RETENTION).delete()[0]


def push_problems(calendars: Iterable[Calendar]) -> dict[str, tuple[int, int, str]]:
    """Return the numbers of waiting and failed copies and the last problem for each calendar. Run one query."""
    found: dict[str, tuple[int, int, str]] = {}
    rows = EventCopy.objects.filter(
        calendar__in=list(calendars), state__in=[EventCopyState.WAITING, EventCopyState.FAILED]
    )
    for key, state, problem in rows.order_by("changed_at").values_list("calendar_id", "state", "problem"):
        waiting, failed, words = found.get(key, (0, 0, ""))
        is_failed = state == EventCopyState.FAILED
        found[key] = (waiting + (not is_failed), failed + is_failed, problem or words)
    return found
