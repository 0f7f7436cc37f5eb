"""Numbers as people write them: 12,50 and 12.50, 1.234,50 and 1,234.50, 1 234,50 and 1'234.50, also in Arabic and in
full-width digits. What could be two numbers is none: it is asked back, never guessed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

MAX_LENGTH = 40
MAX_DIGITS = 15  # what a number on the wire still holds exactly
_MARKS = {
    "٫": "d",  # the Arabic decimal sign
    **dict.fromkeys("٬'’‘ʼ`´ \t\u00a0\u2009\u202f\u2007", " "),  # only ever between thousands
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
    """A text that can be two numbers: `decimal_reading`, with decimals, or `thousands_reading`, with thousands."""

    def __init__(self, part: str, whole: str, message: str) -> None:
        super().__init__(message)
        self.decimal_reading = part
        self.thousands_reading = whole


def parse_number(text: str, decimals: int | None = None, thousands: str = "", usual: int | None = None) -> Decimal:
    """The number that a person wrote.

    `decimals`: how many it may have, 0 for whole numbers, None for any. Raises ValueError with a text for people, which
    asks where the number could be two: 1,234 is one thousand to some and one and a bit to others. With three decimals
    or any, the point is decimal, as it is where this service writes it.

    `thousands` is the mark between thousands where the person lives, `.` or `,`: before three digits it is never
    decimal. `usual`: how many decimals such a number usually has, if it may have more."""
    found = _normalize_marks(text)
    parts = found and _split_decimals(found[1], _MarkRules(decimals, decimals if usual is None else usual, thousands))
    if not found or not parts:
        raise ValueError(f"Expected a number, such as {_example_number(decimals)}")
    sign, (whole, fraction) = found[0], (parts[0], parts[1].rstrip("0"))
    if decimals is not None and len(fraction) > decimals:
        if decimals == 0:
            raise ValueError("A whole number, please")
        raise ValueError(
            f"At most {decimals} decimal{'' if decimals == 1 else 's'}, such as {_example_number(decimals)}"
        )
    if len(whole.lstrip("0")) + len(fraction) > MAX_DIGITS:
        raise ValueError("This number is too long")
    return Decimal(f"{sign}{whole or 0}.{fraction or 0}")


def format_for_input(number: float | Decimal) -> str:
    """Return the number for an input of a form, so that `parse_number` gives it back in every country: never 1e-07, and
    with a fourth decimal behind three, because 1.125 can be read as a thousand."""
    text = f"{Decimal(repr(number)) if isinstance(number, float) else number:f}"
    return f"{text}0" if re.search(r"\.[0-9]{3}$", text) else text


def _example_number(decimals: int | None) -> str:
    return "12" if decimals == 0 else f"12.{'50'.ljust(decimals or 0, '0')[: decimals or 2]}"


def _normalize_marks(text: str) -> tuple[str, str] | None:
    """The sign, and ASCII digits with one kind of mark for each meaning: `.` and `,` as they are, a space where only
    thousands can be meant, `d` where only decimals can."""
    if len(text) > MAX_LENGTH:
        raise ValueError("This number is too long")
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
    # letters must not pass for the marks that stand for a meaning
    return str(digit) if digit is not None else char.replace("d", "?")


@dataclass(frozen=True, slots=True)
class _MarkRules:
    """What decides about a single mark before three digits."""

    decimals: int | None
    usual: int | None
    thousands: str


def _split_decimals(body: str, marks_mean: _MarkRules) -> tuple[str, str] | None:
    """The digits before and behind the decimal sign; None where the marks make no sense."""
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
    """One mark alone: a decimal sign, unless three digits stand behind it as behind a thousand."""
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
    raise AmbiguousNumberError(part, head + tail, f"Is it {part} or {head},{tail}? Write {part} or {head}{tail}")


def _are_thousands(groups: list[str]) -> bool:
    """Groups of three, or of two before the last three as in 12,34,567."""
    first, *rest = groups
    if not 1 <= len(first) <= 3 or first.startswith("0") or len(rest[-1]) != 3:
        return False
    sizes = {len(group) for group in rest[:-1]}
    return sizes <= {3} or (sizes == {2} and len(first) <= 2)
