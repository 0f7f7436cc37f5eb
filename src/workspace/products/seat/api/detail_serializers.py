"""All that stands on a chart, as the answer of most of its tools."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.lib.text import counted, escape_markdown
from workspace.products.seat.api.response_types import Tables
from workspace.products.seat.api.serializers import chart_whole, object_row, table_rows, wish_rows
from workspace.products.seat.api.text import chart_facts, object_line, table_line, wish_line
from workspace.products.seat.domain import solver_snapshot, spacing
from workspace.products.seat.domain.queries import chart_of, tables_of
from workspace.products.seat.rules.solver.infeasibility import obstacles
from workspace.tools.answer import Answer, bullets, facts

SEARCHED = 60  # guests up to whom clashes are looked for whenever the chart is read; of more when they are arranged


def whole(account: Account, id: str, title: str) -> Answer[Tables]:
    chart = chart_of(account, id)
    standing, people = tables_of(chart), list(chart.guests.all())
    rows = table_rows(standing, people)
    things = [object_row(one) for one in chart.tables.all() if not one.is_table]
    seen = solver_snapshot.snapshot(chart)
    said = spacing.warnings(chart, standing)
    said += [
        f"{one.name} and {other.name} must be apart, and both sit at table "
        f"{next(table.name for table in standing if table.pk == one.table_id)}"
        for one, other in solver_snapshot.together_now(chart)
    ]
    found = obstacles(seen.tables, seen.guests, seen.wishes, searched=len(seen.guests) <= SEARCHED)
    data: Tables = {
        "total": len(rows),
        "count": len(rows),
        "offset": 0,
        "has_more": False,
        "items": rows,
        "chart": chart_whole(chart),
        "objects": things,
        "wishes": wish_rows(chart.wishes.all(), people, standing),
        "unseated": sum(not guest.table for guest in seen.guests),
        "warnings": said,
        "obstacles": [one.text for one in found] if rows else [],
    }
    return Answer(data, lambda: _in_words(data, title))


def _in_words(data: Tables, title: str) -> str:
    name = f"the seating chart {escape_markdown(data['chart']['title'])}"
    head = f"{title} {name}" if title else name[:1].upper() + name[1:]
    parts = [facts(head, chart_facts(data["chart"])), "", *bullets(data["items"], table_line)]
    parts += bullets(data["objects"], object_line)
    if data["wishes"]:
        parts += ["", "Wishes:", *bullets(data["wishes"], wish_line)]
    parts += ["", f"{counted(data['unseated'], 'guest')} without a table."]
    parts += [f"- {line}" for line in (*data["warnings"], *data["obstacles"])]
    return "\n".join(parts)
