"""Importing a list of people.

Columns are recognized by their headings, or assigned by the owner. Each line becomes a recipient in the format of
`svc_certs_issue`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular.list_table import ListTable
from workspace.products.certs import messages
from workspace.products.certs.domain.recipient_input import Recipient, parse_recipient_rows
from workspace.products.certs.rules.recipient_list_headings import DAY_PATTERN, RECIPIENT_LIST
from workspace.publishing.list_columns import open_list

LIST_NAME = "certs.recipients"
NAME_FIELDS = frozenset({"name", "first_name", "last_name"})
DAY_FIELDS = ("date", "expires_on")
_TIME_PATTERN = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(:00)?")


def parse_recipient_list(
    account: Account, text: str, columns: Mapping[str, str], day_order: str, *, has_heading: bool = False
) -> tuple[list[Recipient], ListTable]:
    """Parse a list.

    `day_order` is dmy, mdy or "" and applies to dates such as 3/4/2026. Raise InvalidInputError at `csv`, or at
    `csv.LINE.FIELD` for each invalid cell.
    """
    sheet = open_list(account, LIST_NAME, RECIPIENT_LIST, text, columns, has_heading=has_heading)
    if not sheet.rows:
        raise InvalidInputError.at_path("csv", messages.RECIPIENTS_NEEDED)
    if not NAME_FIELDS & set(sheet.fields):
        raise InvalidInputError.at_path("csv", messages.NAME_COLUMN_NEEDED)
    rows = [(row.number, row.cells) for row in sheet.rows]
    return parse_recipient_rows(build_recipients(rows, day_order)), sheet


def list_ambiguous_days(sheet: ListTable) -> list[str]:
    """Return dates such as 3/4/2026, unless another date shows the order of day and month."""
    cells = [row.cells[name] for row in sheet.rows for name in DAY_FIELDS if name in row.cells]
    return [] if _find_day_order(cells) else [cell for cell in cells if _is_ambiguous_day(cell)]


def build_recipients(
    rows: Sequence[tuple[int, Mapping[str, str]]], day_order: str = ""
) -> list[tuple[int, dict[str, Any]]]:
    """Return the recipients with their line numbers. Numeric dates are converted to YYYY-MM-DD."""
    days = [cells[name] for _, cells in rows for name in DAY_FIELDS if name in cells]
    order = day_order or _find_day_order(days)
    return [
        (
            number,
            {name: _normalize_day(cell, order) if name in DAY_FIELDS else cell for name, cell in cells.items()},
        )
        for number, cells in rows
    ]


def _find_day_order(days: Sequence[str]) -> str:
    """Return the order that all dates with a clear order have in common, or ""."""
    matches = [match for day in days if "." not in day and (match := DAY_PATTERN.fullmatch(day.strip()))]
    clear = [(int(match[1]), int(match[2])) for match in matches if len(match[1]) < 4 and len(match[3]) == 4]
    found = {"dmy" if first > 12 else "mdy" for first, second in clear if (first > 12) != (second > 12)}
    return found.pop() if len(found) == 1 else ""


def _is_ambiguous_day(cell: str) -> bool:
    match = DAY_PATTERN.fullmatch(cell.strip())
    if not match or len(match[1]) == 4 or len(match[3]) != 4 or "." in cell:
        return False
    first, second = int(match[1]), int(match[2])
    return first <= 12 and second <= 12 and first != second


def _normalize_day(cell: str, order: str) -> str:
    """Return a numeric date as YYYY-MM-DD, and any other text unchanged. If it has periods, the day comes first."""
    if time := _TIME_PATTERN.fullmatch(cell.strip()):
        return time[1]
    match = DAY_PATTERN.fullmatch(cell.strip())
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
