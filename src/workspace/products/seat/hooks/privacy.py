"""Personal data in seating charts.

Erasing a guest empties their seat and deletes preferences that name them.
"""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.products.seat.models import Chart, CheckIn, Guest, SeatingPreference, SolverRun, Step, Table
from workspace.publishing.privacy import item_table, part_table

_DASHBOARD_PATH = "/app/seat"


def _erase_guests(account: Account, guests: Sequence[Guest]) -> None:
    ids = {guest.pk for guest in guests}
    charts = {guest.chart_id: guest.chart for guest in guests}
    for chart in charts.values():
        removed = [preference.pk for preference in chart.preferences.all() if ids & set(preference.between)]
        SeatingPreference.objects.filter(pk__in=removed).delete()
        chart.solver_runs.all().delete()
    Guest.objects.filter(pk__in=ids).delete()
    Chart.mark_many_changed(list(charts.values()))


PERSONAL_DATA = [
    PersonalTable(
        model=Guest,
        noun="guest of a seating chart",
        rows=lambda account: Guest.objects.filter(chart__account=account).select_related(
            "chart__account", "chart__publication"
        ),
        identity_columns=("email", "phone"),
        delete_rows=_erase_guests,
        after_erase=lambda account, rows: Guest.update_index_many(rows),
        page_url=lambda guest: f"{_DASHBOARD_PATH}/{guest.chart_id}",
        lock_path="chart__publication",
    ),
    part_table(Table, "chart", "table"),
    part_table(SeatingPreference, "chart", "preference"),
    PersonalTable(
        model=CheckIn,
        noun="check-in of a guest",
        rows=lambda account: CheckIn.objects.filter(guest__chart__account=account),
    ),
    PersonalTable(
        model=Step, noun="change of a seating chart", rows=lambda account: Step.objects.filter(chart__account=account)
    ),
    PersonalTable(
        model=SolverRun,
        noun="search for a seating plan",
        rows=lambda account: SolverRun.objects.filter(chart__account=account),
    ),
    item_table(Chart, "seating chart", dashboard_path=_DASHBOARD_PATH),
]
