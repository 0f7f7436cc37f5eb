"""The result of reading a calendar: its busy times, its state and notifications to its owner.

While a calendar cannot be read, the last successful copy is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from workspace.delivery import notifications
from workspace.delivery.calendars import event_sources
from workspace.delivery.calendars.reader import PartResult, ReadJob, ReadResult
from workspace.delivery.models import BusyTime, Calendar
from workspace.delivery.models.calendar import MAX_PROBLEM_LENGTH, CalendarHealth
from workspace.delivery.notifications import NotificationKind
from workspace.lib import clock
from workspace.lib.ics.subprocess_reader import BusyReply
from workspace.owner_translation import owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction

PAGE = "/app/account/calendars"
SYNC_NOTIFICATION = NotificationKind(
    "account.calendar",
    owner_gettext_lazy("Calendars"),
    owner_gettext_lazy("A calendar connection fails or works again"),
    PAGE,
)
READ_INTERVAL = timedelta(minutes=10)
INTERVAL_FACTOR = (
    120  # pause between two reads as a multiple of their duration, so that no calendar takes up the worker
)
MAX_RETRY_DELAY = timedelta(hours=1)  # between two retries while it is broken
PERMANENT_RETRY_DELAY = timedelta(hours=6)  # if retrying soon cannot help
WARNING_DELAY = timedelta(hours=1)  # time of failures before the owner gets an email, because servers restart
MAX_AGE = timedelta(hours=20)  # an older copy is read again in full, even if it has not changed
BATCH_SIZE = 500  # rows per statement

BusyKey = tuple[datetime, datetime, bool, str]


def build_job(calendar: Calendar) -> ReadJob:
    """Build the job for reading a calendar. Raise DecryptionError if its credentials cannot be decrypted."""
    now = clock.now()
    mine = calendar.my_addresses or [calendar.account.owner.email]
    return ReadJob(
        kind=calendar.kind,
        url=calendar.url,
        credentials=calendar.credentials(),
        parts=calendar.parts,
        tags=calendar.etags,
        own_addresses=[one.lower() for one in mine],
        hosts=event_sources.uid_hosts(),
        tentative=calendar.block_tentative,
        is_full_read=calendar.expanded_at is None or calendar.expanded_at < now - MAX_AGE,
        now=now,
    )


def save_result(calendar: Calendar, outcome: ReadResult) -> bool:
    """Save the result of reading a calendar.

    Return False and save no state if the calendar was changed or removed in the meantime."""
    for came in outcome.part_results:
        if came.reply is not None:
            _replace_busy_times(calendar, came)
    with write_transaction():
        row = Calendar.objects.select_for_update().filter(pk=calendar.pk, revision=calendar.revision).first()
        if row is None:
            return False
        for came in outcome.part_results:
            row.etags[str(came.place)] = came.tag
        if (
            outcome.part_results
            and all(came.reply is not None for came in outcome.part_results)
            and not outcome.problem
        ):
            row.expanded_at = clock.now()
        _update_state(row, outcome)
        row.save()
    return True


def save_failure(calendar: Calendar, message: str) -> bool:
    """Save a failure that happened before any request, such as credentials that cannot be decrypted."""
    return save_result(calendar, ReadResult(problem=message, is_permanent=True))


def _update_state(row: Calendar, outcome: ReadResult) -> None:
    now = clock.now()
    if outcome.is_busy and not outcome.problem:
        row.next_at = now + READ_INTERVAL
        return
    if outcome.problem:
        row.problem, row.health = outcome.problem[:MAX_PROBLEM_LENGTH], CalendarHealth.BROKEN
        row.failing_since = row.failing_since or now
        lasted = now - row.failing_since
        row.next_at = now + (
            PERMANENT_RETRY_DELAY if outcome.is_permanent else min(MAX_RETRY_DELAY, max(READ_INTERVAL, lasted / 2))
        )
        if not row.owner_warned and (outcome.is_permanent or lasted >= WARNING_DELAY):
            row.owner_warned = notifications.notify_owner(
                row.account, SYNC_NOTIFICATION, "owner/calendar_broken", _email_context(row)
            )
        return
    remarks = [remark for came in outcome.part_results if came.reply is not None for remark in came.reply.remarks]
    if remarks or any(came.reply is not None for came in outcome.part_results):
        row.remarks = list(dict.fromkeys(remarks))
    named = next((came.reply.name for came in outcome.part_results if came.reply is not None and came.reply.name), "")
    if named and row.name == row.host:
        row.name = named[:120]
    if row.owner_warned:
        notifications.notify_owner(row.account, SYNC_NOTIFICATION, "owner/calendar_recovered", _email_context(row))
    row.problem, row.health, row.failing_since, row.owner_warned = "", CalendarHealth.GOOD, None, False
    row.read_at, row.next_at = now, now + max(READ_INTERVAL, INTERVAL_FACTOR * timedelta(seconds=outcome.seconds))


def _email_context(row: Calendar) -> dict[str, Any]:
    return {"calendar": row, "page": f"{settings.BASE_URL}{PAGE}/{row.pk}"}


def _replace_busy_times(calendar: Calendar, part_result: PartResult) -> None:
    """Replace the busy times of a part.

    Only differences are written, in batches. New times are written before old ones are deleted, so that a partly
    written state blocks too much rather than too little.
    """
    assert part_result.reply is not None
    wanted = Counter(_foreign_busy_times(calendar, part_result.reply))
    gone: list[int] = []
    rows = BusyTime.objects.filter(calendar=calendar, part=part_result.place)
    columns = rows.values_list("pk", "starts_at", "ends_at", "floating", "title")
    for pk, *key in columns.iterator(chunk_size=BATCH_SIZE):
        found: Any = tuple(key)
        if wanted[found] > 0:
            wanted[found] -= 1
        else:
            gone.append(pk)
    for few in _split_batches(list(wanted.elements())):
        with write_transaction():
            here = Calendar.objects.select_for_update().filter(pk=calendar.pk, revision=calendar.revision)
            if here.values_list("pk").first() is None:
                return
            BusyTime.objects.bulk_create(_build_busy_time(calendar, part_result.place, key) for key in few)
    for few in _split_batches(gone):
        with write_transaction():
            BusyTime.objects.filter(pk__in=few).delete()


def _build_busy_time(calendar: Calendar, part: int, key: BusyKey) -> BusyTime:
    start, end, floating, title = key
    return BusyTime(calendar=calendar, part=part, starts_at=start, ends_at=end, floating=floating, title=title)


def _foreign_busy_times(calendar: Calendar, reply: BusyReply) -> Iterable[BusyKey]:
    """Return the busy times without the account's own events, which would block themselves.

    Bookings of other accounts do block."""
    ours = event_sources.filter_own_ids(calendar.account, {own for *_, own in reply.ranges if own})
    return ((start, end, floating, title) for start, end, floating, title, own in reply.ranges if own not in ours)


def _split_batches(rows: list[Any]) -> Iterable[list[Any]]:
    return (rows[at : at + BATCH_SIZE] for at in range(0, len(rows), BATCH_SIZE))
