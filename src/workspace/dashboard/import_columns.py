"""The columns of a list that is brought along, as a page asks about them. Each has a select `column-PLACE`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from workspace.lib.tabular.heading_matcher import letter_of
from workspace.lib.tabular.list_table import LEFT_OUT, Sheet
from workspace.lib.text import counted

LEAVE_OUT = (LEFT_OUT, "Leave it out")


@dataclass(frozen=True, slots=True)
class Choices:
    """`columns`: what the owner said that differs from what was understood, by number from 1 as the tools take it.
    `sheet`: the list read so. `headed`: whether the owner said that the first line names the columns."""

    sheet: Sheet
    columns: dict[str, str]
    headed: bool

    @property
    def undecided(self) -> list[str]:
        """The names of the columns of which nobody has said what they are."""
        return [one.name for one in self.sheet.asked]


def read_choices(
    request: HttpRequest, open_list: Callable[[Mapping[str, str], bool], Sheet], fields: Sequence[str]
) -> Choices:
    """What was posted of the columns. `open_list` reads the list by what is said of its columns, and by whether its
    first line names them."""
    was_asked = "columns-shown" in request.POST
    headed = "columns-headed" in request.POST
    sheet = open_list({}, headed)
    if sheet.may_be_headed and not was_asked:
        headed, sheet = True, open_list({}, True)
    said = {
        str(one.place + 1): chosen
        for one in sheet.columns
        if (chosen := request.POST.get(f"column-{one.place}", "")) in fields and chosen and chosen != one.field
    }
    return Choices(open_list(said, headed) if said else sheet, said, headed)


def show_columns(choices: Choices, labels: Sequence[tuple[str, str]], problem: str = "") -> dict[str, Any]:
    """For `dashboard/parts/list_columns.html`. `problem`: what keeps the list from being saved."""
    sheet = choices.sheet
    columns = [
        {
            "place": one.place,
            "heading": one.heading or f"Column {letter_of(one.place)}",
            "field": one.field,
            "sample": one.sample,
            "is_asked": one.is_asked,
            "filled": counted(one.filled, "cell"),
        }
        for one in sheet.columns
    ]
    return {
        "items": sorted(columns, key=lambda one: not one["is_asked"]),
        "labels": [*labels, LEAVE_OUT],
        "is_open": bool(problem or choices.undecided),
        "problem": problem,
        "asks_headed": bool(sheet.columns) and (choices.headed or not sheet.is_headed),
        "headed": choices.headed,
    }
