"""Events of ours in the calendars of an account, over CalDAV: written in the transaction that decides them, and put
there by the worker. Only how it is to stand there counts: what was moved twice before it left leaves once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction

from workspace.accounts.models import Account
from workspace.delivery.calendars import caldav, sources
from workspace.delivery.dav import webdav
from workspace.delivery.dav.client import Conversation, Trouble, host_of
from workspace.delivery.models import Calendar, EventCopy
from workspace.delivery.models.calendar import LONGEST_PROBLEM, CopyState
from workspace.delivery.outbox import joining
from workspace.delivery.outbox.worker import jittered
from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.lib.ics import Event, stored
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

# after the first failure, the second and so on; three days in all, then it is given up until it changes again
DELAYS = (10.0, 60.0, 300.0, 1800.0, 3600.0, *([4 * 3600.0] * 17))
LEASE = timedelta(minutes=5)
KEPT = timedelta(days=30)  # that a copy is remembered which stands there no more

# set after each commit of something to write or to read; the lane waits on it
wake = threading.Event()


@dataclass(frozen=True, slots=True)
class Task:
    """One copy to write, as it was when it was taken. `host` is the one that the password was given for: what stands at
    a former address of the connection does not get it."""

    pk: int
    revision: int
    tries: int
    url: str
    etag: str
    body: str
    credentials: tuple[str, str] | None
    host: str = ""


def push(account: Account, subject: str, event: Event | None, *, page_id: str = "") -> int:
    """Have an event stand in the calendars that this account's bookings are written into, or no more (None); in the
    caller's transaction. `subject` is the id that its UID begins with, `page_id` the thing that it was booked on. A
    cancelled event is taken away. In how many calendars it is to change."""
    body = "" if event is None or event.status == "cancelled" else stored(event).decode()
    with joining():
        copies = {
            copy.calendar_id: copy for copy in EventCopy.objects.filter(calendar__account=account, subject=subject)
        }
        targets = [one for one in account.calendars.exclude(push_to="") if not page_id or _is_for(one, page_id)]
        changed = sum(_want(copy, body) for copy in copies.values())
        if event is not None and body:
            fresh = [_fresh(one, subject, event) for one in targets if one.pk not in copies]
            changed += len(EventCopy.objects.bulk_create(fresh))
        if changed:
            wake_after_commit()
    return changed


def wake_after_commit() -> None:
    transaction.on_commit(wake.set)


def push_all(calendar: Calendar) -> None:
    """What is yet to come, into a calendar that bookings are written into from now on. What stands in another one of
    the same connection stays there, and follows its booking."""
    if not calendar.push_to:
        return
    there = set(calendar.copies.exclude(state=CopyState.GONE).values_list("subject", flat=True))
    wanted = {
        one.subject: one.event
        for one in sources.coming(calendar.account)
        if one.subject not in there and (not one.page_id or _is_for(calendar, one.page_id))
    }
    with joining():
        calendar.copies.filter(state=CopyState.GONE, subject__in=wanted).delete()
        EventCopy.objects.bulk_create(_fresh(calendar, subject, event) for subject, event in wanted.items())
        wake_after_commit()


def _fresh(calendar: Calendar, subject: str, event: Event) -> EventCopy:
    url = caldav.address_in(calendar.push_to, subject)
    return EventCopy(calendar=calendar, subject=subject, url=url, body=stored(event).decode())


def _is_for(calendar: Calendar, page_id: str) -> bool:
    return not calendar.pages or page_id in calendar.page_ids


def _want(copy: EventCopy, body: str) -> bool:
    """Whether that is anything new. What stands in a calendar follows its booking there, also where bookings are
    written into another one from now on."""
    if copy.state == CopyState.WAITING and copy.body == body:
        return False
    if copy.state == CopyState.GONE:
        if not body or not copy.calendar.push_to:
            return False
        copy.url = caldav.address_in(copy.calendar.push_to, copy.subject)
    copy.body, copy.state, copy.tries, copy.problem = body, CopyState.WAITING, 0, ""
    copy.revision, copy.next_at, copy.changed_at = copy.revision + 1, clock.now(), clock.now()
    copy.save()
    return True


def take(most: int) -> list[Task]:
    """What is due, held for a while so that no other worker takes it. One a calendar: they follow one another."""
    now = clock.now()
    due = EventCopy.objects.filter(state=CopyState.WAITING, next_at__lte=now).order_by("next_at")
    tasks: list[Task] = []
    seen: set[str] = set()
    for copy in due.select_related("calendar")[: 4 * most]:
        if copy.calendar_id in seen or len(tasks) == most:
            continue
        seen.add(copy.calendar_id)
        with writing():
            mine = EventCopy.objects.filter(pk=copy.pk, revision=copy.revision, next_at=copy.next_at)
            if not mine.update(next_at=now + LEASE):
                continue
        try:
            credentials = copy.calendar.credentials()
        except Refusal as refusal:
            settle(Task(copy.pk, copy.revision, len(DELAYS), "", "", "", None), Trouble(refusal.message))
            continue
        tasks.append(
            Task(copy.pk, copy.revision, copy.tries, copy.url, copy.etag, copy.body, credentials, _host(copy.calendar))
        )
    return tasks


def _host(calendar: Calendar) -> str:
    return host_of(f"https://{calendar.host}")


def write(task: Task) -> str | Trouble:
    """The tag of what stands there now, empty for nothing. In a thread of its own, without the database. Where somebody
    has changed the event meanwhile, ours is written over it: the booking is what holds."""
    try:
        talk = Conversation(task.credentials, home=task.host)
        try:
            return _once(talk, task, task.etag)
        except Trouble as trouble:
            if trouble.status not in (404, 409, 412):
                raise
            return _once(talk, task, webdav.there(talk, task.url)[0])
    except Trouble as trouble:
        return trouble
    except Exception as error:
        logger.exception("An event could not be written into a calendar")
        return Trouble(type(error).__name__)


def _once(talk: Conversation, task: Task, etag: str) -> str:
    if task.body:
        return caldav.put(talk, task.url, task.body.encode(), etag)
    webdav.delete(talk, task.url, etag)
    return ""


def settle(task: Task, outcome: str | Trouble) -> bool:
    """Note what became of it. What has changed meanwhile waits on, and knows what stands there now."""
    now = clock.now()
    with writing():
        row = EventCopy.objects.select_for_update().filter(pk=task.pk).first()
        if row is None:
            return False
        is_same = row.revision == task.revision
        if isinstance(outcome, Trouble):
            row.problem = str(outcome)[:LONGEST_PROBLEM]
            if is_same:
                row.tries = task.tries + 1
                if row.tries > len(DELAYS):
                    row.state, row.body = CopyState.FAILED, ""
                else:
                    row.next_at = now + timedelta(seconds=jittered(DELAYS[row.tries - 1]))
        else:
            row.etag = outcome[:200]
            if is_same:
                row.state = CopyState.THERE if task.body else CopyState.GONE
                # the words of a guest are not kept longer than it takes to write them
                row.body, row.problem, row.tries = "", "", 0
            else:
                row.next_at = now
        row.save()
    return True


def forget_old() -> int:
    """Housekeeping."""
    return EventCopy.objects.filter(state=CopyState.GONE, changed_at__lt=clock.now() - KEPT).delete()[0]


def trouble_of(calendars: Iterable[Calendar]) -> dict[str, tuple[int, int, str]]:
    """Of each calendar that bookings are written into: how many wait, how many failed, and why the last one did not
    arrive. One query."""
    found: dict[str, tuple[int, int, str]] = {}
    rows = EventCopy.objects.filter(calendar__in=list(calendars), state__in=[CopyState.WAITING, CopyState.FAILED])
    for key, state, problem in rows.order_by("changed_at").values_list("calendar_id", "state", "problem"):
        waiting, failed, words = found.get(key, (0, 0, ""))
        is_failed = state == CopyState.FAILED
        found[key] = (waiting + (not is_failed), failed + is_failed, problem or words)
    return found
