"""Check-in of booking clients: their booking of the day, or their next one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock, name_key
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.booking.api.booking_tools import save_bookings
from workspace.products.booking.domain.queries import get_booking
from workspace.products.booking.models import AttendanceStatus, Booking, PendingReason, Status
from workspace.publishing.checkin import (
    CheckinAction,
    CheckinMatch,
    CheckinPerson,
    CheckinQuery,
    CheckinSearch,
    CheckinSource,
    CheckinState,
    MissingItem,
    format_day,
)

LOOKAHEAD = timedelta(days=60)
MAX_SEARCHED = 2000  # bookings searched from that day on, earliest first
MAX_RESULTS = 30
LATE_TOLERANCE = timedelta(hours=1)  # how long a late client stays on the list when there is no search
_PERSON_COLUMNS = ("pk", "name", "email", "phone")


def _load_nearest(account: Account, day: date) -> list[tuple[Any, ...]]:
    """Return the bookings from that day on, ordered by start. An index supports this order."""
    begin = datetime.combine(day, time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__range=(begin, begin + LOOKAHEAD))
    return list(rows.order_by("starts_at", "id").values_list(*_PERSON_COLUMNS)[:MAX_SEARCHED])


def search_people(account: Account, sought: CheckinSearch, day: date) -> list[CheckinMatch]:
    if sought:
        people = (CheckinMatch(*row[1:]) for row in _load_nearest(account, day))
        return list(dict.fromkeys(person for person in people if sought.matches_person(person)))[:MAX_RESULTS]
    since, until = clock.now() - LATE_TOLERANCE, datetime.combine(day + timedelta(days=1), time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__lt=until)
    rows = rows.filter(
        Booking.live_filter(clock.now()), starts_at__gte=since - timedelta(days=1), outcome=AttendanceStatus.UNKNOWN
    )
    expected = rows.filter(ends_at__gte=since).order_by("starts_at", "id")[: MAX_RESULTS + 1]
    return [CheckinMatch(*row) for row in expected.values_list("name", "email")]


def bookings_for(account: Account, wanted: CheckinQuery, day: date) -> list[CheckinPerson]:
    """Return for each person the bookings of that day, or else the next one."""
    ids = [row[0] for row in _load_nearest(account, day) if wanted.matches_person(CheckinMatch(row[1], row[2]))]
    rows = Booking.objects.filter(pk__in=ids).select_related("page").order_by("starts_at", "id")
    each: dict[str, list[Booking]] = {}
    for one in rows if ids else ():
        each.setdefault(name_key.build_key(one.name), []).append(one)
    return [known for theirs in each.values() for known in _person_bookings(theirs, day)]


def _person_bookings(theirs: Sequence[Booking], day: date) -> list[CheckinPerson]:
    now = clock.now()
    live = [one for one in theirs if one.is_live(now)]
    on_day = [one for one in live if one.local_date == day]
    if on_day:
        return [_checkin_entry(one, day, now) for one in on_day]
    gone = [one for one in theirs if one.local_date == day]
    if gone:
        told = {Status.CANCELLED: "Cancelled", Status.EXPIRED: "Expired"}[gone[0].current_status(now)]
        return [_build_person(gone[0], CheckinState.BAD, f"{told}: {_format_time(gone[0])} today", more=gone[0].reason)]
    return [
        _build_person(
            one, CheckinState.SOON, f"Not today: booked {format_day(one.local_date, day)}, {_format_time(one)}"
        )
        for one in live[:1]
    ]


def _checkin_entry(one: Booking, day: date, now: datetime) -> CheckinPerson:
    if one.status == Status.PENDING:
        what = "your answer" if one.pending_reason == PendingReason.APPROVAL else "their payment"
        return _build_person(one, CheckinState.SOON, f"{_format_time(one)} today waits for {what}", at=one.starts_at)
    if one.outcome == AttendanceStatus.ATTENDED:
        return _build_person(one, CheckinState.GOOD, f"Came, booked {_format_time(one)} today")
    if one.outcome == AttendanceStatus.NO_SHOW:
        return _build_person(one, CheckinState.SOON, f"Marked as not come, {_format_time(one)} today", act="came")
    act = "came" if one.can_have_arrived(now) else ""
    if one.ends_at <= now:
        return _build_person(one, CheckinState.SOON, f"Was booked {_format_time(one)} today, which is over", act=act)
    return _build_person(one, CheckinState.GOOD, f"Booked {_format_time(one)} today", act=act, at=one.starts_at)


def _build_person(one: Booking, state: CheckinState, told: str, **more: Any) -> CheckinPerson:
    beside = more.pop("more", "")
    return CheckinPerson(
        person=CheckinMatch(one.name, one.email),
        state=state,
        words=told,
        page=one.dashboard_path,
        more=" · ".join(part for part in (one.service_name, beside, one.owner_note) if part),
        id=one.pk,
        **more,
    )


def _format_time(one: Booking) -> str:
    return f"{one.starts_at.astimezone(one.page.zone):%H:%M}"


def _find_missing(account: Account, day: date) -> MissingItem | None:
    page = account.booking_pages.filter(binned_at=None).order_by("pk").first()
    return MissingItem("No booking today", f"/app/booking/{page.pk}/book", "Book") if page else None


def _checkin_arguments(account: Account, id: str) -> dict[str, Any]:
    """Return the arguments for a check-in.

    Raise OperationNotAllowedError if the client is already marked as attended."""
    one = get_booking(account, id)
    if one.outcome == AttendanceStatus.ATTENDED:
        raise OperationNotAllowedError(f"{one.name} came already")
    return {
        "page_id": one.page_id,
        "items": [{"id": one.pk, "outcome": AttendanceStatus.ATTENDED.value, "notify": False}],
    }


CHECKIN_SOURCE = CheckinSource(
    search_people=search_people,
    people_for=bookings_for,
    find_missing=_find_missing,
    actions=[
        CheckinAction(
            name="came",
            label="Came",
            tool=save_bookings,
            arguments=_checkin_arguments,
            done_message="Came to the booking.",
        )
    ],
)
