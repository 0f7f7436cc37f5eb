"""Lengths as an owner reads and writes them: centimetres, or feet and inches."""

from __future__ import annotations

import re

from workspace.lib.errors import InvalidInput

INCH, FOOT = 2.54, 30.48
_FEET = re.compile(
    r"(?:(?P<feet>\d+(?:[.,]\d+)?)\s*(?:ft|feet|foot|['′’])\s*)?"
    r"(?:(?P<inches>\d+(?:[.,]\d+)?)\s*(?:in|inch|inches|\"|″|”)?)?"
)
_CENTIMETRES = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>cm|m)?")


def shown(value: float, units: str) -> str:
    """`183`, or `6′ 0″`."""
    if units != "ft":
        return f"{round(value):d}"
    inches = round(value / INCH)
    return f"{inches // 12}′ {inches % 12}″"


def read(text: str, units: str, at: str) -> float:
    """In centimetres. In feet a bare number is feet. Raises InvalidInput."""
    text = text.strip().lower()
    if units == "ft":
        found = _FEET.fullmatch(text)
        if found and (found["feet"] or found["inches"]):
            feet, inches = _number(found["feet"]), _number(found["inches"])
            bare = found["feet"] is None and re.fullmatch(r"[\d.,]+", text)
            return feet * FOOT + inches * (FOOT if bare else INCH)
        raise InvalidInput.at(at, "Write it in feet and inches, such as 6 ft 2 in")
    found = _CENTIMETRES.fullmatch(text)
    if not found:
        raise InvalidInput.at(at, "Write it in centimetres, such as 183")
    return _number(found["number"]) * (100 if found["unit"] == "m" else 1)


def _number(text: str | None) -> float:
    return float(text.replace(",", ".")) if text else 0.0
