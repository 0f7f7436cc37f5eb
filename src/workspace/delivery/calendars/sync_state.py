"""What becomes of a calendar that was read: its busy times, its state, and what its owner is told. While it cannot be
read, the last good copy counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from workspace.delivery import notifications
from workspace.delivery.calendars import sources
from workspace.delivery.calendars.reader import Came, Job, Outcome
from workspace.delivery.models import BusyTime, Calendar
from workspace.delivery.models.calendar import LONGEST_PROBLEM, Health
from workspace.delivery.notifications import Kind
from workspace.lib import clock
from workspace.lib.ics.worker import Told
from workspace.storage.database.transactions import writing

PAGE = "/app/account/calendars"
NEWS = Kind("account.calendar", "Calendars", "A connected calendar cannot be read, or can again", PAGE)
EVERY = timedelta(minutes=10)
WORTH = 120  # times as long as it took to read one it is left alone, so that nobody's takes all the time there is
LONGEST_PAUSE = timedelta(hours=1)  # between two tries while it is broken
LASTS = timedelta(hours=6)  # where trying again soon cannot help
PATIENCE = timedelta(hours=1)  # of failing until the owner gets a mail: servers restart
FRESH = timedelta(hours=20)  # a copy older than this is made anew, whether it has changed or not
AT_ONCE = 500  # rows of one statement

Key = tuple[datetime, datetime, bool, str]


def job_of(calendar: Calendar) -> Job:
    """Raises CannotUnseal."""
    now = clock.now()
    mine = calendar.my_addresses or [calendar.account.owner.email]
    return Job(
        kind=calendar.kind,
        url=calendar.url,
        credentials=calendar.credentials(),
        parts=calendar.parts,
        tags=calendar.tags,
        mine=[one.lower() for one in mine],
        hosts=sources.hosts(),
        tentative=calendar.block_tentative,
        whole=calendar.expanded_at is None or calendar.expanded_at < now - FRESH,
        now=now,
    )


def keep(calendar: Calendar, outcome: Outcome) -> bool:
    """Write it down. False where the calendar was changed meanwhile, or is gone: then nothing of it counts."""
    for came in outcome.came:
        if came.told is not None:
            _replace(calendar, came)
    with writing():
        row = Calendar.objects.select_for_update().filter(pk=calendar.pk, revision=calendar.revision).first()
        if row is None:
            return False
        for came in outcome.came:
            row.tags[str(came.place)] = came.tag
        if outcome.came and all(came.told is not None for came in outcome.came) and not outcome.problem:
            row.expanded_at = clock.now()
        _settle(row, outcome)
        row.save()
    return True


def fail(calendar: Calendar, words: str) -> bool:
    """Nothing was asked: what it takes to ask is lost."""
    return keep(calendar, Outcome(problem=words, lasts=True))


def _settle(row: Calendar, outcome: Outcome) -> None:
    now = clock.now()
    if outcome.is_busy and not outcome.problem:
        row.next_at = now + EVERY
        return
    if outcome.problem:
        row.problem, row.health = outcome.problem[:LONGEST_PROBLEM], Health.BROKEN
        row.failing_since = row.failing_since or now
        lasted = now - row.failing_since
        row.next_at = now + (LASTS if outcome.lasts else min(LONGEST_PAUSE, max(EVERY, lasted / 2)))
        if not row.warned and (outcome.lasts or lasted >= PATIENCE):
            row.warned = notifications.tell(row.account, NEWS, "calendar_broken", _given(row))
        return
    remarks = [remark for came in outcome.came if came.told is not None for remark in came.told.remarks]
    if remarks or any(came.told is not None for came in outcome.came):
        row.remarks = list(dict.fromkeys(remarks))
    named = next((came.told.name for came in outcome.came if came.told is not None and came.told.name), "")
    if named and row.name == row.host:
        row.name = named[:120]
    if row.warned:
        notifications.tell(row.account, NEWS, "calendar_well", _given(row))
    row.problem, row.health, row.failing_since, row.warned = "", Health.GOOD, None, False
    row.read_at, row.next_at = now, now + max(EVERY, WORTH * timedelta(seconds=outcome.seconds))


def _given(row: Calendar) -> dict[str, Any]:
    return {"calendar": row, "page": f"{settings.BASE_URL}{PAGE}/{row.pk}"}


def _replace(calendar: Calendar, came: Came) -> None:
    """The busy times of a part as they are now. Only what differs is written, a few at a time, what is new before what
    is gone: meanwhile too much is blocked and never too little."""
    assert came.told is not None
    wanted = Counter(_wanted(calendar, came.told))
    gone: list[int] = []
    rows = BusyTime.objects.filter(calendar=calendar, part=came.place)
    columns = rows.values_list("pk", "starts_at", "ends_at", "floating", "title")
    for pk, *key in columns.iterator(chunk_size=AT_ONCE):
        found: Any = tuple(key)
        if wanted[found] > 0:
            wanted[found] -= 1
        else:
            gone.append(pk)
    for few in _in_parts(list(wanted.elements())):
        with writing():
            here = Calendar.objects.select_for_update().filter(pk=calendar.pk, revision=calendar.revision)
            if here.values_list("pk").first() is None:
                return
            BusyTime.objects.bulk_create(_row(calendar, came.place, key) for key in few)
    for few in _in_parts(gone):
        with writing():
            BusyTime.objects.filter(pk__in=few).delete()


def _row(calendar: Calendar, part: int, key: Key) -> BusyTime:
    start, end, floating, title = key
    return BusyTime(calendar=calendar, part=part, starts_at=start, ends_at=end, floating=floating, title=title)


def _wanted(calendar: Calendar, told: Told) -> Iterable[Key]:
    """Without what is the account's own, which would block itself. Another account's booking blocks."""
    ours = sources.own(calendar.account, {own for *_, own in told.ranges if own})
    return ((start, end, floating, title) for start, end, floating, title, own in told.ranges if own not in ours)


def _in_parts(rows: list[Any]) -> Iterable[list[Any]]:
    return (rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE))
