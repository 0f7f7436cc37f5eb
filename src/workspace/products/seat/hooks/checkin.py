"""Check-in of seating guests: their table, and whether they have arrived.

Charts are included on the day of their event. A chart without a date is included while it is being edited.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.seat import messages
from workspace.products.seat.api.bulk_tools import save_guests
from workspace.products.seat.models import Chart, Guest, Reply
from workspace.publishing.checkin import (
    CheckinAction,
    CheckinMatch,
    CheckinPerson,
    CheckinQuery,
    CheckinSearch,
    CheckinSource,
    CheckinState,
    MissingItem,
    OfflineList,
    format_day,
)
from workspace.publishing.diets import DIETS

LOOKAHEAD = timedelta(days=7)
RECENT_EDIT_PERIOD = timedelta(days=7)
DAY_START_HOUR = 6  # hour until which the previous night's event continues
MAX_CHARTS = 10
MAX_SEARCHED = 5000  # guests of these charts that are searched
MAX_RESULTS = 30


def _list_charts(account: Account, day: date) -> dict[str, Chart]:
    """Return the charts of that day first, then upcoming ones."""
    now = clock.now()
    first = day - timedelta(days=1) if now.astimezone(account.zone).hour < DAY_START_HOUR else day
    near = Q(date__range=(first, day + LOOKAHEAD)) | Q(date=None, updated_at__gte=now - RECENT_EDIT_PERIOD)
    rows = account.seating_charts.filter(near, binned_at=None).order_by("date", "pk")[:MAX_CHARTS]
    return {chart.pk: chart for chart in rows}


def _list_guests(account: Account, day: date) -> tuple[dict[str, Chart], list[tuple[str, str, str, str]]]:
    """Return the charts, and the id, name, email and phone of their guests."""
    charts = _list_charts(account, day)
    rows = Guest.objects.filter(chart__in=charts, placeholder=False)
    return charts, list(rows.values_list("pk", "name", "email", "phone")[:MAX_SEARCHED]) if charts else []


def search_people(account: Account, search: CheckinSearch, day: date) -> list[CheckinMatch]:
    if not search:
        return []
    people = (CheckinMatch(*row[1:]) for row in _list_guests(account, day)[1])
    return list(dict.fromkeys(person for person in people if search.matches_person(person)))[:MAX_RESULTS]


def guests_for(account: Account, query: CheckinQuery, day: date) -> list[CheckinPerson]:
    charts, guests = _list_guests(account, day)
    ids = [row[0] for row in guests if query.matches_person(CheckinMatch(*row[1:]))]
    rows = list(Guest.objects.filter(pk__in=ids).select_related("table")) if ids else []
    order = list(charts)
    rows.sort(key=lambda guest: (order.index(guest.chart_id), guest.pk))
    return [_build_person(row, charts[row.chart_id], account, day) for row in rows]


def _build_person(guest: Guest, chart: Chart, account: Account, day: date) -> CheckinPerson:
    where = _format_place(guest)
    is_now = chart.date is None or chart.date <= day
    act = ""
    if guest.reply == Reply.NO:
        words, state = owner_gettext("Declined"), CheckinState.BAD if is_now else CheckinState.SOON
    elif not is_now and chart.date is not None:
        words = owner_gettext("%(place)s, %(day)s") % {"place": where, "day": format_day(chart.date, day)}
        state = CheckinState.SOON
    elif guest.checked_in_at is not None:
        time_text = f"{guest.checked_in_at.astimezone(account.zone):%H:%M}"
        words = owner_gettext("%(place)s, checked in at %(time)s") % {"place": where, "time": time_text}
        state = CheckinState.GOOD
    else:
        words, act = owner_gettext("%(place)s, not checked in") % {"place": where}, "here"
        state = CheckinState.GOOD if guest.table else CheckinState.SOON
    meals = ", ".join(meal for meal in guest.meals if meal)
    diet = ", ".join(DIETS[value].english_name if value in DIETS else value for value in guest.diet)
    return CheckinPerson(
        person=CheckinMatch(guest.name, guest.email),
        state=state,
        words=words,
        page=f"/app/seat/{chart.pk}/guest/{guest.pk}",
        more=" · ".join(part for part in (chart.title, guest.party, meals) if part),
        flags=[owner_gettext("Diet: %(diets)s") % {"diets": diet}] if diet else [],
        act=act,
        id=guest.pk,
    )


def _format_place(guest: Guest) -> str:
    """Return a guest's table, with the chair if it has a number."""
    if guest.table is None:
        return owner_gettext("No table yet")
    if not guest.seat:
        return guest.table.label
    return owner_gettext("%(table)s, chair %(number)s") % {"table": guest.table.label, "number": guest.seat}


def _find_missing(account: Account, day: date) -> MissingItem | None:
    chart = next(
        (chart for chart in _list_charts(account, day).values() if chart.date is None or chart.date <= day), None
    )
    if chart is None:
        return None
    text, button = owner_gettext("Not on the guest list"), owner_gettext("Add guest")
    return MissingItem(text, f"/app/seat/{chart.pk}/door", button)


def _offline_lists(account: Account, day: date) -> list[OfflineList]:
    """Return the check-in lists of charts whose event is now."""
    charts = (chart for chart in _list_charts(account, day).values() if chart.date is None or chart.date <= day)
    return [OfflineList(chart.title, f"/app/seat/{chart.pk}/door") for chart in charts]


def _checkin_arguments(account: Account, id: str) -> dict[str, Any]:
    """Return the arguments of the check-in tool. Raise NotFoundError if there is no such guest."""
    chart = Guest.objects.filter(pk=id, chart__account=account).values_list("chart", flat=True).first()
    if chart is None:
        raise NotFoundError(messages.GUEST_NOT_FOUND)
    return {"event_id": chart, "items": [{"id": id, "arrived": True}]}


CHECKIN_SOURCE = CheckinSource(
    search_people=search_people,
    people_for=guests_for,
    find_missing=_find_missing,
    offline_lists=_offline_lists,
    actions=[
        CheckinAction(
            name="here",
            label=owner_gettext_lazy("Check in"),
            tool=save_guests,
            arguments=_checkin_arguments,
            done_message=owner_gettext_lazy("Checked in."),
        )
    ],
)
