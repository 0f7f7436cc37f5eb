"""Lengths as owners read and write them: centimeters, or feet and inches."""

from __future__ import annotations

import re

from workspace.lib.errors import InvalidInputError
from workspace.products.seat import messages

INCH_CM, FOOT_CM = 2.54, 30.48
_FEET_PATTERN = re.compile(
    r"(?:(?P<feet>\d+(?:[.,]\d+)?)\s*(?:ft|feet|foot|['′’])\s*)?"
    r"(?:(?P<inches>\d+(?:[.,]\d+)?)\s*(?:in|inch|inches|\"|″|”)?)?"
)
_CENTIMETERS_PATTERN = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>cm|m)?")


def format_length(value: float, units: str) -> str:
    """Format a length, such as `183` or `6′ 0″`."""
    if units != "ft":
        return f"{round(value):d}"
    inches = round(value / INCH_CM)
    return f"{inches // 12}′ {inches % 12}″"


def parse_length(text: str, units: str, path: str) -> float:
    """Parse a length into centimeters.

    If the unit is feet, a number without a unit is in feet. Raise InvalidInputError if the text is not a length.
    """
    text = text.strip().lower()
    if units == "ft":
        match = _FEET_PATTERN.fullmatch(text)
        if match and (match["feet"] or match["inches"]):
            feet, inches = _parse_number(match["feet"]), _parse_number(match["inches"])
            bare = match["feet"] is None and re.fullmatch(r"[\d.,]+", text)
            return feet * FOOT_CM + inches * (FOOT_CM if bare else INCH_CM)
        raise InvalidInputError.at_path(path, messages.FEET_NEEDED)
    match = _CENTIMETERS_PATTERN.fullmatch(text)
    if not match:
        raise InvalidInputError.at_path(path, messages.CENTIMETERS_NEEDED)
    return _parse_number(match["number"]) * (100 if match["unit"] == "m" else 1)


def _parse_number(text: str | None) -> float:
    return float(text.replace(",", ".")) if text else 0.0
