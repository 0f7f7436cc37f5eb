"""A list of codes as a table: which lines are new, change a code, or change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError
from workspace.lib.tabular.list_table import CellProblem, ListTable
from workspace.products.qr import messages
from workspace.products.qr.rules.code_list_headings import CODE_LIST
from workspace.publishing.list_columns import open_list

LIST_NAME = "qr.codes"
_DYNAMIC = "dynamic"


@dataclass(slots=True)
class CodeListTable:
    """The lines that change something, in the format of svc_qr_save, with their numbers.

    `unchanged_count` is the number of other lines. `skipped` are lines of static codes that the account does not have.
    """

    sheet: ListTable
    items: list[dict[str, Any]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    unchanged_count: int = 0
    skipped: list[CellProblem] = field(default_factory=list)


def parse_code_list(
    account: Account, text: str, columns: Mapping[str, str], *, has_heading: bool = False
) -> CodeListTable:
    """Parse a list. A line of an exported list refers to its code by id, if the account has that code.

    Raise InvalidInputError at `csv`, or at `csv.LINE`.
    """
    sheet = open_list(account, LIST_NAME, CODE_LIST, text, columns, has_heading=has_heading)
    if not sheet.rows:
        raise InvalidInputError.at_path("csv", messages.LIST_EMPTY)
    result = CodeListTable(sheet)
    existing = account.codes.in_bulk([row.cells["id"] for row in sheet.rows if "id" in row.cells])
    for row in sheet.rows:
        code = existing.get(row.cells.get("id", ""))
        cells = {name: cell for name, cell in row.cells.items() if name not in ("id", "kind")}
        if code is None and row.cells.get("kind", _DYNAMIC) != _DYNAMIC:
            result.skipped.append(CellProblem(row.number, "", str(messages.STATIC_LINE_SKIPPED)))
            continue
        if code is not None:
            cells = {name: cell for name, cell in cells.items() if getattr(code, name) != cell}
        if code is not None and not cells:
            result.unchanged_count += 1
            continue
        result.items.append({**({"id": code.pk} if code is not None else {}), **cells})
        result.numbers.append(row.number)
    return result
