"""Validating an answer by the type of its field. Errors are codes.

The browser's `evaluate.js` implements the same rules. Both are tested with `testing/form_cases.json`. Text is `str`,
numbers are `Fraction`, checkboxes and yes/no `bool`, multiple choices and files lists. None means no answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workspace.products.form.rules import field_types, regex_engine
from workspace.products.form.rules.numbers import is_iso_date, parse_number, parse_time

REQUIRED, INVALID, NOT_AN_OPTION = "required", "invalid", "not_an_option"
TOO_SMALL, TOO_LARGE, TOO_FEW, TOO_MANY = "too_small", "too_large", "too_few", "too_many"
TOO_SHORT, TOO_LONG = "too_short", "too_long"
TOO_HEAVY = "too_heavy"  # total size of files
WRONG_KIND = "wrong_kind"  # for a file, on upload
MAX_LENGTHS = {
    "short_text": 500,
    "long_text": 5000,
    "email": 254,
    "phone": 40,
    "url": 2000,
    "address": 1000,
    "hidden": 500,
}
MAX_OTHER_LENGTH, MAX_NAME_LENGTH = 200, 120
MAX_CHOICES, MAX_FILES = 100, 10
MAX_FILE_MB, MAX_TOTAL_MB = 10, 25  # per file, and for all files of a response
MAX_STROKES, MAX_POINTS, MAX_COORDINATE = 200, 10_000, 1000
Field = Mapping[str, Any]
Answer = str | Fraction | bool | list[Any] | dict[str, Any] | None
ReadResult = tuple[Answer, str]  # the value, and the error code or an empty string
_WHITESPACE = " \t\n\r\x0b\x0c\xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
_INVISIBLE_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
# like HTML's `input type=email`, except that the domain must contain a dot
_DOMAIN_LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL_PATTERN = re.compile(rf"[A-Za-z0-9.!#$%&'*+/=?^_`{{|}}~-]{{1,64}}@{_DOMAIN_LABEL}(?:\.{_DOMAIN_LABEL})+")
_PHONE_PATTERN = re.compile(r"\+?[0-9 ()./-]{5,40}")
_URL_PATTERN = re.compile(r"https?://[^\s/?#@]+\.[^\s/?#@]+(?:[/?#]\S*)?", re.IGNORECASE)
_YES_WORDS, _NO_WORDS = ("yes", "true", "1", "on"), ("no", "false", "0", "off")


def parse_answer(field: Field, value: Any, today: str) -> ReadResult:
    """Parse an answer. `today` is an ISO date in the form's time zone."""
    return _READERS[field_types.answer_family(field["type"])](field, value, today)


def fold_case(text: str) -> str:
    """Normalize case and Unicode composition for comparison."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).upper().lower())


def trim_text(text: str) -> str:
    return text.strip(_WHITESPACE)


def _clean_text(value: Any, *, lines: bool) -> str | None:
    if value is None or isinstance(value, bool):
        return "" if value is None else None
    if isinstance(value, (int, float)):
        value = str(value)
    if not isinstance(value, str):
        return None
    text = _INVISIBLE_CHARACTERS.sub("", value.replace("\r\n", "\n").replace("\r", "\n"))
    return trim_text(unicodedata.normalize("NFC", text if lines else text.replace("\n", " ")))


def _parse_text(field: Field, value: Any, today: str) -> ReadResult:
    type = field["type"]
    text = _clean_text(value, lines=type in ("long_text", "address"))
    if text is None:
        return None, INVALID
    if not text:
        return None, ""
    if type == "url" and "://" not in text:
        text = f"https://{text}"
    if len(text) > min(field.get("max_length", MAX_LENGTHS[type]), MAX_LENGTHS[type]):
        return text, TOO_LONG
    if len(text) < field.get("min_length", 0):
        return text, TOO_SHORT
    if type == "email" and not _EMAIL_PATTERN.fullmatch(text):
        return text, INVALID
    if type == "phone" and not (_PHONE_PATTERN.fullmatch(text) and sum(char.isdecimal() for char in text) >= 5):
        return text, INVALID
    if type == "url" and not _URL_PATTERN.fullmatch(text):
        return text, INVALID
    if "program" in field and not regex_engine.matches_pattern(field["program"], text):
        return text, INVALID
    return text, ""


def _parse_number(field: Field, value: Any, today: str) -> ReadResult:
    if value is None or (isinstance(value, str) and not trim_text(value)):
        return None, ""
    result = parse_number(trim_text(value) if isinstance(value, str) else value)
    if result is None:
        return None, INVALID
    if field.get("whole") and result.denominator != 1:
        return result, INVALID
    if "min" in field and result < Fraction(field["min"]):
        return result, TOO_SMALL
    if "max" in field and result > Fraction(field["max"]):
        return result, TOO_LARGE
    if "step" in field and (result - Fraction(field.get("min", "0"))) % Fraction(field["step"]):
        return result, INVALID
    return result, ""


def _parse_yes_no(field: Field, value: Any, today: str) -> ReadResult:
    if value is None or value == "":
        return None, ""
    if isinstance(value, bool):
        return value, ""
    word = fold_case(trim_text(value)) if isinstance(value, str) else ""
    return (True, "") if word in _YES_WORDS else (False, "") if word in _NO_WORDS else (None, INVALID)


def _parse_checkbox(field: Field, value: Any, today: str) -> ReadResult:
    result, code = _parse_yes_no(field, value, today)
    return result or None, code  # an unchecked checkbox is empty


def _parse_date(field: Field, value: Any, today: str) -> ReadResult:
    text = _clean_text(value, lines=False)
    if not text:
        return None, "" if text == "" else INVALID
    if not is_iso_date(text):
        return None, INVALID
    return text, _check_range(field, text, today)


def _parse_time(field: Field, value: Any, today: str) -> ReadResult:
    text = _clean_text(value, lines=False)
    if not text:
        return None, "" if text == "" else INVALID
    try:
        text = parse_time(text)
    except ValueError:
        return None, INVALID
    return text, _check_range(field, text, today)


def _check_range(field: Field, text: str, today: str) -> str:
    least, most = (today if field.get(name) == field_types.TODAY else field.get(name) for name in ("min", "max"))
    return TOO_SMALL if least and text < least else TOO_LARGE if most and text > most else ""


def _parse_option(field: Field, value: Any) -> ReadResult:
    """Parse an option, or the guest's own text if the field allows it.

    That text is given as `{"other": "Text"}` or as plain text.
    """
    is_other = isinstance(value, Mapping)
    text = _clean_text(value.get("other") if is_other else value, lines=False)
    if text is None or (is_other and not field.get("other")):
        return None, NOT_AN_OPTION
    if not text:
        return None, REQUIRED if is_other else ""
    if not is_other and any(option["value"] == text for option in field.get("options", ())):
        return text, ""
    if not field.get("other"):
        return None, NOT_AN_OPTION
    return text, TOO_LONG if len(text) > MAX_OTHER_LENGTH else ""


def _parse_choice(field: Field, value: Any, today: str) -> ReadResult:
    if isinstance(value, list):
        if len(value) > 1:
            return None, TOO_MANY
        value = value[0] if value else None
    return _parse_option(field, value)


def _parse_choices(field: Field, value: Any, today: str) -> ReadResult:
    if value is None or value == "":
        return None, ""
    several = value if isinstance(value, list) else [value]
    if len(several) > MAX_CHOICES:
        return None, TOO_MANY
    results: list[str] = []
    for item in several:
        text, code = _parse_option(field, item)
        if code:
            return None, code
        if isinstance(text, str) and text not in results:
            results.append(text)
    if not results:
        return None, ""
    places = {option["value"]: place for place, option in enumerate(field.get("options", ()))}
    results.sort(key=lambda text: places.get(text, len(places)))
    if len(results) < field.get("min", 0):
        return results, TOO_FEW
    return results, TOO_MANY if len(results) > field.get("max", MAX_CHOICES) else ""


def _parse_files(field: Field, value: Any, today: str) -> ReadResult:
    """Parse the ids of uploads, whose contents were checked when they were uploaded."""
    if value is None or value == "":
        return None, ""
    several = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str) and 0 < len(item) <= 60 for item in several):
        return None, INVALID
    if len(several) > min(field.get("max_files", 1), MAX_FILES):
        return several, TOO_MANY
    return several or None, ""


def _parse_signature(field: Field, value: Any, today: str) -> ReadResult:
    """Parse a typed name, or `{"name": "Ada", "drawn": [[x, y, x, y, …], …]}`.

    Points are in thousandths of the width."""
    data = value if isinstance(value, Mapping) else {"name": value}
    name, drawn = _clean_text(data.get("name"), lines=False), data.get("drawn") or []
    if name is None or len(name) > MAX_NAME_LENGTH or not isinstance(drawn, list) or len(drawn) > MAX_STROKES:
        return None, INVALID
    points = 0
    for stroke in drawn:
        if not isinstance(stroke, list) or len(stroke) % 2 or not all(_is_point(item) for item in stroke):
            return None, INVALID
        points += len(stroke)
    if points > MAX_POINTS:
        return None, INVALID
    if not name and not points:
        return None, ""
    result: dict[str, Any] = {"name": name} if name else {}
    return ({**result, "drawn": drawn} if points else result), ""


def _is_point(item: Any) -> bool:
    return isinstance(item, int) and not isinstance(item, bool) and 0 <= item <= MAX_COORDINATE


_READERS = {
    field_types.TEXT: _parse_text,
    field_types.NUMBER: _parse_number,
    field_types.YES_NO: _parse_yes_no,
    field_types.TICK: _parse_checkbox,
    field_types.CHOICE: _parse_choice,
    field_types.MULTI: _parse_choices,
    field_types.DATE: _parse_date,
    field_types.TIME: _parse_time,
    field_types.FILES: _parse_files,
    field_types.SIGNATURE: _parse_signature,
}
