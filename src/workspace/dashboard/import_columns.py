"""The columns of an imported list, with the selects named `column-PLACE` on a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from workspace.lib.tabular.heading_matcher import column_letters
from workspace.lib.tabular.list_table import SKIP_COLUMN, ListTable
from workspace.lib.text import format_count

LEAVE_OUT_CHOICE = (SKIP_COLUMN, gettext_lazy("Don’t import"))


@dataclass(frozen=True, slots=True)
class ColumnChoices:
    """The owner's choices for the columns of a list.

    `columns` contains the choices that differ from the detected fields, by column number starting at 1, as tools accept
    them. `sheet` is the list parsed with them. `has_header` means that the owner confirmed that the first line names
    the columns.
    """

    sheet: ListTable
    columns: dict[str, str]
    has_header: bool

    @property
    def undecided_columns(self) -> list[str]:
        """The names of columns whose meaning is still unknown."""
        return [one.name for one in self.sheet.unknown_columns]


def parse_column_choices(
    request: HttpRequest, parse_list: Callable[[Mapping[str, str], bool], ListTable], fields: Sequence[str]
) -> ColumnChoices:
    """Parse the posted choices.

    `parse_list` parses the list with these columns, and with or without a header line.
    """
    was_asked = "columns-shown" in request.POST
    headed = "columns-headed" in request.POST
    sheet = parse_list({}, headed)
    if sheet.may_have_heading and not was_asked:
        headed, sheet = True, parse_list({}, True)
    said = {
        str(one.place + 1): chosen
        for one in sheet.columns
        if (chosen := request.POST.get(f"column-{one.place}", "")) in fields and chosen and chosen != one.field
    }
    return ColumnChoices(parse_list(said, headed) if said else sheet, said, headed)


def present_columns(choices: ColumnChoices, labels: Sequence[tuple[str, str]], problem: str = "") -> dict[str, Any]:
    """Return the context of `dashboard/parts/list_columns.html`. `problem` says why the list cannot be saved."""
    sheet = choices.sheet
    columns = [
        {
            "place": one.place,
            "heading": one.heading or gettext("Column %(place)s") % {"place": column_letters(one.place)},
            "field": one.field,
            "sample": one.sample,
            "is_asked": one.needs_meaning,
            "filled": format_count(one.filled_count, "cell"),
        }
        for one in sheet.columns
    ]
    return {
        "items": sorted(columns, key=lambda one: not one["is_asked"]),
        "labels": [*labels, LEAVE_OUT_CHOICE],
        "is_open": bool(problem or choices.undecided_columns),
        "problem": problem,
        "asks_headed": bool(sheet.columns) and (choices.has_header or not sheet.has_heading),
        "headed": choices.has_header,
    }
