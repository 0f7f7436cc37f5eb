"""An imported menu from text or a table: the parts that were understood, and questions about the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.lib import money
from workspace.lib.tabular import csv_table
from workspace.products.menu import messages

MAX_CHARACTERS = 200_000
# the kinds of lines that an owner can choose
SECTION, DISH, ABOUT, OUT, MEND = "section", "dish", "about", "out", "mend"
# prefixes that make the parser read a line as chosen
LINE_PREFIXES = {SECTION: "# ", DISH: "- ", ABOUT: "> ", MEND: ""}
_CURRENCY_SIGNS = "€$£¥₹₺₽₩₪₫₴฿"
_CURRENCY = rf"(?:[{_CURRENCY_SIGNS}]|CHF|EUR|USD|GBP|Fr\.|kr\.?|zł|Kč|Ft|lei|TL)"
_NUMBER = r"(?:\d{1,3}(?:[.’'\u00a0\u202f]\d{3})+(?:[.,٫]\d{1,3})?|\d{1,7}(?:[.,٫]\d{1,3})?)(?:[.,]\s?[-–—]{1,2})?"
_FROM = re.compile(r"(?:from|ab|desde|da|dès|à partir de|a partir de)\s+", re.IGNORECASE)


@dataclass(slots=True)
class DraftDish:
    """A dish of an imported menu.

    `number` is its line. `fields` have the format of `svc_menu_save_items`. `id` is the id of the dish that it changes,
    or empty. `letters` are allergen codes without a known meaning. `in_text` means that it comes from a line of text,
    in which codes that are not allergens remain.
    """

    number: int
    section: str
    fields: dict[str, Any]
    id: str = ""
    letters: list[str] = field(default_factory=list)
    in_text: bool = False


@dataclass(frozen=True, slots=True)
class UnclearLine:
    """A line that was not understood.

    `guess` says how it is read so far. With MEND, it is not used until it is changed.
    """

    number: int
    text: str
    reason: str
    guess: str = MEND


@dataclass(slots=True)
class MenuDraft:
    """The parsed part of a menu.

    `about` has the descriptions of sections by name. `is_table` means that a line names columns. `legend` has the
    meanings in the menu's own legend, as allergens or NO_ALLERGEN. `warnings` are about cells that are not saved.
    """

    dishes: list[DraftDish] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    unclear: list[UnclearLine] = field(default_factory=list)
    note: str = ""
    warnings: list[str] = field(default_factory=list)
    is_table: bool = False
    legend: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineChoice:
    """The owner's choice for a line: its `original` and `current` text, and its kind."""

    original: str
    current: str
    kind: str


def apply_choices(text: str, choices: Mapping[int, LineChoice]) -> str:
    """Apply the owner's choices to the text. Ignore a choice if its original line has changed."""
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        choice = choices.get(number)
        if choice is None or choice.original != line:
            lines.append(line)
        elif choice.kind != OUT:
            now = choice.current.replace("\n", " ").replace("\r", " ")
            mark = LINE_PREFIXES.get(choice.kind, "")
            lines.append(now if now.lstrip().startswith(mark or "\n") else mark + now.lstrip())
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class PriceFormat:
    """The format of prices: the currency, and the thousands separator (`number_fields.thousands_mark`)."""

    currency: str
    thousands: str = ""

    @property
    def pattern(self) -> str:
        """A pattern for prices in common notations: `8,50`, `€ 8.50`, `8,- EUR`."""
        own = "|".join(
            re.escape(value) for value in {self.currency, money.CURRENCY_SIGNS.get(self.currency, self.currency)}
        )
        sign = rf"(?:{own}|{_CURRENCY})"
        return rf"(?:{sign}\s?)?{_NUMBER}(?:\s?{sign})?"

    def parse_price(self, text: str) -> str:
        """Return the amount as plain digits. Raise ValueError with a human-readable message."""
        return money.format_decimal(money.parse_to_minor_units(text, self.currency, self.thousands), self.currency)


def parse_price_fields(text: str, prices: PriceFormat) -> dict[str, Any]:
    """Parse text that consists of a price: `8,50`, `from 8,50 €`. Raise ValueError with a human-readable message."""
    match = _FROM.match(text)
    number = text[match.end() :] if match else text
    return {"price": prices.parse_price(number), **({"price_from": True} if match else {})}


def parse_choices(text: str, prices: PriceFormat) -> list[dict[str, str]]:
    """Parse `Small 9.50; Large 14.00`. Raise ValueError if it is invalid.

    A semicolon in a name is escaped with a backslash.
    """
    results = []
    for piece in re.split(r"(?<!\\);", text):
        if match := re.fullmatch(rf"(?s)\s*(.*\S)\s+({prices.pattern})\s*", piece):
            name = re.sub(r"\\(.)", r"\1", match[1])
            results.append({"name": name, "price": prices.parse_price(match[2])})
        elif piece.strip():
            raise ValueError(str(messages.INVALID_CHOICE(text=csv_table.shorten_text(piece.strip()))))
    return results


def format_choices(choices: Sequence[tuple[str, str]]) -> str:
    """Format names and prices in the notation that `parse_choices` accepts."""
    escaped = [(name.replace("\\", "\\\\").replace(";", "\\;"), price) for name, price in choices]
    return "; ".join(f"{name} {price}" for name, price in escaped)
