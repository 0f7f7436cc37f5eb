"""What seating charts hold of people. A guest who is erased leaves their chair; wishes that name them go."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import Held
from workspace.products.seat.models import Chart, CheckIn, Guest, Run, Step, Table, Wish
from workspace.publishing.privacy import part, thing

_HOME = "/app/seat"


def _forget(account: Account, found: Sequence[Guest]) -> None:
    ids = {guest.pk for guest in found}
    charts = {guest.chart_id: guest.chart for guest in found}
    for chart in charts.values():
        gone = [wish.pk for wish in chart.wishes.all() if ids & set(wish.between)]
        Wish.objects.filter(pk__in=gone).delete()
        chart.runs.all().delete()
    Guest.objects.filter(pk__in=ids).delete()
    Chart.touched_many(list(charts.values()))


PERSONAL = [
    Held(
        model=Guest,
        noun="guest of a seating chart",
        rows=lambda account: Guest.objects.filter(chart__account=account).select_related(
            "chart__account", "chart__publication"
        ),
        theirs=("email", "phone"),
        drop=_forget,
        settle=lambda account, rows: Guest.index_many(rows),
        page=lambda guest: f"{_HOME}/{guest.chart_id}",
        under="chart__publication",
    ),
    part(Table, "chart", "table"),
    part(Wish, "chart", "wish"),
    Held(
        model=CheckIn,
        noun="tick at the door",
        rows=lambda account: CheckIn.objects.filter(guest__chart__account=account),
    ),
    Held(model=Step, noun="step of a chart", rows=lambda account: Step.objects.filter(chart__account=account)),
    Held(model=Run, noun="search for a seating", rows=lambda account: Run.objects.filter(chart__account=account)),
    thing(Chart, "seating chart", home=_HOME),
]
