"""The legend of a pasted menu: `Allergens: A gluten, B crustaceans`, on one line or several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from workspace.owner_translation import owner_gettext
from workspace.products.menu.domain.importer.dish_mark_parser import MONEY_PATTERN, SUPERSCRIPT
from workspace.products.menu.rules.allergen_terms import find_allergens, find_diet, is_additive
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
from workspace.publishing.diets import DIETS

NO_ALLERGEN = "none"
MAX_MEANING_LENGTH = 150
MAX_LINE_LENGTH = 2_000  # characters of a line that may be a legend
_INTRO_PATTERN = re.compile(
    r"\s*[*#_>•-]*\s*(?:(?:list of |our |the )?(?:food )?allergen(?:e|s|en|ic)?(?:[\s-]*(?:information|info|hinweise?|"
    r"kennzeichnung|legende|liste|key|codes?))?|al[ée]rgen\w*|alerg[éê]n\w*|alergias|legend[ea]?|leyenda|key|zusatzstoffe|"
    r"additives|aditivos|zeichenerklärung|kennzeichnung)(?:\s+(?:und|and|y|e|&)\s+\w+)?\s*(?:[:–—=-]|\.?$)\s*",
    re.IGNORECASE,
)
_CODE = r"(?:[A-Z]{1,3}|[a-z]{2,3}(?=[)\]]|\s*=)|[a-z]|\d{1,2}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,2}|[*†‡]{1,3})"
_PAIR_PATTERN = re.compile(rf"[(\[]?({_CODE})[)\]]?(\s*[=:.)–—-]\s*|\s+|(?<=[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰]))(.+)", re.DOTALL)
_SEPARATOR_PATTERN = re.compile(
    rf"\s*[,;|·•\t]\s*|\s+/\s+|\s+(?=[(\[]{_CODE}[)\]]\s*\S)|\s+(?=(?:[A-Z]{{1,2}}|\d{{1,2}})\s*[.)=:]\s*\S)|"
    r"\s+[–—-]\s+(?=[A-Z0-9]{1,2}\s)|\s+(?=[a-z]{1,3}\s?=\s?\S)"
)
_NEXT_CODE_PATTERN = re.compile(r"\s+(?=(?:[A-Z]|\d{1,2})\s+[^\W\d_]{2})")  # "1 Gluten 2 Eggs"
_MIN_PAIRS = 4  # pairs without separators that make a legend if there is no heading


@dataclass(slots=True)
class Legend:
    """A legend.

    `meanings` has an allergen, a diet or NO_ALLERGEN for each code, in capitals. `lines` are the numbers of its lines.
    `other_words` are words on these lines that belong to no code, with the line numbers.
    """

    meanings: dict[str, str] = field(default_factory=dict)
    lines: set[int] = field(default_factory=set)
    other_words: list[tuple[int, str]] = field(default_factory=list)

    @property
    def allergens(self) -> dict[str, str]:
        return {code: key for code, key in self.meanings.items() if key == NO_ALLERGEN or key in ALLERGENS}

    def describe(self) -> str:
        """Describe the legend in a sentence, or return an empty string if there is none."""
        by_name = {key: allergen.english_name for key, allergen in ALLERGENS.items()} | {
            key: diet.english_name for key, diet in DIETS.items()
        }
        none = owner_gettext("no allergen")
        pairs = [f"{code} {by_name.get(key, none).lower()}" for code, key in self.meanings.items()]
        return owner_gettext("Legend found in your text: %(legend)s") % {"legend": ", ".join(pairs)} if pairs else ""


@dataclass(frozen=True, slots=True)
class _LegendLine:
    number: int
    is_intro: bool
    is_bare_intro: bool
    pairs: dict[str, str]
    is_sure: bool
    other_words: tuple[str, ...] = ()


def parse_legend(lines: Sequence[tuple[int, str]]) -> Legend:
    """Parse the legend from numbered lines."""
    legend = Legend()
    legend_lines = [_parse_line(number, text) for number, text in lines]
    for place, line in enumerate(legend_lines):
        if line is None:
            continue
        before = legend_lines[place - 1] if place else None
        after = legend_lines[place + 1] if place + 1 < len(legend_lines) else None
        beside = any(line is not None and (line.pairs or line.is_bare_intro) for line in (before, after))
        if line.pairs and (line.is_sure or beside or (before is not None and before.number in legend.lines)):
            for code, meaning in line.pairs.items():
                legend.meanings.setdefault(code, meaning)
            legend.lines.add(line.number)
            legend.other_words += [(line.number, words) for words in line.other_words]
        elif line.is_bare_intro and after is not None and after.pairs:
            legend.lines.add(line.number)
    return legend


def _parse_line(number: int, text: str) -> _LegendLine | None:
    """Return the codes that a line may explain, or None if it cannot be a legend."""
    if len(text) > MAX_LINE_LENGTH or MONEY_PATTERN.search(text):
        return None
    text = re.sub(r"[ \u00a0]{2,}", " ", text)  # long runs of blanks would make the patterns slow
    intro = _INTRO_PATTERN.match(text)
    body = text[intro.end() :] if intro else text.strip().removeprefix("- ")
    if intro and not body.strip():
        return _LegendLine(number, True, True, {}, False)
    pairs, signed, rest = _parse_pairs(_SEPARATOR_PATTERN.split(body.strip()))
    if len(pairs) < 2:
        closer, _, others = _parse_pairs(_NEXT_CODE_PATTERN.split(body.strip()))
        if len(closer) >= (2 if intro else _MIN_PAIRS):
            pairs, rest = closer, others
    known = {code: meaning for code, meaning in pairs.items() if meaning}
    if not known or 2 * len(known) < len(pairs):
        return None
    is_sure = bool(intro) or len(known) > 1 or (signed and len(body) < 80)
    return _LegendLine(number, bool(intro), False, known, is_sure, tuple(rest))


def _parse_pairs(parts: Sequence[str]) -> tuple[dict[str, str], bool, list[str]]:
    """Return the meanings by code (empty if unknown), whether there is a sign such as `=`, and the other words."""
    pairs: dict[str, str] = {}
    rest: list[str] = []
    signed, last = False, ""
    for part in filter(None, (part.strip(" .") for part in parts)):
        pair = _PAIR_PATTERN.fullmatch(part)
        if pair is None or len(pair[3]) > MAX_MEANING_LENGTH:
            if last and pairs.get(last) == "" and (meaning := _find_meaning(part)):
                pairs[last] = meaning  # "D wheat flour, gluten"
            elif not last or pairs[last] or len(part) > MAX_MEANING_LENGTH:
                rest.append(part)
            continue
        last = pair[1].translate(SUPERSCRIPT).upper()
        pairs.setdefault(last, _find_meaning(pair[3]))
        signed = signed or "=" in pair[2] or not pair[1].isalnum() or part[0] in "(["
    return pairs, signed, rest


def _find_meaning(words: str) -> str:
    if diet := find_diet(words):
        return diet
    allergens = find_allergens(words)
    if len(allergens) == 1:
        return allergens[0]
    return NO_ALLERGEN if not allergens and is_additive(words) else ""
