"""Corrections of an import in its table: names, prices and skipped dishes. Also the lines of its text, marked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from workspace.dashboard.tool_views import clean_text
from workspace.lib.number_fields import thousands_mark
from workspace.products.menu.domain.importer.draft import DraftDish, MenuDraft, PriceFormat, UnclearLine

MAX_NAME_LENGTH = 120
MAX_LINES = 600  # lines of the text shown next to the table


@dataclass(slots=True)
class RowEdits:
    """What was typed in the table, by the line of the dish.

    `skipped` are names of dishes that are not imported. `prices` are unreadable prices as typed, and `problems` are
    about them.
    """

    skipped: dict[int, str] = field(default_factory=dict)
    prices: dict[int, str] = field(default_factory=dict)
    problems: dict[int, list[str]] = field(default_factory=dict)


def apply_row_edits(draft: MenuDraft, text: str, posted: Mapping[str, str], currency: str, country: str) -> RowEdits:
    """Apply typed changes to the names and prices of dishes, and remove the skipped dishes.

    Edits are matched to dishes by the text of the line, because answers to questions can change line numbers. Edits of
    a line whose text has changed are ignored.
    """
    edits, lines, rows = RowEdits(), text.split("\n"), _group_rows_by_line(posted)
    prices = PriceFormat(currency, thousands_mark(country))
    remaining = []
    for dish in draft.dishes:
        numbers = rows.get(read_line(lines, dish.number))
        if not numbers:
            remaining.append(dish)
            continue
        begin = f"row.{numbers.pop(0)}"
        if name := clean_text(posted.get(f"{begin}.name", ""), MAX_NAME_LENGTH):
            dish.fields["name"] = name
        if posted.get(f"{begin}.out"):
            edits.skipped[dish.number] = dish.fields["name"]
            continue
        if f"{begin}.price" in posted:
            _apply_price(dish, posted[f"{begin}.price"].strip(), prices, edits)
        remaining.append(dish)
    draft.dishes[:] = remaining
    return edits


def has_plain_price(fields: Mapping[str, Any]) -> bool:
    """Return whether the dish has at most one price, so that the price can be changed in the table."""
    return not fields.get("price_note") and not fields.get("variants")


def present_lines(
    text: str, draft: MenuDraft, edits: RowEdits, questions: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Prepare the lines of the text that are not empty, with their kinds and any questions about them.

    Kinds are `dish`, `section`, `asked`, `skipped` and an empty string for other lines.
    """
    lines = text.split("\n")
    asked = {question["line"].number: question for question in questions}
    unread: dict[int, UnclearLine] = {line.number: line for line in draft.unclear}
    dishes = {dish.number for dish in draft.dishes}
    sections = {_normalize_line(dish.section) for dish in draft.dishes if dish.section}
    result = []
    for number, line in enumerate(lines, start=1):
        if number not in unread and (not line.strip() or number > MAX_LINES):
            continue
        kind = ""
        if number in unread:
            kind = "asked"
        elif number in edits.skipped:
            kind = "skipped"
        elif number in dishes:
            kind = "dish"
        elif _normalize_line(line) in sections:
            kind = "section"
        result.append({"number": number, "text": line, "kind": kind, "question": asked.get(number)})
    return result


def read_line(lines: Sequence[str], number: int) -> str:
    """Return the line with this number, without its line break, or an empty string."""
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


def _group_rows_by_line(posted: Mapping[str, str]) -> dict[str, list[int]]:
    """Return the numbers of the sent rows in order, by the text of their line."""
    found = [(int(row[1]), posted[name]) for name in posted if (row := re.fullmatch(r"row\.([0-9]{1,6})\.was", name))]
    rows: dict[str, list[int]] = {}
    for number, line in sorted(found):
        rows.setdefault(line, []).append(number)
    return rows


def _apply_price(dish: DraftDish, typed: str, prices: PriceFormat, edits: RowEdits) -> None:
    if not has_plain_price(dish.fields):
        return
    if not typed:
        dish.fields.pop("price", None)
        return
    try:
        dish.fields["price"] = prices.parse_price(typed)
    except ValueError as problem:
        edits.prices[dish.number] = typed
        edits.problems[dish.number] = [gettext("Price: %(problem)s") % {"problem": problem}]


def _normalize_line(text: str) -> str:
    return text.strip(" \t\r#*:=_~–—-").casefold()
