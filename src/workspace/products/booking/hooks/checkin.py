"""What booking knows of who stands at the door: their visit of that day, or the next one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock, name_key
from workspace.lib.errors import ToolError
from workspace.products.booking.api.booking_tools import save_bookings
from workspace.products.booking.domain.queries import booking_of
from workspace.products.booking.models import Booking, Outcome, Status, Waiting
from workspace.publishing.checkin import Act, Door, Known, Missing, Person, Sought, State, Wanted, day_told

AHEAD = timedelta(days=60)
MOST = 2000  # bookings from that day on that are looked through, the nearest first
MOST_FOUND = 30
LATE = timedelta(hours=1)  # so long who was expected stands on the list, where nobody is looked for
_COLUMNS = ("pk", "name", "email", "phone")


def _near(account: Account, day: date) -> list[tuple[Any, ...]]:
    """The nearest bookings from that day on, by their start: an index holds them so."""
    begin = datetime.combine(day, time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__range=(begin, begin + AHEAD))
    return list(rows.order_by("starts_at", "id").values_list(*_COLUMNS)[:MOST])


def found(account: Account, sought: Sought, day: date) -> list[Person]:
    if sought:
        people = (Person(*row[1:]) for row in _near(account, day))
        return list(dict.fromkeys(person for person in people if sought.fits(person)))[:MOST_FOUND]
    since, until = clock.now() - LATE, datetime.combine(day + timedelta(days=1), time.min, account.zone)
    rows = Booking.objects.filter(account=account, page__binned_at=None, starts_at__lt=until)
    rows = rows.filter(Booking.live(clock.now()), starts_at__gte=since - timedelta(days=1), outcome=Outcome.UNKNOWN)
    expected = rows.filter(ends_at__gte=since).order_by("starts_at", "id")[: MOST_FOUND + 1]
    return [Person(*row) for row in expected.values_list("name", "email")]


def of(account: Account, wanted: Wanted, day: date) -> list[Known]:
    """Of each the visits of that day, or else the next one."""
    ids = [row[0] for row in _near(account, day) if wanted.holds(Person(row[1], row[2]))]
    rows = Booking.objects.filter(pk__in=ids).select_related("page").order_by("starts_at", "id")
    each: dict[str, list[Booking]] = {}
    for one in rows if ids else ():
        each.setdefault(name_key.key(one.name), []).append(one)
    return [known for theirs in each.values() for known in _of_one(theirs, day)]


def _of_one(theirs: Sequence[Booking], day: date) -> list[Known]:
    now = clock.now()
    live = [one for one in theirs if one.is_live(now)]
    on_day = [one for one in live if one.local_date == day]
    if on_day:
        return [_on_day(one, day, now) for one in on_day]
    gone = [one for one in theirs if one.local_date == day]
    if gone:
        told = {Status.CANCELLED: "Cancelled", Status.EXPIRED: "Expired"}[gone[0].state(now)]
        return [_known(gone[0], State.BAD, f"{told}: {_clock(gone[0])} today", more=gone[0].reason)]
    return [
        _known(one, State.SOON, f"Not today: booked {day_told(one.local_date, day)}, {_clock(one)}") for one in live[:1]
    ]


def _on_day(one: Booking, day: date, now: datetime) -> Known:
    if one.status == Status.PENDING:
        what = "your answer" if one.waiting_for == Waiting.APPROVAL else "their payment"
        return _known(one, State.SOON, f"{_clock(one)} today waits for {what}", at=one.starts_at)
    if one.outcome == Outcome.ATTENDED:
        return _known(one, State.GOOD, f"Came, booked {_clock(one)} today")
    if one.outcome == Outcome.NO_SHOW:
        return _known(one, State.SOON, f"Marked as not come, {_clock(one)} today", act="came")
    act = "came" if one.may_have_come(now) else ""
    if one.ends_at <= now:
        return _known(one, State.SOON, f"Was booked {_clock(one)} today, which is over", act=act)
    return _known(one, State.GOOD, f"Booked {_clock(one)} today", act=act, at=one.starts_at)


def _known(one: Booking, state: State, told: str, **more: Any) -> Known:
    beside = more.pop("more", "")
    return Known(
        person=Person(one.name, one.email),
        state=state,
        words=told,
        page=one.owners_path,
        more=" · ".join(part for part in (one.service_name, beside, one.note) if part),
        id=one.pk,
        **more,
    )


def _clock(one: Booking) -> str:
    return f"{one.starts_at.astimezone(one.page.zone):%H:%M}"


def _asks(account: Account, day: date) -> Missing | None:
    page = account.booking_pages.filter(binned_at=None).order_by("pk").first()
    return Missing("No booking today", f"/app/booking/{page.pk}/book", "Book") if page else None


def _came(account: Account, id: str) -> dict[str, Any]:
    """Raises ToolError for who is known to have come."""
    one = booking_of(account, id)
    if one.outcome == Outcome.ATTENDED:
        raise ToolError(f"{one.name} came already")
    return {"page_id": one.page_id, "items": [{"id": one.pk, "outcome": Outcome.ATTENDED.value, "notify": False}]}


DOOR = Door(
    found=found,
    of=of,
    asks=_asks,
    acts=[Act(name="came", label="Came", tool=save_bookings, arguments=_came, told="Came to the booking.")],
)
