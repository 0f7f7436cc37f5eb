"""Importing a list: the table as in the file, a choice above each column, problems in their cells, then one save.

A view uses it like this:

    page = ListImportPage(request, IMPORT)
    page.run(tool, {"event_id": id, "csv": page.text, "columns": page.columns})
    if page.is_saved:
        return redirect_with_message(request, format_result(page.answer), url)
    context = {"list_import": page.present(button=…)}
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.list_upload import read_list_text
from workspace.dashboard.messages import LIST_NEEDED
from workspace.dashboard.session import SignedInRequest
from workspace.lib.errors import InvalidInputError, ToolError, UnavailableError
from workspace.lib.messages import Message
from workspace.lib.tabular.heading_matcher import column_letters
from workspace.lib.tabular.list_parser import build_table, split_list
from workspace.lib.tabular.list_table import SKIP_COLUMN, CellProblem, ListColumn, ListFormat, ListTable
from workspace.owner_translation import OwnerText
from workspace.publishing.list_columns import add_remembered_headings
from workspace.tools.tool import Tool

MAX_SHOWN_ROWS = 50  # from the start of the list
MAX_SHOWN_PROBLEM_ROWS = 100  # rows with problems after these
MAX_LISTED_ERRORS = 10  # errors above the table, besides those in the cells
MAX_CELL_LENGTH = 120  # characters of a shown cell
_TEXT_FIELD = "csv"


@dataclass(frozen=True, slots=True)
class ListImport:
    """What a product declares about its list.

    - `name`, `format`: those that the tool passes to `list_columns.open_list`.
    - `labels`: the fields with their labels, in the order of the choices.
    - `needed`: one of these fields must be in the list. `needed_message` says so.
    - `argument_fields`: the fields of arguments with other names, for errors.
    """

    name: str
    format: ListFormat
    labels: Sequence[tuple[str, OwnerText]]
    needed: frozenset[str]
    needed_message: OwnerText | Message
    argument_fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """The owner's choices for the columns of a list.

    `columns` contains the chosen fields that differ from the detected ones, keyed by column number from 1, as tools
    accept them. `is_headed` is true if the owner says that the first row contains column names. `sheet` is the list
    parsed with these choices.
    """

    sheet: ListTable
    columns: dict[str, str]
    is_headed: bool


def parse_column_choices(
    request: SignedInRequest,
    text: str,
    list_name: str,
    format: ListFormat,
    fields: Collection[str],
    *,
    path: str = _TEXT_FIELD,
) -> ColumnChoices:
    """Parse a list with the posted choices for its columns. Raise InvalidInputError at `path` if it is not a list."""
    format = add_remembered_headings(request.account, list_name, format)
    lines = split_list(text, format, path=path)
    headed = "columns-headed" in request.POST
    sheet = build_table(lines, format, path=path, has_heading_row=headed)
    if sheet.may_have_heading and "columns-shown" not in request.POST and not headed:
        headed, sheet = True, build_table(lines, format, path=path, has_heading_row=True)
    known = {SKIP_COLUMN, *fields}
    # a remembered choice is passed on, too: a second click sends the same arguments as the first, which stored it
    columns = {
        str(one.place + 1): chosen
        for one in sheet.columns
        if (chosen := request.POST.get(f"column-{one.place}", "")) in known
        and (chosen != one.field or one.is_set_by_owner)
    }
    if columns:
        sheet = build_table(lines, format, path=path, meaning_by_column=columns, has_heading_row=headed)
    return ColumnChoices(sheet, columns, headed)


def present_table(
    choices: ColumnChoices | None,
    labels: Sequence[tuple[str, OwnerText]],
    errors: Sequence[CellProblem] = (),
    notes: Sequence[CellProblem] = (),
) -> dict[str, Any]:
    """Return the context of `dashboard/parts/list_import_table.html`: the rows of the file, and their problems."""
    sheet = choices.sheet if choices else ListTable([], [])
    rows, hidden = _present_rows(sheet, [*((one, "bad") for one in errors), *((one, "wait") for one in notes)])
    is_headed = choices is not None and choices.is_headed
    return {
        "columns": [_present_column(one) for one in sheet.columns],
        "choices": [*labels, (SKIP_COLUMN, gettext("Don’t import"))],
        "titles": sheet.titles[:10],
        "rows": rows,
        "hidden": hidden,
        "total": len(sheet.lines),
        "error_count": len({(one.line, one.field) for one in errors}),
        "note_count": len({(one.line, one.field) for one in notes}),
        "asked_count": len(sheet.unknown_columns),
        "is_headed": is_headed,
        "asks_headed": bool(sheet.columns) and (is_headed or not sheet.has_heading),
    }


class ListImportPage:
    """The state of the page.

    `choices` are the choices for the columns. `answer` is the tool's answer to a preview or a save.
    """

    def __init__(self, request: SignedInRequest, declaration: ListImport) -> None:
        """Read the posted list and the choices for its columns."""
        self.request, self.declaration = request, declaration
        self.text, self.note = "", ""
        self.choices: ColumnChoices | None = None
        self.problems: list[str] = []
        self.errors: list[CellProblem] = []
        self.answer: Any = None
        self.is_saved = False
        given = request.POST.get("_once", "")
        self.once = given if 0 < len(given) <= 64 else secrets.token_urlsafe(18)
        if request.method == "POST":
            self._read_list()

    @property
    def is_saving(self) -> bool:
        """Whether the owner saves the list instead of only previewing it."""
        return self.request.POST.get("step") == "save"

    @property
    def status(self) -> int:
        """The HTTP status of the page."""
        return 422 if self.problems or self.errors else 200

    @property
    def sheet(self) -> ListTable | None:
        """The list, or None if nothing was posted or it cannot be parsed."""
        return self.choices.sheet if self.choices else None

    @property
    def columns(self) -> dict[str, str]:
        """The owner's choices for columns, in the form that tools accept."""
        return self.choices.columns if self.choices else {}

    @property
    def is_headed(self) -> bool:
        """Whether the owner stated that the first row contains column names."""
        return self.choices is not None and self.choices.is_headed

    def _read_list(self) -> None:
        declared = self.declaration
        try:
            self.text, self.note = read_list_text(self.request, _TEXT_FIELD)
            if not self.text.strip():
                raise InvalidInputError.at_path(_TEXT_FIELD, LIST_NEEDED)
            fields = [name for name, _ in declared.labels]
            self.choices = parse_column_choices(self.request, self.text, declared.name, declared.format, fields)
        except InvalidInputError as refusal:
            self._add_refusal(refusal)
            return
        self.problems += [str(problem) for problem in self._find_column_problems(self.choices.sheet)]

    def _find_column_problems(self, sheet: ListTable) -> Iterator[str]:
        if not sheet.lines:
            yield str(LIST_NEEDED)
            return
        if not self.declaration.needed & set(sheet.fields):
            yield str(self.declaration.needed_message)
        labels, format = dict(self.declaration.labels), self.declaration.format
        several = {*format.several, format.repeated}  # fields that may have several columns
        used = [self.request.POST.get(f"column-{one.place}", "") for one in sheet.columns]
        for name in dict.fromkeys(used):
            if used.count(name) > 1 and name in labels and name not in several:
                yield gettext("Only one column can be “%(field)s”.") % {"field": labels[name]}
        if self.is_saving and (unknown := sheet.unknown_columns):
            text = gettext("Choose a field or “Don’t import” for these columns: %(columns)s.")
            yield text % {"columns": ", ".join(one.name for one in unknown)}

    def run(self, tool: Tool[Any], arguments: Mapping[str, Any]) -> None:
        """Run the tool, as a preview or to save. Errors are stored at their cells. A repeated save changes nothing."""
        if self.sheet is None or self.problems or self.errors:
            return
        fields = dict(arguments)
        try:
            if self.is_saving:
                key = hashlib.sha256(json.dumps([self.once, fields], sort_keys=True).encode()).hexdigest()
                self.answer = execute_tool(tool, self.request.caller, fields, idempotency_key=f"import:{key}").data
                self.is_saved = True
            else:
                self.answer = execute_tool(tool, self.request.caller, {**fields, "dry_run": True}).data
        except UnavailableError:
            raise
        except ToolError as refusal:
            self._add_refusal(refusal)

    def _add_refusal(self, refusal: ToolError) -> None:
        issues = getattr(refusal, "issues", ())
        if not issues:
            self.problems.append(refusal.message)
        for issue in issues:
            root, line, name = [*issue.path.split("."), "", ""][:3]
            if root == _TEXT_FIELD and line.isdigit():
                field = self.declaration.argument_fields.get(name, name)
                self.errors.append(CellProblem(int(line), field, str(issue.message)))
            else:
                self.problems.append(issue.message)

    def present(self, *, button: OwnerText = "", notes: Sequence[CellProblem] = (), **more: Any) -> dict[str, Any]:
        """Return the context of `dashboard/parts/list_import.html`.

        - `button`: the label of the button that saves the list. Without it, there is no button.
        - `notes`: what the import changes, skips or asks about.
        - `more`: further context, such as the names of templates (see there).
        """
        labels = dict(self.declaration.labels)
        return {
            **present_table(self.choices, self.declaration.labels, self.errors, notes),
            "text": self.text or self.request.POST.get(_TEXT_FIELD, ""),
            "note": " ".join(filter(None, [self.note, self.sheet.note if self.sheet else ""])),
            "once": self.once,
            "error_lines": [_describe_line(one, labels) for one in self.errors[:MAX_LISTED_ERRORS]],
            "problems": self.problems[:20],
            "button": "" if self.errors else button,
            **more,
        }


def _describe_line(problem: CellProblem, labels: Mapping[str, OwnerText]) -> str:
    where = {"line": problem.line, "column": labels.get(problem.field, problem.field), "problem": problem.text}
    if not problem.field:
        return gettext("Line %(line)s: %(problem)s") % where
    return gettext("Line %(line)s, %(column)s: %(problem)s") % where


def _present_column(column: ListColumn) -> dict[str, Any]:
    return {
        "place": column.place,
        "letters": column_letters(column.place),
        "heading": column.heading,
        "name": column.heading or gettext("Column %(place)s") % {"place": column_letters(column.place)},
        "field": column.field,
        "is_asked": column.needs_meaning,
        "is_left_out": column.field == SKIP_COLUMN or (not column.field and not column.needs_meaning),
    }


def _present_rows(sheet: ListTable, problems: Sequence[tuple[CellProblem, str]]) -> tuple[list[dict[str, Any]], int]:
    """Return the first rows, further rows with problems, and the number of hidden rows."""
    by_line: dict[int, list[tuple[CellProblem, str]]] = {}
    for one in problems:
        by_line.setdefault(one[0].line, []).append(one)
    first, others = sheet.lines[:MAX_SHOWN_ROWS], sheet.lines[MAX_SHOWN_ROWS:]
    shown = [*first, *[line for line in others if line[0] in by_line][:MAX_SHOWN_PROBLEM_ROWS]]
    return [_present_row(number, cells, sheet, by_line.get(number, [])) for number, cells in shown], len(
        sheet.lines
    ) - len(shown)


def _present_row(
    number: int, cells: Sequence[str], sheet: ListTable, problems: Sequence[tuple[CellProblem, str]]
) -> dict[str, Any]:
    by_place: dict[int, list[tuple[str, str]]] = {}
    for one, kind in problems:
        places = [column.place for column in sheet.columns if column.field == one.field and one.field]
        filled = [place for place in places if place < len(cells) and cells[place]]
        by_place.setdefault([*filled, *places, -1][0], []).append((one.text, kind))
    return {
        "number": number,
        "problems": by_place.get(-1, []),
        "cells": [
            {
                "text": cells[column.place][:MAX_CELL_LENGTH] if column.place < len(cells) else "",
                "problems": (found := by_place.get(column.place, [])),
                "kind": found[0][1] if found else "",
                "is_left_out": column.field in ("", SKIP_COLUMN),
            }
            for column in sheet.columns
        ],
    }
