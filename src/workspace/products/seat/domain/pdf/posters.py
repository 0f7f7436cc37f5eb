"""What stands on posters and lists: everybody by surname, or every table, in letters as large as the sheet allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from workspace.products.seat.domain.pdf.types import Chart, Seated, called
from workspace.products.seat.rules import surnames

_MOST_COLUMNS, _LARGEST, _SMALLEST = 8, 9.0, 1.7  # of a poster; millimetres of its letters on A3
_LINE = 1.16  # how high a line is in its letters, measured


def poster(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    return _of_names(chart, size, by_surname(chart))


def poster_first(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    return _of_names(chart, size, by_first_name(chart))


def _of_names(chart: Chart, size: tuple[float, float], groups: list[dict[str, Any]]) -> dict[str, Any]:
    lines = sum(len(group["lines"]) for group in groups)
    return {
        "lead": gettext("Find your name, find your table"),
        "foot": chart.about,
        "whole": False,
        "groups": groups,
        "sizes": _sizes(size, lines + 1.9 * len(groups), groups),
    }


def poster_tables(chart: Chart, size: tuple[float, float]) -> dict[str, Any]:
    groups = []
    for table in chart.tables:
        names = sorted((guest.name for guest in chart.at(table)), key=surnames.order)
        if names:
            groups.append({"head": called(table.name), "lines": [{"name": name, "table": ""} for name in names]})
    return {
        "lead": gettext("Find your table"),
        "foot": chart.about,
        "whole": True,
        "groups": groups,
        "sizes": _sizes(size, sum(len(group["lines"]) + 1.9 for group in groups), groups),
    }


def by_surname(chart: Chart, *, seated_only: bool = True, **more: Any) -> list[dict[str, Any]]:
    """Everybody under the letter of their surname."""
    shown = [(surnames.listed(guest.name, guest.sort_name, chart.name_order), guest) for guest in chart.guests]
    return _grouped(chart, shown, seated_only=seated_only, **more)


def by_first_name(chart: Chart) -> list[dict[str, Any]]:
    """Return everyone who has a table, under the letter of their first name."""
    return _grouped(chart, [(surnames.by_first_name(one.name, chart.name_order), one) for one in chart.guests])


def _grouped(
    chart: Chart, shown_guests: Sequence[tuple[str, Seated]], *, seated_only: bool = True, **more: Any
) -> list[dict[str, Any]]:
    listed = sorted(shown_guests, key=lambda one: surnames.order(one[0]))
    groups: list[dict[str, Any]] = []
    for shown, guest in listed:
        table = _short(chart, guest)
        if seated_only and not table:
            continue
        head = surnames.letter(shown)
        if not groups or groups[-1]["head"] != head:
            groups.append({"head": head, "lines": []})
        groups[-1]["lines"].append({"name": shown, "table": table, **{name: of(guest) for name, of in more.items()}})
    return groups


def _short(chart: Chart, guest: Seated) -> str:
    """Their table as a list has it: `7`, or its name."""
    return next((table.name for table in chart.tables if table.id == guest.table), "")


def _sizes(size: tuple[float, float], lines: float, groups: Sequence[Mapping[str, Any]]) -> list[tuple[int, float]]:
    """Numbers of columns with the size of their letters in millimetres, the largest letters first: what the layout
    tries in turn. Most names stand on one line as they are; the longest are drawn smaller."""
    wide, high = size[0] * 0.89, size[1] * 0.79
    lengths = sorted(len(line["name"]) + 1.4 * len(line["table"][:8]) for group in groups for line in group["lines"])
    letters = max(8.0, lengths[len(lengths) * 19 // 20] if lengths else 8.0) * 0.54 + 1.2
    found = []
    for count in range(1, _MOST_COLUMNS + 1):
        across = wide / (count * letters + (count - 1) * 2.2)
        down = high * count / max(1.0, lines * _LINE)
        best = min(across, down, _LARGEST * size[0] / 297)
        found += [(count, best * share) for share in (1.0, 0.93, 0.86, 0.75, 0.6)]
    kept = [(count, round(one, 3)) for count, one in found if one >= _SMALLEST]
    return [*sorted(kept, key=lambda one: -one[1])[:16], (_MOST_COLUMNS, _SMALLEST)]
