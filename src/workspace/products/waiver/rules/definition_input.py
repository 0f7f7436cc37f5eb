"""Parsing what owners write: clauses, validity, questions, the kiosk.

Many notations are accepted. All errors are reported together, each at the path that the caller wrote.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from workspace.lib.text import search_key
from workspace.products.waiver import messages
from workspace.products.waiver.rules.flagged_answers import parse_flag_answers
from workspace.products.waiver.rules.validity import Span
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues, ObjectReader, parse_array, parse_flag

MAX_CLAUSES, MAX_QUESTIONS, MAX_OPTIONS = 50, 30, 50
MAX_TEXT_LENGTH, MAX_CLAUSE_LENGTH = 50_000, 10_000
_KEY_PATTERN = re.compile(r"[a-z0-9_]{1,40}")
CLAUSE_KEYS = {
    "key": ("id",),
    "title": ("heading",),
    "text": ("body", "content"),
    "initials": ("requires_initials",),
    "required": (),
}
QUESTION_KEYS = {
    "key": ("id", "name"),
    "label": ("title", "question"),
    "type": (),
    "required": (),
    "help": ("description", "hint"),
    "options": ("choices",),
    "flag": ("alert", "tell_me"),
}
KIOSK_KEYS = {"enabled": ("on",), "pin": (), "reset_seconds": ()}
_UNIT_NAMES = {"day": "days", "month": "months", "year": "years", "week": "weeks"}
_MAX_COUNTS = {"days": 3660, "weeks": 520, "months": 120, "years": 10}
QUESTION_TYPES = {
    **dict.fromkeys(("short_text", "text", "string"), "short_text"),
    **dict.fromkeys(("long_text", "textarea", "paragraph"), "long_text"),
    "email": "email",
    **dict.fromkeys(("phone", "tel"), "phone"),
    "number": "number",
    "date": "date",
    **dict.fromkeys(("yes_no", "boolean"), "yes_no"),
    **dict.fromkeys(("checkbox", "consent"), "checkbox"),
    **dict.fromkeys(("single_choice", "radio", "select", "dropdown"), "single_choice"),
    **dict.fromkeys(("multi_choice", "checkboxes", "multi_select"), "multi_choice"),
}
CHOICE_TYPES = ("single_choice", "multi_choice")


def parse_clauses(value: Any, path: str = "") -> tuple[list[dict[str, Any]], Issues]:
    issues = Issues()
    keys = _KeyRegistry("clause")
    return [
        _parse_clause(item, item_path(path, n), issues, keys)
        for n, item in enumerate(parse_array(value, path, MAX_CLAUSES, issues))
    ], issues


def _parse_clause(value: Any, path: str, issues: Issues, keys: _KeyRegistry) -> dict[str, Any]:
    entry = ObjectReader(value, path, CLAUSE_KEYS, issues, "a clause")
    title = entry.read_key("title", object_parser.line_parser(200), "")
    text = _parse_required(entry, "text", object_parser.lines_parser(MAX_CLAUSE_LENGTH))
    result = {
        "key": keys.claim_key(entry, title or text),
        "title": title,
        "text": text,
        "initials": entry.read_key("initials", parse_flag, False),
        "required": entry.read_key("required", parse_flag, True),
    }
    entry.reject_unknown_keys()
    return result


def parse_questions(value: Any, path: str = "") -> tuple[list[dict[str, Any]], Issues]:
    issues = Issues()
    keys = _KeyRegistry("question")
    results = parse_array(value, path, MAX_QUESTIONS, issues)
    return [_parse_question(item, item_path(path, n), issues, keys) for n, item in enumerate(results)], issues


def _parse_question(value: Any, path: str, issues: Issues, keys: _KeyRegistry) -> dict[str, Any]:
    entry = ObjectReader(value, path, QUESTION_KEYS, issues, "a question")
    label = _parse_required(entry, "label", object_parser.line_parser(500, 1))
    kind = entry.read_key("type", _parse_type, "short_text")
    options: list[str] = []
    unflagged: bool | list[str] = False
    before = len(issues)
    if entry.has_key("options"):
        at = entry.key_path(entry.given_key("options"))
        requested = parse_array(_split_options(entry.values[entry.given_key("options")]), at, MAX_OPTIONS, issues)
        options = [_parse_option(item, item_path(at, n), issues) for n, item in enumerate(requested)]
        for n, option in enumerate(options):
            if option and option in options[:n]:
                issues.add(item_path(at, n), messages.DUPLICATE_OPTION)
    if entry.is_object and kind in CHOICE_TYPES and not options and len(issues) == before:
        entry.add_issue("options", messages.OPTIONS_NEEDED)
    if options and kind not in CHOICE_TYPES:
        entry.add_issue("options", messages.OPTIONS_NOT_ALLOWED)
    result = {
        "key": keys.claim_key(entry, label),
        "label": label,
        "type": kind,
        "required": entry.read_key("required", parse_flag, False),
        "help": entry.read_key("help", object_parser.line_parser(300), ""),
        "options": options,
        "flag": entry.read_key("flag", parse_flag_answers, unflagged),
    }
    entry.reject_unknown_keys()
    return result


def _split_options(value: Any) -> Any:
    """Return the options, which are given as a list or one per line."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    lines = [item.splitlines() if isinstance(item, str) and "\n" in item else [item] for item in value]
    return [item for some in lines for item in some if item != ""]


def _parse_option(value: Any, path: str, issues: Issues) -> str:
    try:
        return object_parser.line_parser(200, 1)(value)
    except ValueError as problem:
        issues.add(path, str(problem))
        return ""


def _parse_type(value: Any) -> str:
    result = QUESTION_TYPES.get(value.strip().lower()) if isinstance(value, str) else None
    if result is None:
        raise ValueError(messages.QUESTION_TYPE_INVALID(types=", ".join(dict.fromkeys(QUESTION_TYPES.values()))))
    return result


def parse_span(value: Any, path: str = "") -> tuple[Span, Issues]:
    """Parse a validity period. An empty value means that the waiver never expires."""
    issues = Issues()
    try:
        if isinstance(value, str):
            return _parse_span_text(value.strip().lower()), issues
        if isinstance(value, dict):
            return _parse_span_object(value), issues
        raise ValueError(messages.SPAN_INVALID)
    except ValueError as problem:
        issues.add(path, str(problem))
        return {}, issues


def _parse_span_text(text: str) -> Span:
    if text in ("never", "forever", ""):
        return {}
    if text in ("end_of_year", "end of year"):
        return {"end_of_year": True}
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return _parse_span_object({"until": text})
    match = re.fullmatch(r"(\d{1,4})\s*(day|week|month|year)s?", text)
    if match is None:
        raise ValueError(messages.SPAN_INVALID)
    return _parse_span_object({_UNIT_NAMES[match[2]]: int(match[1])})


def _parse_span_object(fields: dict[Any, Any]) -> Span:
    if fields.get("end_of_year") is True and len(fields) == 1:
        return {"end_of_year": True}
    if not fields:
        return {}
    if len(fields) != 1:
        raise ValueError(messages.SPAN_UNIT_NEEDED)
    [(unit, value)] = fields.items()
    if unit == "until":
        try:
            return {"until": date.fromisoformat(value).isoformat()}
        except (TypeError, ValueError):
            raise ValueError(messages.SPAN_DATE_INVALID) from None
    if unit not in _MAX_COUNTS:
        raise ValueError(messages.SPAN_INVALID)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MAX_COUNTS[unit]:
        raise ValueError(messages.SPAN_OUT_OF_RANGE(most=_MAX_COUNTS[unit], unit=unit))
    return {"days": 7 * value} if unit == "weeks" else {unit: value}


def dump_span(span: Span) -> str:
    """Format the period in the notation that `parse_span` accepts."""
    if "until" in span:
        return str(span["until"])
    if span.get("end_of_year"):
        return "end_of_year"
    return format_span(span).removeprefix("for ") if span else "never"


def format_span(span: Span) -> str:
    """Format the period for owners, such as `for 1 year`."""
    if "until" in span:
        return f"until {span['until']}"
    if span.get("end_of_year"):
        return "until the end of the year"
    if not span:
        return "with no expiry"
    [(unit, count)] = span.items()
    return f"for {count} {unit if count != 1 else unit[:-1]}"


def parse_kiosk(value: Any, path: str = "") -> tuple[dict[str, Any], Issues]:
    """Parse the settings of the kiosk: the PIN for leaving it, and how long the last page is shown."""
    issues = Issues()
    entry = ObjectReader(value, path, KIOSK_KEYS, issues, "kiosk")
    result = {
        "enabled": entry.read_key("enabled", parse_flag, False),
        "pin": entry.read_key("pin", _parse_pin, ""),
        "reset_seconds": entry.read_key("reset_seconds", _parse_seconds, 8),
    }
    if result["enabled"] and not result["pin"] and not issues:
        entry.add_issue("pin", messages.PIN_NEEDED)
    entry.reject_unknown_keys()
    return result, issues


def _parse_pin(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    if text and not re.fullmatch(r"[0-9]{4,8}", text):
        raise ValueError(messages.PIN_INVALID)
    if not isinstance(value, str):
        raise ValueError(messages.PIN_NOT_TEXT)
    return text


def _parse_seconds(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 3 <= value <= 120:
        raise ValueError(messages.SECONDS_INVALID)
    return value


class _KeyRegistry:
    """Assigns unique keys to the entries of a list. Entries without a given key get a generated one."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self.used: set[str] = set()

    def claim_key(self, entry: ObjectReader, label: str) -> str:
        text: str = entry.read_key("key", _parse_key, "")
        if text:
            if text in self.used:
                entry.add_issue("key", messages.DUPLICATE_KEY)
            self.used.add(text)
            return text
        stem = re.sub("[^a-z0-9]+", "_", search_key(label)[:60]).strip("_")[:30] or self.noun
        made, number = stem, 2
        while made in self.used:
            made, number = f"{stem}_{number}", number + 1
        self.used.add(made)
        return made


def _parse_key(value: Any) -> str:
    if not isinstance(value, str) or not _KEY_PATTERN.fullmatch(value):
        raise ValueError(messages.KEY_INVALID)
    return value


def _parse_required(entry: ObjectReader, name: str, parse: Any) -> str:
    if entry.is_object and (not entry.has_key(name) or entry.values[entry.given_key(name)] == ""):
        entry.add_issue(name, messages.VALUE_NEEDED)
        return ""
    text: str = entry.read_key(name, parse, "")
    return text


def item_path(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)
