"""Opening a list for an import, with the fields that the owner chose for its columns now or earlier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field, StringConstraints
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.tabular.list_parser import parse_list
from workspace.lib.tabular.list_table import CellProblem, ListFormat, ListTable
from workspace.publishing.models import RememberedColumns

ListCsv = Annotated[str, StringConstraints(max_length=1_000_000)]
ListColumnFields = Annotated[
    dict[Annotated[str, StringConstraints(max_length=200)], Annotated[str, StringConstraints(max_length=40)]],
    Field(
        max_length=100,
        description='Fields of the csv columns. Keys are headings, or numbers from 1. "-" skips a column. '
        "Choices are remembered.",
    ),
]


class SkippedCell(TypedDict):
    """A cell that was changed or not saved. `column` is its field, or empty for the whole line."""

    line: int
    column: str
    text: str


def open_list(
    account: Account,
    list_name: str,
    format: ListFormat,
    text: bytes | str,
    columns: Mapping[str, str] | None = None,
    *,
    has_heading: bool = False,
    path: str = "csv",
) -> ListTable:
    """Parse a list. Raise InvalidInputError at `path` or at `PATH.LINE`."""
    format = add_remembered_headings(account, list_name, format)
    return parse_list(text, format, path=path, meaning_by_column=columns, has_heading_row=has_heading)


def add_remembered_headings(account: Account, list_name: str, format: ListFormat) -> ListFormat:
    """Return the format with the headings for which the owner chose a field earlier."""
    known = RememberedColumns.find_fields(account, list_name, format.vocabulary.fields)
    return replace(format, vocabulary=format.vocabulary.with_remembered(known))


def place_issues(refusal: InvalidInputError, numbers: Sequence[int]) -> InvalidInputError:
    """Return the error with `csv.LINE` instead of `items.PLACE`. `numbers` are the line numbers of the items."""
    issues = []
    for issue in refusal.issues:
        root, place, *rest = [*issue.path.split("."), ""]
        is_item = root == "items" and place.isdecimal()
        path = ".".join(["csv", str(numbers[int(place)]), *filter(None, rest)]) if is_item else issue.path
        issues.append(Issue(path, issue.message))
    return InvalidInputError(issues)


def list_skipped_cells(problems: Sequence[CellProblem]) -> list[SkippedCell]:
    return [{"line": one.line, "column": one.field, "text": one.text} for one in problems]
