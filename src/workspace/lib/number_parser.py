"""Numbers in all common formats: 12,50 and 12.50, 1.234,50 and 1,234.50, 1 234,50 and 1'234.50.

Arabic and full-width digits are supported. An ambiguous number is rejected with a question and never guessed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from workspace.lib import error_messages

MAX_LENGTH = 40
MAX_DIGITS = 15  # that a JSON number can store exactly
_MARKS = {
    "٫": "d",  # the Arabic decimal separator
    **dict.fromkeys("٬'’‘ʼ`´ \t\u00a0\u2009\u202f\u2007", " "),  # only used as thousands separators
    **dict.fromkeys("-−–—", "-"),
    **dict.fromkeys("\u200e\u200f\u061c", ""),
    "，": ",",
    "．": ".",
    "＋": "+",
    "－": "-",
}
_WHOLE_AMOUNT = re.compile(r"[.,]\s*--?$")  # 12,- and 12.–
_SHAPE = re.compile(r"([+-]?) ?([0-9]*(?:[., d][0-9]+)*)[.,]?")


class AmbiguousNumberError(ValueError):
    """The text is ambiguous.

    `decimal_reading` is its value if the separator is decimal, and `thousands_reading` if it separates thousands.
    """

    def __init__(self, part: str, text: str, message: str) -> None:
        super().__init__(message)
        self.decimal_reading = part
        self.thousands_reading = text


def parse_number(
    text: str, decimals: int | None = None, thousands: str = "", usual_decimals: int | None = None
) -> Decimal:
    """Parse a number that a person wrote.

    `decimals` is the maximum number of decimals: 0 for whole numbers, None for any. Raise ValueError with a
    human-readable message, which asks for clarification if the number is ambiguous, such as 1,234. If three or more
    decimals are allowed, a point is the decimal separator, because this service writes numbers that way.

    `thousands` is the thousands separator of the person's country, `.` or `,`. Before three digits, it is never the
    decimal separator. `usual_decimals` is the usual number of decimals, if more are allowed.
    """
    found = _normalize_marks(text)
    parts = found and _split_decimals(
        found[1], _MarkRules(decimals, decimals if usual_decimals is None else usual_decimals, thousands)
    )
    if not found or not parts:
        raise ValueError(error_messages.NUMBER_EXPECTED(example=_example_number(decimals)))
    sign, (whole, fraction) = found[0], (parts[0], parts[1].rstrip("0"))
    if decimals is not None and len(fraction) > decimals:
        if decimals == 0:
            raise ValueError(error_messages.WHOLE_NUMBER_EXPECTED)
        raise ValueError(error_messages.TOO_MANY_DECIMALS(decimals=decimals, example=_example_number(decimals)))
    if len(whole.lstrip("0")) + len(fraction) > MAX_DIGITS:
        raise ValueError(error_messages.NUMBER_TOO_LONG)
    return Decimal(f"{sign}{whole or 0}.{fraction or 0}")


def format_for_input(number: float | Decimal) -> str:
    """Format a number for a form's input so that `parse_number` reads it correctly in every country.

    Exponents such as 1e-07 are never used, and three decimals get a fourth one, because 1.125 can be read as 1125.
    """
    text = f"{Decimal(repr(number)) if isinstance(number, float) else number:f}"
    return f"{text}0" if re.search(r"\.[0-9]{3}$", text) else text


def _example_number(decimals: int | None) -> str:
    return "12" if decimals == 0 else f"12.{'50'.ljust(decimals or 0, '0')[: decimals or 2]}"


def _normalize_marks(text: str) -> tuple[str, str] | None:
    """Return the sign, and the digits in ASCII with one character per kind of separator.

    `.` and `,` are unchanged, a space can only separate thousands, and `d` can only be decimal.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(error_messages.NUMBER_TOO_LONG)
    plain = "".join(_normalize_character(char) for char in text).strip()
    plain = re.sub(" +", " ", _WHOLE_AMOUNT.sub("", plain))
    found = _SHAPE.fullmatch(plain)
    if not found or not any(map(str.isdigit, plain)):
        return None
    return found[1].replace("+", ""), found[2]


def _normalize_character(char: str) -> str:
    if char in _MARKS:
        return _MARKS[char]
    digit = unicodedata.decimal(char, None)
    # letters must not be mistaken for the characters with a meaning
    return str(digit) if digit is not None else char.replace("d", "?")


@dataclass(frozen=True, slots=True)
class _MarkRules:
    """The rules for a single separator before three digits."""

    decimals: int | None
    usual: int | None
    thousands: str


def _split_decimals(body: str, marks_mean: _MarkRules) -> tuple[str, str] | None:
    """Return the digits before and after the decimal separator, or None if the separators are invalid."""
    marks = re.findall(r"[^0-9]", body)
    groups = re.split(r"[^0-9]", body)
    if not marks:
        return body, ""
    *earlier, last = marks
    if last != " " and last not in earlier and len(set(earlier)) <= 1 and "d" not in earlier:
        if earlier:
            return ("".join(groups[:-1]), groups[-1]) if _are_thousands(groups[:-1]) else None
        return _split_single_mark(groups[0], last, groups[1], marks_mean)
    return ("".join(groups), "") if len(set(marks)) == 1 and _are_thousands(groups) else None


def _split_single_mark(head: str, mark: str, tail: str, means: _MarkRules) -> tuple[str, str]:
    """Split a number at its only separator, which is decimal unless three digits follow as in thousands."""
    if mark == "d" or len(tail) != 3 or not 1 <= len(head) <= 3 or head.startswith("0"):
        return head, tail
    if means.decimals == 0 or mark == means.thousands:
        return head + tail, ""
    if mark == "." and (means.usual is None or means.usual >= 3):
        return head, tail
    if means.decimals == means.usual:
        part = f"{head}.{tail if means.decimals is None else tail[: means.decimals]}"
    else:
        # two or four decimals can never be thousands
        part = f"{head}.{tail[:2]}" if tail.endswith("0") else f"{head}.{tail}0"
    raise AmbiguousNumberError(part, head + tail, f"Do you mean {part} or {head},{tail}? Enter {part} or {head}{tail}")


def _are_thousands(groups: list[str]) -> bool:
    """Return whether the groups have three digits each, or two before the last three as in 12,34,567."""
    first, *rest = groups
    if not 1 <= len(first) <= 3 or first.startswith("0") or len(rest[-1]) != 3:
        return False
    sizes = {len(group) for group in rest[:-1]}
    return sizes <= {3} or (sizes == {2} and len(first) <= 2)
