"""What seating knows of who stands at the door: their table, and whether they are here. It is asked for on the day of
an event; a chart without a date counts as long as it is worked on."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import NotFound
from workspace.lib.text import fold
from workspace.products.seat.api.list_tools import save_guests
from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.publishing.checkin import Act, Door, Kept, Known, Missing, Person, Sought, State, Wanted, day_told
from workspace.publishing.diets import DIETS

AHEAD = timedelta(days=7)
WORKED_ON = timedelta(days=7)
PARTY_ENDS = 6  # o'clock: until then last night's event goes on
MOST_CHARTS = 10
MOST = 5000  # guests of them that are looked through
MOST_FOUND = 30


def _charts(account: Account, day: date) -> dict[str, Chart]:
    """Of that day first, then those to come."""
    now = clock.now()
    first = day - timedelta(days=1) if now.astimezone(account.zone).hour < PARTY_ENDS else day
    near = Q(date__range=(first, day + AHEAD)) | Q(date=None, updated_at__gte=now - WORKED_ON)
    rows = account.seating_charts.filter(near, binned_at=None).order_by("date", "pk")[:MOST_CHARTS]
    return {chart.pk: chart for chart in rows}


def _guests(account: Account, day: date) -> tuple[dict[str, Chart], list[tuple[str, str, str, str]]]:
    """Ids, names, addresses and numbers of who is invited."""
    charts = _charts(account, day)
    rows = Guest.objects.filter(chart__in=charts, placeholder=False)
    return charts, list(rows.values_list("pk", "name", "email", "phone")[:MOST]) if charts else []


def found(account: Account, sought: Sought, day: date) -> list[Person]:
    if not sought:
        return []
    people = (Person(*row[1:]) for row in _guests(account, day)[1])
    return list(dict.fromkeys(person for person in people if sought.fits(person)))[:MOST_FOUND]


def of(account: Account, wanted: Wanted, day: date) -> list[Known]:
    charts, guests = _guests(account, day)
    ids = [row[0] for row in guests if wanted.holds(Person(*row[1:]))]
    rows = list(Guest.objects.filter(pk__in=ids).select_related("table")) if ids else []
    order = list(charts)
    rows.sort(key=lambda one: (order.index(one.chart_id), one.pk))
    return [_known(one, charts[one.chart_id], account, day) for one in rows]


def _known(guest: Guest, chart: Chart, account: Account, day: date) -> Known:
    seat = f", chair {guest.seat}" if guest.seat else ""
    where = f"{_called(guest.table)}{seat}" if guest.table else "No table yet"
    is_now = chart.date is None or chart.date <= day
    act = ""
    if guest.reply == Reply.NO:
        words, state = "Said they do not come", State.BAD if is_now else State.SOON
    elif not is_now and chart.date is not None:
        words, state = f"{where}, {day_told(chart.date, day)}", State.SOON
    elif guest.arrived_at is not None:
        words, state = f"{where}, here since {guest.arrived_at.astimezone(account.zone):%H:%M}", State.GOOD
    else:
        words, state, act = f"{where}, not arrived", State.GOOD if guest.table else State.SOON, "here"
    meals = ", ".join(meal for meal in guest.meals if meal)
    diet = ", ".join(DIETS[one].called if one in DIETS else one for one in guest.diet)
    return Known(
        person=Person(guest.name, guest.email),
        state=state,
        words=words,
        page=f"/app/seat/{chart.pk}/guest/{guest.pk}",
        more=" · ".join(part for part in (chart.title, guest.party, meals) if part),
        flags=[f"Diet: {diet}"] if diet else [],
        act=act,
        id=guest.pk,
    )


def _called(table: Table) -> str:
    return table.name if "table" in fold(table.name) else f"Table {table.name}"


def _asks(account: Account, day: date) -> Missing | None:
    chart = next((one for one in _charts(account, day).values() if one.date is None or one.date <= day), None)
    return Missing("Not on the guest list", f"/app/seat/{chart.pk}/door", "Add a guest") if chart else None


def _kept(account: Account, day: date) -> list[Kept]:
    """The lists of those charts that go on now."""
    charts = (one for one in _charts(account, day).values() if one.date is None or one.date <= day)
    return [Kept(chart.title, f"/app/seat/{chart.pk}/door") for chart in charts]


def _here(account: Account, id: str) -> dict[str, Any]:
    """Raises NotFound."""
    chart = Guest.objects.filter(pk=id, chart__account=account).values_list("chart", flat=True).first()
    if chart is None:
        raise NotFound("There is no such guest")
    return {"event_id": chart, "items": [{"id": id, "arrived": True}]}


DOOR = Door(
    found=found,
    of=of,
    asks=_asks,
    kept=_kept,
    acts=[Act(name="here", label="Arrived", tool=save_guests, arguments=_here, told="Arrived.")],
)
