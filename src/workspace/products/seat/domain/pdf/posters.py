"""Posters and lists: all guests by surname or by table, in letters as large as the sheet allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from workspace.products.seat.domain.pdf.print_chart import PrintChart, PrintGuest, table_label
from workspace.products.seat.rules import alphabetical_names

_MAX_COLUMNS, _MAX_LETTER_MM, _MIN_LETTER_MM = 8, 9.0, 1.7  # of a poster; letters in millimeters on A3
_LINE_HEIGHT = 1.16  # height of a line relative to its letters, measured


def build_surname_poster(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    return _build_names_poster(chart, size, group_by_surname(chart))


def build_first_name_poster(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    return _build_names_poster(chart, size, group_by_first_name(chart))


def _build_names_poster(chart: PrintChart, size: tuple[float, float], groups: list[dict[str, Any]]) -> dict[str, Any]:
    lines = sum(len(group["lines"]) for group in groups)
    return {
        "lead": gettext("Find your name, find your table"),
        "foot": chart.day_and_venue,
        "whole": False,
        "groups": groups,
        "sizes": _letter_sizes(size, lines + 1.9 * len(groups), groups),
    }


def build_table_poster(chart: PrintChart, size: tuple[float, float]) -> dict[str, Any]:
    groups = []
    for table in chart.tables:
        names = sorted((guest.name for guest in chart.guests_at(table)), key=alphabetical_names.name_sort_key)
        if names:
            groups.append({"head": table_label(table.name), "lines": [{"name": name, "table": ""} for name in names]})
    return {
        "lead": gettext("Find your table"),
        "foot": chart.day_and_venue,
        "whole": True,
        "groups": groups,
        "sizes": _letter_sizes(size, sum(len(group["lines"]) + 1.9 for group in groups), groups),
    }


def group_by_surname(chart: PrintChart, *, seated_only: bool = True, **more: Any) -> list[dict[str, Any]]:
    """Return all guests, grouped by the first letter of their surnames."""
    shown = [
        (alphabetical_names.format_by_surname(guest.name, guest.sort_name, chart.name_order), guest)
        for guest in chart.guests
    ]
    return _group_by_letter(chart, shown, seated_only=seated_only, **more)


def group_by_first_name(chart: PrintChart) -> list[dict[str, Any]]:
    """Return all guests who have a table, grouped by the first letter of their first names."""
    return _group_by_letter(
        chart,
        [(alphabetical_names.format_by_first_name(guest.name, chart.name_order), guest) for guest in chart.guests],
    )


def _group_by_letter(
    chart: PrintChart, shown_guests: Sequence[tuple[str, PrintGuest]], *, seated_only: bool = True, **more: Any
) -> list[dict[str, Any]]:
    listed = sorted(shown_guests, key=lambda guest: alphabetical_names.name_sort_key(guest[0]))
    groups: list[dict[str, Any]] = []
    for shown, guest in listed:
        table = _table_name(chart, guest)
        if seated_only and not table:
            continue
        head = alphabetical_names.heading_letter(shown)
        if not groups or groups[-1]["head"] != head:
            groups.append({"head": head, "lines": []})
        groups[-1]["lines"].append({"name": shown, "table": table, **{name: of(guest) for name, of in more.items()}})
    return groups


def _table_name(chart: PrintChart, guest: PrintGuest) -> str:
    """Return the guest's table as lists show it: `7`, or its name."""
    return next((table.name for table in chart.tables if table.id == guest.table), "")


def _letter_sizes(
    size: tuple[float, float], lines: float, groups: Sequence[Mapping[str, Any]]
) -> list[tuple[int, float]]:
    """Return numbers of columns with letter sizes in millimeters, largest first. The layout tries them in turn.

    Most names fit on one line at full size. The longest names are printed smaller.
    """
    wide, high = size[0] * 0.89, size[1] * 0.79
    lengths = sorted(len(line["name"]) + 1.4 * len(line["table"][:8]) for group in groups for line in group["lines"])
    letters = max(8.0, lengths[len(lengths) * 19 // 20] if lengths else 8.0) * 0.54 + 1.2
    results = []
    for count in range(1, _MAX_COLUMNS + 1):
        across = wide / (count * letters + (count - 1) * 2.2)
        down = high * count / max(1.0, lines * _LINE_HEIGHT)
        best = min(across, down, _MAX_LETTER_MM * size[0] / 297)
        results += [(count, best * share) for share in (1.0, 0.93, 0.86, 0.75, 0.6)]
    stored = [(count, round(value, 3)) for count, value in results if value >= _MIN_LETTER_MM]
    return [*sorted(stored, key=lambda item: -item[1])[:16], (_MAX_COLUMNS, _MIN_LETTER_MM)]
