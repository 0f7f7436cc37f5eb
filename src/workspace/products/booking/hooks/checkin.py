"""Check-in of booking clients: their booking on that day, or their next one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock, name_key
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.booking import messages
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
MAX_SEARCHED = 2000  # bookings searched, starting on that day, earliest first
MAX_RESULTS = 30
LATE_TOLERANCE = timedelta(hours=1)  # how long a late client stays on the list when there is no search
_PERSON_COLUMNS = ("pk", "name", "email", "phone")


def _load_nearest(account: Account, day: date) -> list[tuple[Any, ...]]:
    """Return the bookings from that day on, ordered by start. An index supports this order."""
    begin = datetime.combine(day, time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__range=(begin, begin + LOOKAHEAD))
    return list(rows.order_by("starts_at", "id").values_list(*_PERSON_COLUMNS)[:MAX_SEARCHED])


def search_people(account: Account, search: CheckinSearch, day: date) -> list[CheckinMatch]:
    if search:
        people = (CheckinMatch(*row[1:]) for row in _load_nearest(account, day))
        return list(dict.fromkeys(person for person in people if search.matches_person(person)))[:MAX_RESULTS]
    since, until = clock.now() - LATE_TOLERANCE, datetime.combine(day + timedelta(days=1), time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__lt=until)
    rows = rows.filter(
        Booking.live_filter(clock.now()), starts_at__gte=since - timedelta(days=1), outcome=AttendanceStatus.UNKNOWN
    )
    expected = rows.filter(ends_at__gte=since).order_by("starts_at", "id")[: MAX_RESULTS + 1]
    return [CheckinMatch(*row) for row in expected.values_list("name", "email")]


def bookings_for(account: Account, query: CheckinQuery, day: date) -> list[CheckinPerson]:
    """Return each person's bookings on that day or, if there are none, their next booking."""
    ids = [row[0] for row in _load_nearest(account, day) if query.matches_person(CheckinMatch(row[1], row[2]))]
    rows = Booking.objects.filter(pk__in=ids).select_related("page").order_by("starts_at", "id")
    each: dict[str, list[Booking]] = {}
    for booking in rows if ids else ():
        each.setdefault(name_key.build_key(booking.name), []).append(booking)
    return [known for person_bookings in each.values() for known in _person_bookings(person_bookings, day)]


def _person_bookings(person_bookings: Sequence[Booking], day: date) -> list[CheckinPerson]:
    now = clock.now()
    live = [booking for booking in person_bookings if booking.is_live(now)]
    on_day = [booking for booking in live if booking.local_date == day]
    if on_day:
        return [_checkin_entry(booking, day, now) for booking in on_day]
    bookings = [booking for booking in person_bookings if booking.local_date == day]
    if bookings:
        if bookings[0].current_status(now) is Status.CANCELLED:
            text = owner_gettext("Canceled: %(time)s today")
        else:
            text = owner_gettext("Expired: %(time)s today")
        text %= {"time": _format_time(bookings[0])}
        return [_build_person(bookings[0], CheckinState.BAD, text, more=bookings[0].reason)]
    return [
        _build_person(
            booking,
            CheckinState.SOON,
            owner_gettext("Not today: booked %(day)s, %(time)s")
            % {"day": format_day(booking.local_date, day), "time": _format_time(booking)},
        )
        for booking in live[:1]
    ]


def _checkin_entry(booking: Booking, day: date, now: datetime) -> CheckinPerson:
    time = {"time": _format_time(booking)}
    if booking.status == Status.PENDING:
        text = (
            owner_gettext("%(time)s today, waiting for your reply")
            if booking.pending_reason == PendingReason.APPROVAL
            else owner_gettext("%(time)s today, not paid yet")
        )
        return _build_person(booking, CheckinState.SOON, text % time, at=booking.starts_at)
    if booking.outcome == AttendanceStatus.ATTENDED:
        return _build_person(booking, CheckinState.GOOD, owner_gettext("Checked in, booked for %(time)s today") % time)
    if booking.outcome == AttendanceStatus.NO_SHOW:
        text = owner_gettext("Marked as no-show, %(time)s today") % time
        return _build_person(booking, CheckinState.SOON, text, act="came")
    act = "came" if booking.can_have_arrived(now) else ""
    if booking.ends_at <= now:
        text = owner_gettext("Booked for %(time)s today, already over") % time
        return _build_person(booking, CheckinState.SOON, text, act=act)
    text = owner_gettext("Booked for %(time)s today") % time
    return _build_person(booking, CheckinState.GOOD, text, act=act, at=booking.starts_at)


def _build_person(booking: Booking, state: CheckinState, text: str, **more: Any) -> CheckinPerson:
    beside = more.pop("more", "")
    return CheckinPerson(
        person=CheckinMatch(booking.name, booking.email),
        state=state,
        words=text,
        page=booking.dashboard_path,
        more=" · ".join(part for part in (booking.service_name, beside, booking.owner_note) if part),
        id=booking.pk,
        **more,
    )


def _format_time(booking: Booking) -> str:
    return f"{booking.starts_at.astimezone(booking.page.zone):%H:%M}"


def _find_missing(account: Account, day: date) -> MissingItem | None:
    page = account.booking_pages.filter(binned_at=None).order_by("pk").first()
    return (
        MissingItem(owner_gettext("No booking today"), f"/app/booking/{page.pk}/book", owner_gettext("Create booking"))
        if page
        else None
    )


def _checkin_arguments(account: Account, id: str) -> dict[str, Any]:
    """Return the arguments for a check-in.

    Raise OperationNotAllowedError if the client is already marked as attended."""
    booking = get_booking(account, id)
    if booking.outcome == AttendanceStatus.ATTENDED:
        raise OperationNotAllowedError(messages.ALREADY_ATTENDED(name=booking.name))
    return {
        "page_id": booking.page_id,
        "items": [{"id": booking.pk, "outcome": AttendanceStatus.ATTENDED.value, "notify": False}],
    }


CHECKIN_ACTION = CheckinAction(
    name="came",
    label=owner_gettext_lazy("Check in"),
    tool=save_bookings,
    arguments=_checkin_arguments,
    done_message=owner_gettext_lazy("Checked in."),
)
CHECKIN_SOURCE = CheckinSource(
    search_people=search_people, people_for=bookings_for, find_missing=_find_missing, actions=[CHECKIN_ACTION]
)
