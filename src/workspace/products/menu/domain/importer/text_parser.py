"""Combining a menu's lines into sections, dishes and descriptions. Ambiguous lines become questions."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from workspace.lib.errors import InvalidInputError
from workspace.lib.number_fields import thousands_mark
from workspace.lib.tabular.csv_table import shorten_text
from workspace.owner_translation import owner_gettext
from workspace.products.menu import messages
from workspace.products.menu.domain.importer import allergen_codes
from workspace.products.menu.domain.importer.diet_parser import extract_name_letters, resolve_diets
from workspace.products.menu.domain.importer.dish_mark_parser import (
    AMOUNT_PATTERN,
    SUPERSCRIPT,
    DishMarks,
    parse_bracketed_allergens,
    parse_marks,
    split_trailing_marks,
)
from workspace.products.menu.domain.importer.draft import (
    DISH,
    MAX_CHARACTERS,
    OUT,
    SECTION,
    DraftDish,
    MenuDraft,
    PriceFormat,
    UnclearLine,
)
from workspace.products.menu.domain.importer.legend_parser import Legend, parse_legend
from workspace.products.menu.domain.importer.line_parser import (
    PricedLine,
    could_be_heading,
    is_heading,
    parse_common_price,
    parse_first_price,
    parse_line,
)

MAX_LINES = 3_000
_BULLET_PATTERN = re.compile(r"[*•·‣▪◦●–—-]\s+")
_SIGNS_PATTERN = re.compile(r"\s?(?:[*†‡]{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?:[,\s][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})*)(?!\w)")
_EMPHASIS_PATTERN = re.compile(r"(?<!\S)[*_]([^\s*_]{1,20})[*_](?!\S)")  # "*V*"
_RULE_PATTERN = re.compile(r"[=\-_*~.·•–—#\s]{3,}")


@dataclass(frozen=True, slots=True)
class _MenuLine:
    """A line of the text.

    `follows_gap` means that it starts a paragraph. `priced` is its parsed price, or the problem with it.
    """

    number: int
    text: str
    raw: str
    follows_gap: bool
    is_bulleted: bool
    priced: PricedLine | ValueError | None
    is_legend: bool = False
    common: PricedLine | None = None  # a section whose dishes all have this price


def parse_text(text: str, currency: str, country: str = "") -> MenuDraft:
    """Parse the text of a menu. The country determines whether 7.800 is a decimal or a whole number.

    Raise InvalidInputError at `text` if it is too long.
    """
    if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
        text_too_long = messages.MENU_TOO_LONG(lines=f"{MAX_LINES:,}", characters=f"{MAX_CHARACTERS:,}")
        raise InvalidInputError.at_path("text", text_too_long)
    legend = parse_legend([(n, raw) for n, raw in enumerate(text.split("\n"), start=1) if raw.strip()])
    prices = PriceFormat(currency, thousands_mark(country))
    reading = _TextReader(_split_lines(text, prices, legend), prices)
    for line in reading.lines:
        reading.process_line(line)
    reading.resolve_pending_lines(None)
    reading.close_section()
    reading.draft.unclear.sort(key=lambda line: line.number)
    extract_name_letters(reading.draft.dishes, legend)
    for dish in reading.draft.dishes:
        resolve_diets(dish, legend)
    allergen_codes.apply_codes(reading.draft, allergen_codes.CodeMeanings(own_meanings=legend.allergens))
    reading.draft.legend, reading.draft.note = legend.allergens, legend.describe()
    reading.draft.warnings = [
        str(messages.TEXT_IN_LEGEND(line=number, text=shorten_text(words))) for number, words in legend.other_words
    ]
    return reading.draft


def _split_lines(text: str, prices: PriceFormat, legend: Legend) -> list[_MenuLine]:
    raws = [(number, raw) for number, raw in enumerate(text.split("\n"), start=1) if raw.strip()]
    if not raws:
        return []
    gaps = [number - earlier - 1 for (number, _), (earlier, _) in zip(raws[1:], raws, strict=False)]
    # emails and Word insert an empty line after every line
    most = 1 if gaps and 5 * sum(gap > 0 for gap in gaps) >= 4 * len(gaps) else 0
    lines = []
    for (number, raw), gap in zip(raws, [most + 1, *gaps], strict=True):
        if number in legend.lines:
            lines.append(_MenuLine(number, "", raw, True, False, None, is_legend=True))
            continue
        bullet = _BULLET_PATTERN.match(raw.strip())
        words = raw.strip()[bullet.end() if bullet else 0 :].strip()
        if bullet and re.search(r"\s[*•·–—-]+$", words):
            bullet, words = None, words.rstrip("*•·–—- ") + ":"  # decorated on both sides
        words = re.sub(r"\*\*|__", "", words) if "**" not in legend.meanings else words
        words = words if "*" in legend.meanings else _EMPHASIS_PATTERN.sub(r"\1", words)
        words, signs = _split_signs(words, legend)
        result: PricedLine | ValueError | None
        try:
            result = parse_line(raw.strip() if "\t" in raw.strip() else words, prices, legend.meanings)
        except ValueError as problem:
            result = problem
        if isinstance(result, PricedLine):
            result.marks.letters += signs
        lines.append(_MenuLine(number, words, raw, gap > most, bool(bullet), result))
    for at, (line, below) in enumerate(pairwise(lines)):
        if below.priced is None and not below.is_legend and not isinstance(line.priced, ValueError):
            lines[at] = replace(line, common=parse_common_price(line.text, prices))
    return lines


def _split_signs(text: str, legend: Legend) -> tuple[str, list[str]]:
    """Split footnote signs that the legend explains from a line: `Pad Thai*`, `Soup ¹,²`.

    Return the line and the signs.
    """
    results: list[str] = []

    def remove_signs(sign: re.Match[str]) -> str:
        codes = [code.translate(SUPERSCRIPT) for code in re.split(r"[,\s]+", sign[0].strip()) if code]
        if not all(code in legend.meanings for code in codes):
            return sign[0]
        results.extend(codes)
        return ""

    return _SIGNS_PATTERN.sub(remove_signs, text), results


class _TextReader:
    def __init__(self, lines: list[_MenuLine], prices: PriceFormat) -> None:
        self.lines, self.prices = lines, prices
        self.draft = MenuDraft()
        self.section = ""
        self.open_heading: _MenuLine | None = None  # the line of the section, while the section has no dishes
        self.common: PricedLine | None = None  # the price of every dish in the section
        self.last: DraftDish | None = None
        self.pending: list[_MenuLine] = []
        dishes = [place for place, line in enumerate(lines[:-1]) if isinstance(line.priced, PricedLine)]
        below = [lines[at + 1] for at in dishes if lines[at + 1].priced is None and not lines[at + 1].follows_gap]
        # if no empty line separates the sections, short lines between dishes may be their names
        self.has_clear_sections = any(line.follows_gap for line in lines[1:]) or not all(
            could_be_heading(line.text) for line in below
        )
        self.has_descriptions = self.has_clear_sections and 2 * len(below) >= len(
            dishes
        )  # whether most dishes have a description below them

    def process_line(self, line: _MenuLine) -> None:  # noqa: C901 - one case for each kind of line
        if line.is_legend:
            self.resolve_pending_lines(None)
            self.last = None
        elif line.common is not None:
            self.resolve_pending_lines(None)
            self.start_section(line, line.common.name)
            self.common = line.common
        elif line.text.startswith("#"):
            self.resolve_pending_lines(None)
            self.start_section(line, line.text.strip("# \t"))
        elif line.text.startswith(">"):
            self.resolve_pending_lines(None)
            self.add_description(line.text[1:].strip())
        elif _RULE_PATTERN.fullmatch(line.text):
            if self.pending and not line.follows_gap:
                self.pending[-1] = _to_heading(self.pending[-1])
        elif isinstance(line.priced, ValueError):
            self.resolve_pending_lines(None)
            self.add_question(line, str(line.priced))
        elif line.priced is not None:
            self.resolve_pending_lines(line.priced)
            self.add_price(line, line.priced)
        elif self.common is not None and not self._is_common_over(line):
            self.add_common_dish(line, self.common)
        elif line.is_bulleted:
            self.resolve_pending_lines(None)
            self.try_add_dish(line)
        elif self.last is not None and not line.follows_gap and (marks := parse_marks(line.text)) is not None:
            _apply_marks(self.last, marks)
        elif AMOUNT_PATTERN.search(line.text[:2_000]):
            self.resolve_pending_lines(None)
            if self.try_add_dish(line):
                self.add_question(line, owner_gettext("This line contains a price. Is it a dish?"), DISH)
        else:
            self.pending.append(line)

    def add_price(self, line: _MenuLine, priced_line: PricedLine) -> None:
        if (
            priced_line.has_only_sizes
            and self.last is not None
            and not line.follows_gap
            and "price" not in self.last.fields
        ):
            sizes = priced_line.fields.get("variants") or [
                {"name": priced_line.name, "price": priced_line.fields.get("price", "")}
            ]
            self.last.fields["variants"] = [*self.last.fields.get("variants", ()), *sizes]
        elif priced_line.name:
            self.add_dish(line, priced_line.name, priced_line)
            if priced_line.is_unsure and not line.is_bulleted:
                self.add_question(line, owner_gettext("This line has text after the price. Is it a dish?"), DISH)
        elif self.last is not None and not {"price", "variants", "price_note"} & set(self.last.fields):
            self.last.fields |= priced_line.fields
        else:
            self.add_question(line, owner_gettext("This price has no name. Write both on one line."))

    def add_dish(self, line: _MenuLine, name: str, priced_line: PricedLine | None = None) -> None:
        self.last = DraftDish(
            line.number, self.section, {"name": name, **(priced_line.fields if priced_line else {})}, in_text=True
        )
        if priced_line is not None:
            _apply_marks(self.last, priced_line.marks)
        self.draft.dishes.append(self.last)
        self.open_heading = None

    def try_add_dish(self, line: _MenuLine) -> bool:
        """Read a line as a separate dish. If its price cannot be parsed, add a question about it and return False."""
        try:
            priced_line = parse_first_price(line.text, self.prices)
        except ValueError as problem:
            self.add_question(line, str(problem))
            return False
        self.add_dish(line, priced_line.name if priced_line else line.text, priced_line)
        return True

    def _is_common_over(self, line: _MenuLine) -> bool:
        """Return whether a line without a price ends a section with a common price."""
        if is_heading(line.text) or (line.follows_gap and self.open_heading is None):
            self.common = None
        return self.common is None

    def add_common_dish(self, line: _MenuLine, common: PricedLine) -> None:
        if self.last is not None and not line.is_bulleted and not line.follows_gap and line.text[0].islower():
            self.add_description(line.text)
            return
        name, marks = split_trailing_marks(line.text)
        self.add_dish(line, name, PricedLine(name, dict(common.fields), marks=marks))
        if "," in name and not line.is_bulleted:
            self.add_question(line, owner_gettext("This line has no price. Is it a dish?"), DISH)

    def start_section(self, line: _MenuLine, name: str) -> None:
        self.close_section()
        self.common = None
        self.section, self.open_heading, self.last = name.strip(" :*=_~–—-") or name, line, None

    def close_section(self) -> None:
        """End the section. If it has no dishes, add a question whether it really is a section."""
        if self.open_heading is not None:
            self.add_question(self.open_heading, owner_gettext("Nothing follows this line. Is it a section?"), OUT)
            self.open_heading = None

    def add_description(self, words: str) -> None:
        if self.last is not None:
            _apply_marks(self.last, parse_bracketed_allergens(words))
            self.last.fields["description"] = " ".join(filter(None, [self.last.fields.get("description"), words]))
        elif self.section:
            self.draft.about[self.section] = " ".join(filter(None, [self.draft.about.get(self.section), words]))

    def add_question(self, line: _MenuLine, reason: str, guess: str = "mend") -> None:
        self.draft.unclear.append(UnclearLine(line.number, line.raw, reason, guess))

    def resolve_pending_lines(self, next_line: PricedLine | None) -> None:
        """Assign the pending lines without a price, which come before a dish or something else."""
        lines, self.pending = self.pending, []
        if not lines:
            return
        if next_line is not None and (not next_line.name or next_line.has_only_sizes):
            lines = self._take_dish_above(lines)
        paragraphs: list[list[_MenuLine]] = []
        for line in lines:
            if line.follows_gap or not paragraphs:
                paragraphs.append([])
            paragraphs[-1].append(line)
        for place, paragraph in enumerate(paragraphs):
            is_below = place == 0 and not paragraph[0].follows_gap and self.last is not None
            is_above = place == len(paragraphs) - 1 and next_line is not None
            self._read_paragraph(paragraph, is_below, is_above)

    def _take_dish_above(self, lines: list[_MenuLine]) -> list[_MenuLine]:
        """Take a dish whose price is on the next line, with its description, from the lines.

        Return the lines above it.
        """
        start = max((place for place, line in enumerate(lines) if line.follows_gap), default=0)
        above, own = lines[:start], lines[start:]
        while len(own) > 1 and is_heading(own[0].text):
            above, own = [*above, own[0]], own[1:]
        if above:
            self._read_paragraph(above, not above[0].follows_gap and self.last is not None, is_above=True)
        first, *rest = own
        self.add_dish(first, first.text)
        for line in rest:
            self.add_description(line.text)
        return []

    def _read_paragraph(self, lines: list[_MenuLine], is_below: bool, is_above: bool) -> None:
        """Read a paragraph.

        `is_below` means that it directly follows a dish, and `is_above` that a dish follows it.
        """
        describing = is_below
        for place, line in enumerate(lines):
            last = place == len(lines) - 1
            if is_heading(line.text):
                self.start_section(line, line.text)
                describing = True
            elif describing and not (
                (is_below or not self.has_clear_sections) and is_above and last and self._can_start_section(line, place)
            ):
                self.add_description(line.text)
            elif describing:
                self.add_question(line, owner_gettext("Is this a section or a description of the dish above?"), SECTION)
                self.start_section(line, line.text)
                self.open_heading = None
            elif is_above and place == 0 and len(line.text) <= 80:
                self.start_section(line, line.text)
                describing = True
            else:
                self.add_question(line, owner_gettext("This line has no price. What is it?"), OUT)

    def _can_start_section(self, line: _MenuLine, place: int) -> bool:
        return could_be_heading(line.text) and (place > 0 or not self.has_descriptions)


def _apply_marks(dish: DraftDish, marks: DishMarks) -> None:
    """Declare the marks on a dish."""
    dish.letters = list(dict.fromkeys([*dish.letters, *marks.letters]))
    if marks.allergens:
        dish.fields["allergens"] = {**marks.allergens, **dish.fields.get("allergens", {})}
    if marks.diets:
        dish.fields["dietary_tags"] = list(dict.fromkeys([*dish.fields.get("dietary_tags", ()), *marks.diets]))


def _to_heading(line: _MenuLine) -> _MenuLine:
    return _MenuLine(line.number, f"{line.text.rstrip(':')}:", line.raw, line.follows_gap, False, None)
