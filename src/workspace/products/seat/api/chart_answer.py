"""The answer with a chart's full content, which most of its tools return."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from workspace.accounts.models import Account
from workspace.lib.text import escape_markdown, format_count
from workspace.products.seat import messages
from workspace.products.seat.api.response_types import ChartContents, GuestCountsData
from workspace.products.seat.api.serializers import chart_detail, object_data, serialize_preferences, serialize_tables
from workspace.products.seat.api.text import (
    chart_facts,
    format_object,
    format_preference,
    format_table,
    list_under,
)
from workspace.products.seat.domain import guest_counts, solver_snapshot, spacing_warnings
from workspace.products.seat.domain.queries import (
    all_guests_for,
    get_chart_with_counts,
    objects_for,
    preferences_for,
    tables_for,
)
from workspace.tools.answer import Answer, format_bullets, format_fact_list


def chart_answer(account: Account, id: str, title: str) -> Answer[ChartContents]:
    chart = get_chart_with_counts(account, id)
    standing, people = tables_for(chart), all_guests_for.fetch(chart)
    rows = serialize_tables(standing, people)
    items = [object_data(table) for table in objects_for.fetch(chart)]
    wishes = preferences_for.fetch(chart)
    seen = solver_snapshot.build_snapshot(chart, standing, people, wishes)
    said = spacing_warnings.find_warnings(chart, standing)
    said += [
        str(
            messages.APART_AT_ONE_TABLE(
                name=guest.name,
                other=other.name,
                table=next(table.label for table in standing if table.pk == guest.table_id),
            )
        )
        for guest, other in solver_snapshot.find_separation_conflicts(wishes, people)
    ]
    data: ChartContents = {
        "total": len(rows),
        "count": len(rows),
        "offset": 0,
        "has_more": False,
        "items": rows,
        "chart": chart_detail(chart),
        "objects": items,
        "preferences": serialize_preferences(wishes, people, standing),
        "guest_counts": cast(GuestCountsData, asdict(guest_counts.count_guests(people))),
        "unseated": sum(not guest.table for guest in seen.guests),
        "warnings": said,
        "obstacles": solver_snapshot.describe_obstacles(seen),
    }
    return Answer(data, lambda: _format_chart(data, title))


def _format_chart(data: ChartContents, title: str) -> str:
    head = f"{title}: {escape_markdown(data['chart']['title'])}"
    parts = [format_fact_list(head, chart_facts(data["chart"])), "", *format_bullets(data["items"], format_table)]
    parts += format_bullets(data["objects"], format_object)
    if data["preferences"]:
        parts += ["", "Preferences:", *format_bullets(data["preferences"], format_preference)]
    counts = data["guest_counts"]
    sums = [f"{counts['invited']} invited", f"{counts['coming']} coming", f"{counts['waiting']} without a reply"]
    sums += [f"{counts['declined']} declined", *(f"{count} {diet}" for diet, count in counts["diets"].items())]
    parts += ["", f"Guests: {', '.join(sums)}.", f"{format_count(data['unseated'], 'guest')} without a table."]
    parts += list_under("Warnings", map(escape_markdown, data["warnings"]))
    parts += list_under("Reasons why not everyone can be seated", map(escape_markdown, data["obstacles"]))
    return "\n".join(parts)
