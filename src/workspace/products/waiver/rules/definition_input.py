"""What owners write, as it is kept: clauses, how long a signature counts, questions, the kiosk. What is written at a
first guess is understood, and all that is wrong is told at once, each at the path that the caller wrote."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from workspace.lib.text import fold
from workspace.products.waiver.rules.flags import read_flag
from workspace.products.waiver.rules.validity import Span
from workspace.tools import object_parser
from workspace.tools.object_parser import Entry, Issues, array, flag

MOST_CLAUSES, MOST_QUESTIONS, MOST_OPTIONS = 50, 30, 50
LONGEST_TEXT, LONGEST_CLAUSE = 50_000, 10_000
_KEY = re.compile(r"[a-z0-9_]{1,40}")
CLAUSE = {
    "key": ("id",),
    "title": ("heading",),
    "text": ("body", "content"),
    "initials": ("requires_initials",),
    "required": (),
}
QUESTION = {
    "key": ("id", "name"),
    "label": ("title", "question"),
    "type": (),
    "required": (),
    "help": ("description", "hint"),
    "options": ("choices",),
    "flag": ("alert", "tell_me"),
}
KIOSK = {"enabled": ("on",), "pin": (), "reset_seconds": ()}
_UNITS = {"day": "days", "month": "months", "year": "years", "week": "weeks"}
_MOST = {"days": 3660, "weeks": 520, "months": 120, "years": 10}
_SPAN_WORDS = 'Write {"years": 1}, {"months": 6}, {"days": 30}, "1 year", "end_of_year" or "never"'
TYPES = {
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
CHOICES = ("single_choice", "multi_choice")


def read_clauses(given: Any, path: str = "") -> tuple[list[dict[str, Any]], Issues]:
    issues = Issues()
    keys = _Keys("clause")
    return [
        _clause(one, under(path, n), issues, keys) for n, one in enumerate(array(given, path, MOST_CLAUSES, issues))
    ], issues


def _clause(given: Any, path: str, issues: Issues, keys: _Keys) -> dict[str, Any]:
    entry = Entry(given, path, CLAUSE, issues, "a clause")
    title = entry.read("title", object_parser.line(200), "")
    text = _required(entry, "text", object_parser.lines(LONGEST_CLAUSE))
    found = {
        "key": keys.take(entry, title or text),
        "title": title,
        "text": text,
        "initials": entry.read("initials", flag, False),
        "required": entry.read("required", flag, True),
    }
    entry.finish()
    return found


def read_questions(given: Any, path: str = "") -> tuple[list[dict[str, Any]], Issues]:
    issues = Issues()
    keys = _Keys("question")
    found = array(given, path, MOST_QUESTIONS, issues)
    return [_question(one, under(path, n), issues, keys) for n, one in enumerate(found)], issues


def _question(given: Any, path: str, issues: Issues, keys: _Keys) -> dict[str, Any]:
    entry = Entry(given, path, QUESTION, issues, "a question")
    label = _required(entry, "label", object_parser.line(500, 1))
    kind = entry.read("type", _type, "short_text")
    options: list[str] = []
    unflagged: bool | list[str] = False
    before = len(issues)
    if entry.has("options"):
        at = entry.at(entry.key("options"))
        wanted = array(_options(entry.given[entry.key("options")]), at, MOST_OPTIONS, issues)
        options = [_option(one, under(at, n), issues) for n, one in enumerate(wanted)]
        for n, one in enumerate(options):
            if one and one in options[:n]:
                issues.at(under(at, n), "Stands twice")
    if entry.is_object and kind in CHOICES and not options and len(issues) == before:
        entry.wrong("options", "Required")
    if options and kind not in CHOICES:
        entry.wrong("options", "Only single_choice and multi_choice have options")
    found = {
        "key": keys.take(entry, label),
        "label": label,
        "type": kind,
        "required": entry.read("required", flag, False),
        "help": entry.read("help", object_parser.line(300), ""),
        "options": options,
        "flag": entry.read("flag", read_flag, unflagged),
    }
    entry.finish()
    return found


def _options(given: Any) -> Any:
    """As they are written: a list, or a line each."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, list):
        return given
    lines = [one.splitlines() if isinstance(one, str) and "\n" in one else [one] for one in given]
    return [one for some in lines for one in some if one != ""]


def _option(value: Any, path: str, issues: Issues) -> str:
    try:
        return object_parser.line(200, 1)(value)
    except ValueError as problem:
        issues.at(path, str(problem))
        return ""


def _type(value: Any) -> str:
    found = TYPES.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"Must be one of {', '.join(dict.fromkeys(TYPES.values()))}")
    return found


def read_span(given: Any, path: str = "") -> tuple[Span, Issues]:
    """How long a signature counts; empty for ever."""
    issues = Issues()
    try:
        if isinstance(given, str):
            return _span_of_words(given.strip().lower()), issues
        if isinstance(given, dict):
            return _span_of(given), issues
        raise ValueError(_SPAN_WORDS)
    except ValueError as problem:
        issues.at(path, str(problem))
        return {}, issues


def _span_of_words(text: str) -> Span:
    if text in ("never", "forever", ""):
        return {}
    if text in ("end_of_year", "end of year"):
        return {"end_of_year": True}
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return _span_of({"until": text})
    found = re.fullmatch(r"(\d{1,4})\s*(day|week|month|year)s?", text)
    if found is None:
        raise ValueError(_SPAN_WORDS)
    return _span_of({_UNITS[found[2]]: int(found[1])})


def _span_of(given: dict[Any, Any]) -> Span:
    if given.get("end_of_year") is True and len(given) == 1:
        return {"end_of_year": True}
    if not given:
        return {}
    if len(given) != 1:
        raise ValueError("Give one of years, months, days and until")
    [(unit, value)] = given.items()
    if unit == "until":
        try:
            return {"until": date.fromisoformat(value).isoformat()}
        except (TypeError, ValueError):
            raise ValueError("Write the date as YYYY-MM-DD") from None
    if unit not in _MOST:
        raise ValueError(_SPAN_WORDS)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MOST[unit]:
        raise ValueError(f"Between 1 and {_MOST[unit]} {unit}")
    return {"days": 7 * value} if unit == "weeks" else {unit: value}


def written_span(span: Span) -> str:
    """As owners write it, and `read_span` reads it."""
    if "until" in span:
        return str(span["until"])
    if span.get("end_of_year"):
        return "end_of_year"
    return told_span(span).removeprefix("for ") if span else "never"


def told_span(span: Span) -> str:
    """`for 1 year`, as owners read it."""
    if "until" in span:
        return f"until {span['until']}"
    if span.get("end_of_year"):
        return "until the end of the year"
    if not span:
        return "without end"
    [(unit, count)] = span.items()
    return f"for {count} {unit if count != 1 else unit[:-1]}"


def read_kiosk(given: Any, path: str = "") -> tuple[dict[str, Any], Issues]:
    """A tablet at the door: the PIN that leaves it, and how long the last page stands."""
    issues = Issues()
    entry = Entry(given, path, KIOSK, issues, "kiosk")
    found = {
        "enabled": entry.read("enabled", flag, False),
        "pin": entry.read("pin", _pin, ""),
        "reset_seconds": entry.read("reset_seconds", _seconds, 8),
    }
    if found["enabled"] and not found["pin"] and not issues:
        entry.wrong("pin", "Give 4 to 8 digits, which leave the kiosk")
    entry.finish()
    return found, issues


def _pin(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    if text and not re.fullmatch(r"[0-9]{4,8}", text):
        raise ValueError("4 to 8 digits")
    if not isinstance(value, str):
        raise ValueError("4 to 8 digits, as text")
    return text


def _seconds(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 3 <= value <= 120:
        raise ValueError("Between 3 and 120 seconds")
    return value


class _Keys:
    """Of a list's entries: those that were given, each once, and made ones for the rest."""

    def __init__(self, noun: str) -> None:
        self.noun = noun
        self.taken: set[str] = set()

    def take(self, entry: Entry, words: str) -> str:
        given: str = entry.read("key", _key, "")
        if given:
            if given in self.taken:
                entry.wrong("key", "Stands twice")
            self.taken.add(given)
            return given
        stem = re.sub("[^a-z0-9]+", "_", fold(words)[:60]).strip("_")[:30] or self.noun
        made, number = stem, 2
        while made in self.taken:
            made, number = f"{stem}_{number}", number + 1
        self.taken.add(made)
        return made


def _key(value: Any) -> str:
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise ValueError("Up to 40 of a-z, 0-9 and _")
    return value


def _required(entry: Entry, name: str, read: Any) -> str:
    if entry.is_object and (not entry.has(name) or entry.given[entry.key(name)] == ""):
        entry.wrong(name, "Required")
        return ""
    found: str = entry.read(name, read, "")
    return found


def under(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)
