"""Allergen codes: the letters and numbers that menus use for allergens, as in `Schnitzel (A, C, G)`.

The lists of codes differ between countries, so the owner is asked once per import. No code is applied before that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from workspace.owner_translation import owner_gettext_lazy
from workspace.products.menu.domain.importer.draft import DraftDish, MenuDraft
from workspace.products.menu.domain.importer.legend_parser import NO_ALLERGEN
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, CONTAINS

_CODE = r"(?:[A-Za-z]|\d{1,2})"
_CODES_ONLY = re.compile(rf"{_CODE}(?:[\s,;/.+]+{_CODE})*\.?")
_JOINED_CODES = re.compile(r"[A-R]{2,14}")
_LETTER_CODE = r"(?:[A-Ra-r]|\d{1,2})"  # (V) is a diet, and (6) a count
_TRAILING_CODES = re.compile(
    rf"(?:\s*[(\[]\s*(?=[^)\]]*[A-Ra-r])({_LETTER_CODE}(?:[\s,;/]+{_LETTER_CODE})*)\s*[)\]]|\s+([A-R](?:\s?[,/]\s?[A-R])+))\s*$"
)
_MAX_TAIL_LENGTH = 100  # characters examined at the end of a text
LETTERS, IGNORE = "letters", "leave"
# The list of Austria's ministry of health, which is also used in much of Germany, and Annex II of Regulation (EU)
# 1169/2011, numbered.
AUSTRIAN_CODES = dict(zip("ABCDEFGHLMNOPR", ALLERGENS, strict=True))
NUMBERED_CODES = dict(zip("ABCDEFGHIJKLMN", ALLERGENS, strict=True)) | {
    str(number): key for number, key in enumerate(ALLERGENS, start=1)
}
CODE_LISTS: dict[str, tuple[str, Mapping[str, str]]] = {
    "a-r": (
        owner_gettext_lazy("A to R, as in Austria: A gluten, C eggs, G milk, L celery, O sulfites"),
        AUSTRIAN_CODES,
    ),
    "counted": (
        owner_gettext_lazy("A to N or 1 to 14, in the order of the EU list: A gluten, G milk, I celery, L sulfites"),
        NUMBERED_CODES,
    ),
    IGNORE: (owner_gettext_lazy("Not allergens"), {}),
}


@dataclass(frozen=True, slots=True)
class CodeMeanings:
    """The meanings chosen by the owner: a list, and individual codes as an allergen's key or NO_ALLERGEN."""

    list_name: str = ""
    own_meanings: Mapping[str, str] | None = None

    def get_meaning(self, code: str) -> str:
        """Return an allergen's key, NO_ALLERGEN, or an empty string if no meaning was chosen."""
        if text := (self.own_meanings or {}).get(code, ""):
            return text
        return NO_ALLERGEN if self.list_name == IGNORE else CODE_LISTS.get(self.list_name, ("", {}))[1].get(code, "")


def parse_code_cell(text: str) -> list[str]:
    """Return the codes in a cell if it contains nothing else: `A, C, G`, `ACG`, `1 3 7`."""
    text = text.strip()
    if _JOINED_CODES.fullmatch(text) and len(set(text)) == len(text):
        return list(text)
    return _split_codes(text) if _CODES_ONLY.fullmatch(text) else []


def list_codes(draft: MenuDraft) -> list[str]:
    """Return all codes in the draft, letters first."""
    results = {
        code
        for dish in draft.dishes
        for code in (*dish.letters, *(c for _, _, cs in _find_trailing_codes(dish) for c in cs))
    }
    return sorted(results, key=lambda code: (code.isdigit(), int(code) if code.isdigit() else 0, code))


def guess_code_list(codes: Sequence[str]) -> str:
    """Return the list that all of these letters belong to, or an empty string if they are ambiguous.

    Numbers next to letters are ignored, because they are usually additives.
    """
    codes = [code for code in codes if code.isalpha()] or codes
    fitting = [name for name in ("a-r", "counted") if all(code in CODE_LISTS[name][1] for code in codes)]
    alike = all(AUSTRIAN_CODES.get(code) == NUMBERED_CODES.get(code) for code in codes)
    return fitting[0] if len(fitting) == 1 or (fitting and alike) else ""


def count_dishes_with_codes(draft: MenuDraft) -> int:
    return sum(bool(dish.letters or list(_find_trailing_codes(dish))) for dish in draft.dishes)


def apply_codes(draft: MenuDraft, meaning: CodeMeanings) -> None:
    """Apply the meanings to dishes whose codes all have a meaning.

    Codes that are not allergens remain in the text of the dish.
    """
    for dish in draft.dishes:
        if not all(
            meaning.get_meaning(code)
            for code in (*dish.letters, *(c for _, _, results in _find_trailing_codes(dish) for c in results))
        ):
            continue
        letters = [*dish.letters]
        for name, words, codes in list(_find_trailing_codes(dish)):
            rest = [code for code in codes if meaning.get_meaning(code) == NO_ALLERGEN]
            if rest != codes:
                dish.fields[name] = f"{words} ({', '.join(rest)})" if rest else words
            letters += codes
        keys = [key for code in dict.fromkeys(letters) if (key := meaning.get_meaning(code)) in ALLERGENS]
        if keys:
            dish.fields["allergens"] = {**dict.fromkeys(keys, CONTAINS), **dish.fields.get("allergens", {})}
        left = [code for code in dish.letters if meaning.get_meaning(code) == NO_ALLERGEN]
        if dish.in_text and left:
            name = "description" if dish.fields.get("description") else "name"
            dish.fields[name] = f"{dish.fields[name]} ({', '.join(left)})"
        dish.letters = []


def _find_trailing_codes(dish: DraftDish) -> Iterator[tuple[str, str, list[str]]]:
    """Yield fields that end in codes: the field, its text without them, and the codes.

    Existing dishes, and dishes from tables with a column for allergens, have no such fields.
    """
    if dish.id or (dish.letters and not dish.in_text) or "allergens" in dish.fields:
        return
    for name in ("name", "description"):
        text = dish.fields.get(name, "")
        start = max(0, len(text) - _MAX_TAIL_LENGTH)
        match = _TRAILING_CODES.search(text[start:])
        if match and start + match.start():
            yield name, text[: start + match.start()], _split_codes(match[1] or match[2])


def _split_codes(text: str) -> list[str]:
    return list(dict.fromkeys(code.upper() for code in re.findall(r"[A-Za-z]|\d{1,2}", text)))
