"""Importing a table of people.

Columns are recognized by their headings, or assigned by the owner. Each line becomes a recipient in the format of
`svc_certs_issue`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.lib.tabular import csv_table
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.certs.domain.pasted_recipients import HEADINGS
from workspace.products.certs.domain.recipient_input import MAX_RECIPIENTS

COLUMN_LABELS = {
    "name": owner_gettext_lazy("Name"),
    "first_name": owner_gettext_lazy("First name"),
    "last_name": owner_gettext_lazy("Last name"),
    "email": owner_gettext_lazy("Email"),
    "course": owner_gettext_lazy("Course"),
    "date": owner_gettext_lazy("Date"),
    "hours": owner_gettext_lazy("Hours"),
    "custom": owner_gettext_lazy("Custom text"),
    "expires_on": owner_gettext_lazy("Valid until"),
    "language": owner_gettext_lazy("Language"),
    "reference": owner_gettext_lazy("Your reference"),
}
DAY_COLUMNS = ("date", "expires_on")
DAY_ORDERS = {
    "dmy": owner_gettext_lazy("Day first: 3/4 is April 3"),
    "mdy": owner_gettext_lazy("Month first: 3/4 is March 4"),
}
MAX_COLUMNS = 30
_DAY_PATTERN = re.compile(r"(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?")
_TIME_PATTERN = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(:00)?")


@dataclass(frozen=True, slots=True)
class RecipientColumn:
    """A column of the table.

    `heading` is empty if the table has no headings. `sample_cells` are its first cells. `meaning` is a key of
    COLUMN_LABELS or empty."""

    place: int
    heading: str
    sample_cells: list[str]
    meaning: str


@dataclass(frozen=True, slots=True)
class RecipientTable:
    """A parsed table. `lines` exclude the heading. Their line numbers are those of a spreadsheet."""

    has_heading: bool
    columns: list[RecipientColumn]
    lines: list[tuple[int, list[str]]]


def parse_recipient_table(
    text: str, *, remembered_meanings: Mapping[str, str], has_heading: bool | None = None
) -> RecipientTable:
    """Parse a table. Raise InvalidInputError if it is not a table, or has too many lines or columns."""
    lines = csv_table.read_grid(text, HEADINGS, max_rows=MAX_RECIPIENTS + 1, path="people")
    if not lines:
        return RecipientTable(False, [], [])
    first = lines[0][1]
    data = {**map_headings_to_columns(), **remembered_meanings}
    meant = [data.get(normalize_heading(cell), "") for cell in first]
    if has_heading is None:
        has_heading = any(meant) and not any("@" in cell for cell in first)
    rest = lines[1:] if has_heading else lines
    width = min(max((len(cells) for _, cells in lines), default=0), MAX_COLUMNS)
    columns, taken = [], set()
    for place in range(width):
        cells = [cells[place] for _, cells in rest if place < len(cells) and cells[place]]
        means = meant[place] if has_heading and place < len(meant) else _guess_column(place, cells)
        means = "" if means in taken else means
        taken.add(means)
        columns.append(
            RecipientColumn(place, first[place] if has_heading and place < len(first) else "", cells[:3], means)
        )
    return RecipientTable(has_heading, columns, rest)


def map_headings_to_columns() -> dict[str, str]:
    return {normalize_heading(name): column for name, column in HEADINGS.items()}


def normalize_heading(heading: str) -> str:
    return re.sub(r"[\s_.:-]+", "", heading).casefold()[:60]


def list_ambiguous_days(table: RecipientTable, column_meanings: Sequence[str]) -> list[str]:
    """Return dates with an ambiguous day and month, such as 3/4/2026."""
    results = []
    for place, column in enumerate(column_meanings):
        if column in DAY_COLUMNS:
            cells = (cells[place] for _, cells in table.lines if place < len(cells))
            results += [cell for cell in cells if _is_ambiguous_day(cell)]
    return results


def build_recipients(
    table: RecipientTable, column_meanings: Sequence[str], day_order: str = ""
) -> list[dict[str, Any]]:
    """Return the recipients of a sheet.

    `column_meanings` are the meanings of its columns, and `day_order` is a key of DAY_ORDERS.
    """
    results = []
    for _, cells in table.lines:
        data = {column: cell for column, cell in zip(column_meanings, cells, strict=False) if column and cell}
        results.append(
            {
                column: _normalize_day(cell, day_order) if column in DAY_COLUMNS else cell
                for column, cell in data.items()
            }
        )
    return results


def is_name_list(table: RecipientTable) -> bool:
    """Return whether the table is a single column without a heading, which means one name per line."""
    return len(table.columns) == 1 and not table.has_heading


def _guess_column(index: int, cells: Sequence[str]) -> str:
    if cells and all("@" in cell for cell in cells):
        return "email"
    if cells and all(_DAY_PATTERN.fullmatch(cell) for cell in cells):
        return "date"
    return "name" if index == 0 else ""


def _is_ambiguous_day(cell: str) -> bool:
    match = _DAY_PATTERN.fullmatch(cell.strip())
    if not match or len(match[1]) == 4 or len(match[3]) != 4 or "." in cell:
        return False
    first, second = int(match[1]), int(match[2])
    return first <= 12 and second <= 12 and first != second


def _normalize_day(cell: str, order: str) -> str:
    """Return a numeric date as YYYY-MM-DD, and any other text unchanged. If it has periods, the day comes first."""
    if time := _TIME_PATTERN.fullmatch(cell.strip()):
        return time[1]
    match = _DAY_PATTERN.fullmatch(cell.strip())
    if not match:
        return cell
    first, second, third = (int(part) for part in match.groups())
    if len(match[1]) == 4:
        return f"{first:04}-{second:02}-{third:02}"
    if len(match[3]) != 4:
        return cell
    is_month_first = "." not in cell and (second > 12 or (order == "mdy" and first <= 12))
    month, day = (first, second) if is_month_first else (second, first)
    return f"{third:04}-{month:02}-{day:02}"
