"""Marks after a dish or its price: `(A, C)`, `[gluten, milk]`, `contains nuts`, `V`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from workspace.lib.money import CURRENCIES
from workspace.products.menu.rules.allergen_terms import (
    ALLERGEN_NAMES,
    DIET_CODES,
    find_allergens,
    find_diet,
    normalize_name,
)
from workspace.products.menu.rules.diets_and_allergens import CONTAINS, MAY_CONTAIN

CURRENCY_SIGN = r"(?:[€$£¥₹₺₽₩₪₫₴฿]|CHF|EUR|USD|GBP|Fr\.)"
# Certain amounts: with a currency, or with two decimals and no unit. Capital L and G are more likely allergens than
# liters and grams.
_UNIT = r"\s?(?:(?-i:l|g)|cl|ml|dl|kg|gr|cm|mm|vol|uhr|h|hs|am|pm|oz)\b"
MONEY_PATTERN = re.compile(
    rf"(?<![\w.,])(?:{CURRENCY_SIGN}\s?\d{{1,5}}(?:[.,]\d{{1,2}})?|\d{{1,5}}(?:[.,](?:\d{{1,2}}|[-–—]{{1,2}}))?\s?{CURRENCY_SIGN}|"
    rf"[1-9]\d{{0,4}}[.,]\d{{2}}|0[.,]\d0|[1-9]\d{{0,4}}[.,][-–—]{{1,2}})(?![\d\w]|[.,]\d|{_UNIT}|\s?%)",
    re.IGNORECASE,
)
# possible amounts
_LOOSE_AMOUNT = rf"(?<![\w.,])\d{{1,4}}[.,]\d{{1,2}}(?![\d\w]|[.,]\d|{_UNIT}|\s?%)"
AMOUNT_PATTERN = re.compile(f"{MONEY_PATTERN.pattern}|{_LOOSE_AMOUNT}", re.IGNORECASE)
SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MAY_CONTAIN_PATTERN = re.compile(
    r"\s*(?:may contain(?: traces of)?|traces of|kann(?: auch)?(?: spuren von)?|spuren von|"
    r"puede contener(?: trazas de)?"
    r"|trazas de|pode conter(?: vestígios de| traços de)?|vestígios de)\b\s*:?\s*(.+?)(?:\s+enthalten)?\s*",
    re.IGNORECASE,
)
_CONTAINS_PATTERN = re.compile(
    r"\s*(?:contains|enthält|contiene|contém|contem|allerg\w*|al[ée]rg\w*)\b\s*:?\s*(.+)\s*", re.IGNORECASE | re.DOTALL
)
_SEPARATOR_PATTERN = re.compile(r"\s*[,;/+&·|]\s*|\s+(?:and|und|y|e)\s+", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]|[A-Z]{2,3}|\d{1,2}|[*†‡]{1,3}")
_JOINED_CODES = re.compile(r"[A-R]{2,14}")
_GROUP = r"[(\[]([^()\[\]]{1,100})[)\]]"


@dataclass(slots=True)
class DishMarks:
    """The marks of a dish. `letters` are codes whose meaning is not known yet."""

    letters: list[str] = field(default_factory=list)
    allergens: dict[str, str] = field(default_factory=dict)
    diets: list[str] = field(default_factory=list)

    def merge(self, other: DishMarks) -> None:
        self.letters = list(dict.fromkeys([*self.letters, *other.letters]))
        self.allergens = {**other.allergens, **self.allergens}
        self.diets = list(dict.fromkeys([*self.diets, *other.diets]))

    def __bool__(self) -> bool:
        return bool(self.letters or self.allergens or self.diets)


def parse_mark_group(text: str, *, is_bare: bool = False, codes: Collection[str] = ()) -> DishMarks | None:
    """Return the marks if the text consists only of marks, or None otherwise.

    `is_bare` means that there are no brackets, so a single number or lowercase letter is probably not a mark. `codes`
    are those in the legend.
    """
    text = " ".join(text.split()).strip(" .").translate(SUPERSCRIPT)
    if re.fullmatch(r"\d{1,2}(?:-\d{1,2}){2,6}", text):
        text = text.replace("-", " ")
    if is_bare and _are_codes(re.split(r"[\s,;/]+", text), codes):
        text = text.upper()
    if may := _MAY_CONTAIN_PATTERN.fullmatch(text):
        return _parse_allergens(may[1], MAY_CONTAIN)
    if has := _CONTAINS_PATTERN.fullmatch(text):
        return _parse_allergens(has[1], CONTAINS) or parse_mark_group(has[1])
    if text.upper() in CURRENCIES or not text:
        return None
    if _JOINED_CODES.fullmatch(text) and len(set(text)) == len(text) and text not in DIET_CODES:
        return DishMarks(letters=list(text))
    parts = [part for part in _SEPARATOR_PATTERN.split(text) if part]
    if all(_CODE.fullmatch(word if is_bare else word.upper()) for word in text.replace(",", " ").split()):
        parts = text.replace(",", " ").split()
        if is_bare and len(parts) == 1 and parts[0].isdigit():
            return None
    return _parse_parts(parts, is_bare, codes)


def _parse_parts(parts: list[str], bare: bool, codes: Collection[str]) -> DishMarks | None:
    marks = DishMarks()
    for part in parts:
        code = part if bare else part.upper()
        if key := ALLERGEN_NAMES.get(normalize_name(part)):
            marks.allergens[key] = CONTAINS
        elif diet := find_diet(part):
            marks.diets.append(diet)
        elif len(code) == 1 or code.isdigit() or code in DIET_CODES or code in codes or set(code) <= set("*†‡"):
            if not _CODE.fullmatch(code):
                return None
            marks.letters.append(code)
        else:
            return None
    return marks or None


def _are_codes(words: list[str], codes: Collection[str]) -> bool:
    """Return whether words are codes in any case.

    The first word must have a meaning. The others must have one or be single letters.
    """
    known = [word.upper() in DIET_CODES or word.upper() in codes for word in words]
    if len(words) == 1 and len(words[0]) == 1 and words[0].upper() not in codes:
        return False
    return known[0] and all(
        is_known or re.fullmatch(r"[A-Za-z]", word) for word, is_known in zip(words, known, strict=True)
    )


def _parse_allergens(text: str, state: str) -> DishMarks | None:
    """Return the allergens if the text contains only allergen names, or None."""
    parts = [part for part in _SEPARATOR_PATTERN.split(text.strip(" .")) if part]
    results = [find_allergens(part) for part in parts]
    if not parts or not all(results):
        return None
    return DishMarks(allergens={key: state for keys in results for key in keys})


def split_price_marks(line: str, price: str, codes: Collection[str] = ()) -> tuple[str, DishMarks]:
    """Split off the marks after the prices of a line. Return the line and the marks. `price` is a pattern."""
    marks = DishMarks()
    behind = re.compile(rf"(?<![\w.,])({price})\s*{_GROUP}", re.IGNORECASE)

    def remove_marks(match: re.Match[str]) -> str:
        read = parse_mark_group(match[match.lastindex or 0], codes=codes)
        if read is None:
            return match[0]
        marks.merge(read)
        return match[1]

    for _ in range(4):  # "(A, C) (V)"
        shorter = behind.sub(remove_marks, line)
        if shorter == line:
            break
        line = shorter
    *_, last = [None, *MONEY_PATTERN.finditer(line)]
    if last is None:  # a whole number with codes after it
        last = re.match(r".*\s\d{1,4}(?:[.,]\d)?(?=\s+[A-Z](?:[\s,/]+[A-Z])*$)", line)
    if last is not None and (tail := line[last.end() :].strip()) and not _is_size(last[0], tail):
        read = parse_mark_group(tail.lstrip("–—-:,;|· ").strip("()[]"), is_bare=True, codes=codes)
        if read is not None:
            marks.merge(read)
            line = line[: last.end()]
    return line, marks


def _is_size(price: str, tail: str) -> bool:
    """Return whether it is a size such as `0,33 L` or `200 G`."""
    if re.fullmatch(r"\d{1,4}(?:[.,]\d{1,3})?\s?(?:l|cl|ml|g|kg)", tail, re.IGNORECASE):
        return True
    if tail not in ("L", "G") or re.search(CURRENCY_SIGN, price):
        return False
    return price.lstrip().startswith("0") or not re.search(r"[.,](?:\d\d|[-–—]{1,2})$", price)


def split_trailing_marks(text: str, codes: Collection[str] = ()) -> tuple[str, DishMarks]:
    """Split off allergens in brackets at the end of the text: `(contains nuts)`. Return the text and the marks.

    Codes of diets and codes in the legend are also split off: `(v, gf)`, `v n`.
    """
    match = re.search(rf"\s*{_GROUP}\s*$", text[-160:])
    if match is None:
        return _split_bare_codes(text, codes)
    inner, start = match[1], len(text) - len(text[-160:]) + match.start()
    words = re.split(r"[\s,;/]+", inner.strip())
    if start and len(words) > 1 and _are_codes(words, codes):
        return text[:start], parse_mark_group(inner, codes=codes) or DishMarks()
    says = (
        _MAY_CONTAIN_PATTERN.fullmatch(inner) or _CONTAINS_PATTERN.fullmatch(inner) or match[0].strip().startswith("[")
    )
    read = parse_mark_group(inner) if says and start else None
    if read is not None and read.letters:
        read = None  # codes after text become part of the questions about codes
    if read is None:
        diet = find_diet(inner) or DIET_CODES.get(inner.strip().upper(), "")
        return text, DishMarks(diets=[diet] if diet else [])
    return text[:start], read


def _split_bare_codes(text: str, codes: Collection[str]) -> tuple[str, DishMarks]:
    """Split codes without brackets from the end of the text: `Halloumi v gf`. Return the text and the marks."""
    tail = re.search(r"(?:\s+[A-Za-z]{1,3}){1,8}$", text[-60:])
    words = tail[0].split() if tail else []
    while words and not _are_codes(words, codes):
        words = words[1:]
    # a single letter may be a word, or part of a name such as Vitamin C
    is_word = len(words) == 1 and len(words[0]) == 1 and (words[0] in "aeouy" or words[0].isupper())
    shorter = text.rsplit(maxsplit=len(words))[0] if words else ""
    is_size = bool(shorter) and shorter[-1].isdigit()  # "100 g"
    if not words or is_word or is_size or not shorter or len(shorter.split()) + len(words) != len(text.split()):
        return text, DishMarks()
    return shorter, parse_mark_group(" ".join(words).upper(), is_bare=True, codes=codes) or DishMarks()


def parse_marks(text: str) -> DishMarks | None:
    """Parse a line that consists only of marks: `(A, C, G)`, `Allergens: milk`. Return None for other lines."""
    if len(text) > 400:
        return None
    text = " ".join(text.split())  # the patterns get slow with many blanks
    group = re.fullmatch(_GROUP, text)
    if (
        group is None
        and not (_MAY_CONTAIN_PATTERN.fullmatch(text) or _CONTAINS_PATTERN.fullmatch(text))
        and not re.search(r"[A-Z]\s*[,/]\s*[A-Z]\b", text)
    ):
        return None
    return parse_mark_group(group[1] if group else text, is_bare=group is None)


def parse_bracketed_allergens(text: str) -> DishMarks:
    """Parse the allergens named in brackets at the end of a description: `eggs on toast (gluten, milk)`."""
    match = re.search(rf"{_GROUP}\s*$", text[-160:])
    read = parse_mark_group(match[1]) if match else None
    return read if read is not None and not read.letters else DishMarks()
