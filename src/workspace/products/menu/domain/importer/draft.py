"""A menu that people bring along, as a text or a table: what was understood of it, and what has to be asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.lib import money
from workspace.lib.tabular import csv_table

MAX_CHARACTERS = 200_000
# what a line can be, as the one who brings it says
SECTION, DISH, ABOUT, OUT, MEND = "section", "dish", "about", "out", "mend"
# how that stands in the text, so that it is read so from then on
LINE_PREFIXES = {SECTION: "# ", DISH: "- ", ABOUT: "> ", MEND: ""}
_CURRENCY_SIGNS = "€$£¥₹₺₽₩₪₫₴฿"
_CURRENCY = rf"(?:[{_CURRENCY_SIGNS}]|CHF|EUR|USD|GBP|Fr\.|kr\.?|zł|Kč|Ft|lei|TL)"
_NUMBER = r"(?:\d{1,3}(?:[.’'\u00a0\u202f]\d{3})+(?:[.,٫]\d{1,3})?|\d{1,7}(?:[.,٫]\d{1,3})?)(?:[.,]\s?[-–—]{1,2})?"
_FROM = re.compile(r"(?:from|ab|desde|da|dès|à partir de|a partir de)\s+", re.IGNORECASE)


@dataclass(slots=True)
class DraftDish:
    """`number`: its line. `fields`: as `svc_menu_save_items` takes them; `id` of one that it changes, or empty.
    `letters`: codes of allergens, of which nobody has said yet what they mean. `in_text`: whether it comes from a line
    of text, where a code that is no allergen stays behind its words."""

    number: int
    section: str
    fields: dict[str, Any]
    id: str = ""
    letters: list[str] = field(default_factory=list)
    in_text: bool = False


@dataclass(frozen=True, slots=True)
class UnclearLine:
    """A line that was not understood. `guess`: how it was taken so far; MEND: it stands nowhere until it is changed."""

    number: int
    text: str
    reason: str
    guess: str = MEND


@dataclass(slots=True)
class MenuDraft:
    """`about`: descriptions of sections, by their names. `is_table`: whether a line names columns. `legend`: what its
    own legend says of codes, as allergens or NO_ALLERGEN. `warnings`: cells that are not saved."""

    dishes: list[DraftDish] = field(default_factory=list)
    about: dict[str, str] = field(default_factory=dict)
    unclear: list[UnclearLine] = field(default_factory=list)
    note: str = ""
    warnings: list[str] = field(default_factory=list)
    is_table: bool = False
    legend: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineChoice:
    """What somebody said of a line: its `original` and `current` text, and what it is."""

    original: str
    current: str
    kind: str


def apply_choices(text: str, choices: Mapping[int, LineChoice]) -> str:
    """The text with what was said of its lines; what was said of another line than stands there counts for nothing."""
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
    """How prices are written: in which currency, and with which mark between thousands (`typed.thousands_mark`)."""

    currency: str
    thousands: str = ""

    @property
    def pattern(self) -> str:
        """A pattern of a price as people write it: `8,50`, `€ 8.50`, `8,- EUR`."""
        own = "|".join(
            re.escape(one) for one in {self.currency, money.CURRENCY_SIGNS.get(self.currency, self.currency)}
        )
        sign = rf"(?:{own}|{_CURRENCY})"
        return rf"(?:{sign}\s?)?{_NUMBER}(?:\s?{sign})?"

    def parse_price(self, text: str) -> str:
        """Return the amount in plain digits. Raise ValueError with a text for people."""
        return money.format_decimal(money.parse_to_minor_units(text, self.currency, self.thousands), self.currency)


def parse_price_fields(text: str, prices: PriceFormat) -> dict[str, Any]:
    """The fields of a price that stands alone: `8,50`, `from 8,50 €`. Raises ValueError with a text for people."""
    found = _FROM.match(text)
    number = text[found.end() :] if found else text
    return {"price": prices.parse_price(number), **({"price_from": True} if found else {})}


def parse_choices(text: str, prices: PriceFormat) -> list[dict[str, str]]:
    """`Small 9.50; Large 14.00`, a backslash before a semicolon that belongs to a name. Raises ValueError."""
    found = []
    for piece in re.split(r"(?<!\\);", text):
        if one := re.fullmatch(rf"(?s)\s*(.*\S)\s+({prices.pattern})\s*", piece):
            name = re.sub(r"\\(.)", r"\1", one[1])
            found.append({"name": name, "price": prices.parse_price(one[2])})
        elif piece.strip():
            raise ValueError(
                f"“{csv_table.shorten_text(piece.strip())}” is no name with a price, such as: Small 9.50; Large 14"
            )
    return found


def format_choices(choices: Sequence[tuple[str, str]]) -> str:
    """The same the other way: names with their prices."""
    escaped = [(name.replace("\\", "\\\\").replace(";", "\\;"), price) for name, price in choices]
    return "; ".join(f"{name} {price}" for name, price in escaped)
