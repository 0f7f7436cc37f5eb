"""What the lines of a menu make together: which are sections, which dishes, and which say more of the one above. Where
that could be either, it is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from workspace.lib.errors import InvalidInput
from workspace.lib.number_fields import thousands_mark
from workspace.lib.tabular.csv_table import short
from workspace.products.menu.domain.importer import allergen_codes
from workspace.products.menu.domain.importer.diet_parser import settle_diets, take_letters_before_prices
from workspace.products.menu.domain.importer.draft import (
    DISH,
    MOST_CHARACTERS,
    OUT,
    SECTION,
    Brought,
    Dish,
    Prices,
    Unclear,
)
from workspace.products.menu.domain.importer.legend_parser import Legend, read_legend
from workspace.products.menu.domain.importer.line_parser import (
    Priced,
    first_priced,
    is_heading,
    may_be_heading,
    price_of_all,
    priced,
)
from workspace.products.menu.domain.importer.mark_parser import (
    AMOUNT,
    SUPERSCRIPT,
    Marks,
    named_in_brackets,
    read_line,
    take_behind_words,
)

MOST_LINES = 3_000
_BULLET = re.compile(r"[*•·‣▪◦●–—-]\s+")
_SIGNS = re.compile(r"\s?(?:[*†‡]{1,3}|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}(?:[,\s][⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})*)(?!\w)")
_EMPHASIS = re.compile(r"(?<!\S)[*_]([^\s*_]{1,20})[*_](?!\S)")  # *V*
_RULE = re.compile(r"[=\-_*~.·•–—#\s]{3,}")


@dataclass(frozen=True, slots=True)
class _Line:
    """`after_gap`: whether it begins a paragraph; `found`: what it says with a price, or what is wrong with that."""

    number: int
    text: str
    raw: str
    after_gap: bool
    bulleted: bool
    found: Priced | ValueError | None
    is_legend: bool = False
    common: Priced | None = None  # a section whose dishes all have this price


def read(text: str, currency: str, country: str = "") -> Brought:
    """The country decides what 7.800 means. Raises InvalidInput at `text` for one that is too long."""
    if len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES:
        told = f"At most {MOST_LINES:,} lines of {MOST_CHARACTERS:,} characters at once: bring it in parts, please"
        raise InvalidInput.at("text", told)
    legend = read_legend([(n, raw) for n, raw in enumerate(text.split("\n"), start=1) if raw.strip()])
    prices = Prices(currency, thousands_mark(country))
    reading = _Reading(_lines(text, prices, legend), prices)
    for line in reading.lines:
        reading.take(line)
    reading.settle(None)
    reading.close()
    reading.brought.unclear.sort(key=lambda one: one.number)
    take_letters_before_prices(reading.brought.dishes, legend)
    for dish in reading.brought.dishes:
        settle_diets(dish, legend)
    allergen_codes.take(reading.brought, allergen_codes.Meaning(own=legend.allergens))
    reading.brought.legend, reading.brought.note = legend.allergens, legend.told()
    reading.brought.warnings = [
        f"Line {number}: “{short(words)}” is on a line of the legend and is not saved" for number, words in legend.rest
    ]
    return reading.brought


def _lines(text: str, prices: Prices, legend: Legend) -> list[_Line]:
    raws = [(number, raw) for number, raw in enumerate(text.split("\n"), start=1) if raw.strip()]
    if not raws:
        return []
    gaps = [number - earlier - 1 for (number, _), (earlier, _) in zip(raws[1:], raws, strict=False)]
    # mails and Word put an empty line between any two
    most = 1 if gaps and 5 * sum(gap > 0 for gap in gaps) >= 4 * len(gaps) else 0
    lines = []
    for (number, raw), gap in zip(raws, [most + 1, *gaps], strict=True):
        if number in legend.lines:
            lines.append(_Line(number, "", raw, True, False, None, is_legend=True))
            continue
        bullet = _BULLET.match(raw.strip())
        words = raw.strip()[bullet.end() if bullet else 0 :].strip()
        if bullet and re.search(r"\s[*•·–—-]+$", words):
            bullet, words = None, words.rstrip("*•·–—- ") + ":"  # adorned on both sides
        words = re.sub(r"\*\*|__", "", words) if "**" not in legend.meanings else words
        words = words if "*" in legend.meanings else _EMPHASIS.sub(r"\1", words)
        words, signs = _take_signs(words, legend)
        found: Priced | ValueError | None
        try:
            found = priced(raw.strip() if "\t" in raw.strip() else words, prices, legend.meanings)
        except ValueError as problem:
            found = problem
        if isinstance(found, Priced):
            found.marks.letters += signs
        lines.append(_Line(number, words, raw, gap > most, bool(bullet), found))
    for at, (line, below) in enumerate(pairwise(lines)):
        if below.found is None and not below.is_legend and not isinstance(line.found, ValueError):
            lines[at] = replace(line, common=price_of_all(line.text, prices))
    return lines


def _take_signs(words: str, legend: Legend) -> tuple[str, list[str]]:
    """A line without the signs of footnotes that the legend explains: `Pad Thai*`, `Soup ¹,²`."""
    found: list[str] = []

    def take(sign: re.Match[str]) -> str:
        codes = [code.translate(SUPERSCRIPT) for code in re.split(r"[,\s]+", sign[0].strip()) if code]
        if not all(code in legend.meanings for code in codes):
            return sign[0]
        found.extend(codes)
        return ""

    return _SIGNS.sub(take, words), found


class _Reading:
    def __init__(self, lines: list[_Line], prices: Prices) -> None:
        self.lines, self.prices = lines, prices
        self.brought = Brought()
        self.section = ""
        self.headed: _Line | None = None  # the line of the section, while nothing stands in it
        self.common: Priced | None = None  # says what each dish of the section costs
        self.last: Dish | None = None
        self.pending: list[_Line] = []
        dishes = [place for place, line in enumerate(lines[:-1]) if isinstance(line.found, Priced)]
        below = [lines[at + 1] for at in dishes if lines[at + 1].found is None and not lines[at + 1].after_gap]
        # where no empty line tells the sections apart, short words between the dishes may be their names
        self.told = any(line.after_gap for line in lines[1:]) or not all(may_be_heading(line.text) for line in below)
        self.describes = self.told and 2 * len(below) >= len(dishes)  # whether most dishes have words below them

    def take(self, line: _Line) -> None:  # noqa: C901 - one case for each kind of line
        if line.is_legend:
            self.settle(None)
            self.last = None
        elif line.common is not None:
            self.settle(None)
            self.begin(line, line.common.name)
            self.common = line.common
        elif line.text.startswith("#"):
            self.settle(None)
            self.begin(line, line.text.strip("# \t"))
        elif line.text.startswith(">"):
            self.settle(None)
            self.describe(line.text[1:].strip())
        elif _RULE.fullmatch(line.text):
            if self.pending and not line.after_gap:
                self.pending[-1] = _as_heading(self.pending[-1])
        elif isinstance(line.found, ValueError):
            self.settle(None)
            self.ask(line, str(line.found))
        elif line.found is not None:
            self.settle(line.found)
            self.add(line, line.found)
        elif self.common is not None and not self._ends_common(line):
            self.one_of_all(line, self.common)
        elif line.bulleted:
            self.settle(None)
            self.one_dish(line)
        elif self.last is not None and not line.after_gap and (marks := read_line(line.text)) is not None:
            _mark(self.last, marks)
        elif AMOUNT.search(line.text[:2_000]):
            self.settle(None)
            if self.one_dish(line):
                self.ask(line, "There is a price in this line: is this a dish?", DISH)
        else:
            self.pending.append(line)

    def add(self, line: _Line, found: Priced) -> None:
        if found.sizes and self.last is not None and not line.after_gap and "price" not in self.last.fields:
            sizes = found.fields.get("variants") or [{"name": found.name, "price": found.fields.get("price", "")}]
            self.last.fields["variants"] = [*self.last.fields.get("variants", ()), *sizes]
        elif found.name:
            self.dish(line, found.name, found)
            if found.unsure and not line.bulleted:
                self.ask(line, "Words stand behind the price: is this a dish?", DISH)
        elif self.last is not None and not {"price", "variants", "price_note"} & set(self.last.fields):
            self.last.fields |= found.fields
        else:
            self.ask(line, "A price without a name: write both into one line")

    def dish(self, line: _Line, name: str, found: Priced | None = None) -> None:
        self.last = Dish(line.number, self.section, {"name": name, **(found.fields if found else {})}, in_text=True)
        if found is not None:
            _mark(self.last, found.marks)
        self.brought.dishes.append(self.last)
        self.headed = None

    def one_dish(self, line: _Line) -> bool:
        """Read a line as a separate dish. If its price cannot be read, ask about it and return False."""
        try:
            found = first_priced(line.text, self.prices)
        except ValueError as problem:
            self.ask(line, str(problem))
            return False
        self.dish(line, found.name if found else line.text, found)
        return True

    def _ends_common(self, line: _Line) -> bool:
        """Whether a line without a price is no longer of the section whose dishes all cost the same."""
        if is_heading(line.text) or (line.after_gap and self.headed is None):
            self.common = None
        return self.common is None

    def one_of_all(self, line: _Line, common: Priced) -> None:
        if self.last is not None and not line.bulleted and not line.after_gap and line.text[0].islower():
            self.describe(line.text)
            return
        name, marks = take_behind_words(line.text)
        self.dish(line, name, Priced(name, dict(common.fields), marks=marks))
        if "," in name and not line.bulleted:
            self.ask(line, "This line has no price. Is it a dish?", DISH)

    def begin(self, line: _Line, name: str) -> None:
        self.close()
        self.common = None
        self.section, self.headed, self.last = name.strip(" :*=_~–—-") or name, line, None

    def close(self) -> None:
        """What is known of a section when it ends: one without dishes is asked about."""
        if self.headed is not None:
            self.ask(self.headed, "Nothing stands below it: is it a section?", OUT)
            self.headed = None

    def describe(self, words: str) -> None:
        if self.last is not None:
            _mark(self.last, named_in_brackets(words))
            self.last.fields["description"] = " ".join(filter(None, [self.last.fields.get("description"), words]))
        elif self.section:
            self.brought.about[self.section] = " ".join(filter(None, [self.brought.about.get(self.section), words]))

    def ask(self, line: _Line, why: str, guess: str = "mend") -> None:
        self.brought.unclear.append(Unclear(line.number, line.raw, why, guess))

    def settle(self, coming: Priced | None) -> None:
        """What the lines without a price are that stand before a dish, or before something else."""
        lines, self.pending = self.pending, []
        if not lines:
            return
        if coming is not None and (not coming.name or coming.sizes):
            lines = self._name_above(lines)
        paragraphs: list[list[_Line]] = []
        for line in lines:
            if line.after_gap or not paragraphs:
                paragraphs.append([])
            paragraphs[-1].append(line)
        for place, paragraph in enumerate(paragraphs):
            is_below = place == 0 and not paragraph[0].after_gap and self.last is not None
            is_above = place == len(paragraphs) - 1 and coming is not None
            self._paragraph(paragraph, is_below, is_above)

    def _name_above(self, lines: list[_Line]) -> list[_Line]:
        """Take a dish whose price stands on a line of its own, with what describes it; of what is above, nothing is
        left."""
        start = max((place for place, line in enumerate(lines) if line.after_gap), default=0)
        above, own = lines[:start], lines[start:]
        while len(own) > 1 and is_heading(own[0].text):
            above, own = [*above, own[0]], own[1:]
        if above:
            self._paragraph(above, not above[0].after_gap and self.last is not None, is_above=True)
        first, *rest = own
        self.dish(first, first.text)
        for line in rest:
            self.describe(line.text)
        return []

    def _paragraph(self, lines: list[_Line], is_below: bool, is_above: bool) -> None:
        """`is_below`: it follows a dish at once; `is_above`: a dish follows it."""
        describing = is_below
        for place, line in enumerate(lines):
            last = place == len(lines) - 1
            if is_heading(line.text):
                self.begin(line, line.text)
                describing = True
            elif describing and not (
                (is_below or not self.told) and is_above and last and self._may_begin(line, place)
            ):
                self.describe(line.text)
            elif describing:
                self.ask(line, "Is this a section, or does it describe the dish above?", SECTION)
                self.begin(line, line.text)
                self.headed = None
            elif is_above and place == 0 and len(line.text) <= 80:
                self.begin(line, line.text)
                describing = True
            else:
                self.ask(line, "There is no price: what is it?", OUT)

    def _may_begin(self, line: _Line, place: int) -> bool:
        return may_be_heading(line.text) and (place > 0 or not self.describes)


def _mark(dish: Dish, marks: Marks) -> None:
    """Declare on a dish what its marks say."""
    dish.letters = list(dict.fromkeys([*dish.letters, *marks.letters]))
    if marks.allergens:
        dish.fields["allergens"] = {**marks.allergens, **dish.fields.get("allergens", {})}
    if marks.diets:
        dish.fields["dietary_tags"] = list(dict.fromkeys([*dish.fields.get("dietary_tags", ()), *marks.diets]))


def _as_heading(line: _Line) -> _Line:
    return _Line(line.number, f"{line.text.rstrip(':')}:", line.raw, line.after_gap, False, None)
