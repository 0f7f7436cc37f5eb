"""One field as callers write it, read into what is stored of it. What depends on other fields (its key, its conditions,
its formula's meaning) is settled when all of them are known."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from workspace.products.form.rules import answer_validation, field_types
from workspace.products.form.rules.conditions import day_of
from workspace.products.form.rules.formula import parsed
from workspace.products.form.rules.numbers import DECIMALS, number_of, text_of, time_of, typed_number
from workspace.products.form.rules.options import read_options
from workspace.products.form.rules.regex import compiled
from workspace.tools.object_parser import Entry, Issues, flag, line, lines

MOST_ACCEPTED = 20
LONGEST_LABEL = {"text": 5000, "consent": 2000}
FIELD = {
    "key": ("id", "name"),
    "label": ("title", "question"),
    "type": (),
    "multiple": (),
    "required": (),
    "hint": ("help", "description"),
    "placeholder": (),
    "default": (),
    "options": ("choices",),
    "other": ("allow_other",),
    "min": ("minimum",),
    "max": ("maximum",),
    "step": (),
    "whole": (),
    "decimals": (),
    "min_length": (),
    "max_length": (),
    "pattern": ("regex",),
    "accept": ("file_types",),
    "max_files": (),
    "max_mb": (),
    "show_if": ("visible_if",),
    "require_if": ("required_if",),
    "hidden": (),
    "formula": ("expression",),
    "section": (),
}
_CHOICES = (field_types.CHOICE, field_types.MULTI)
# what goes with some families of answers only; all else goes with every field
_ONLY = {
    "options": _CHOICES,
    "other": _CHOICES,
    "multiple": _CHOICES,
    "min": (field_types.NUMBER, field_types.DATE, field_types.TIME, field_types.MULTI),
    "max": (field_types.NUMBER, field_types.DATE, field_types.TIME, field_types.MULTI),
    "step": (field_types.NUMBER,),
    "whole": (field_types.NUMBER,),
    "min_length": (field_types.TEXT,),
    "max_length": (field_types.TEXT,),
    "pattern": (field_types.TEXT,),
    "accept": (field_types.FILES,),
    "max_files": (field_types.FILES,),
    "max_mb": (field_types.FILES,),
}
_KEY = re.compile("[A-Za-z][A-Za-z0-9_]{0,39}", re.ASCII)
_ACCEPTED = re.compile(r"\.?[a-z0-9]{1,10}", re.ASCII)


@dataclass(slots=True)
class Field:
    said: dict[str, Any]
    path: str
    key: str = ""
    given_key: str = ""
    key_path: str = ""
    formula_path: str = ""
    begins_section: bool = False
    conditions: dict[str, tuple[Any, str]] = field(default_factory=dict)  # as given, and where


def read_field(given: Any, path: str, issues: Issues) -> Field:
    entry = Entry(given, path, FIELD, issues, "a field")
    multiple = entry.read("multiple", flag, False)
    before = len(issues)
    type = entry.read("type", lambda value: _type(value, multiple), field_types.USUAL)
    is_known = len(issues) == before  # of a type that is not, what goes with it is not refused as well
    if not is_known and entry.has("options"):
        type = "single_choice"
    family = field_types.family(type)
    found = Field({"type": type}, path, given_key=entry.read("key", read_key, ""), key_path=entry.at(entry.key("key")))
    found.said["label"] = _label(entry, type, found.given_key)
    _words(entry, type, found)
    for name, families in _ONLY.items():
        if is_known and entry.has(name) and family not in families:
            entry.wrong(name, f"Not for {type}: leave it out")
    if family in _CHOICES:
        found.said.update(read_options(entry))
    _limits(entry, type, family, found)
    _texts(entry, family, found)
    _files(entry, family, found)
    _calculated(entry, type, found)
    _conditions(entry, type, found)
    if found.said.get("required") and family == field_types.NOTHING:
        entry.wrong("required", "It only tells something: leave it out")
    _default(entry, found)
    entry.finish()
    if type == "heading" and found.begins_section:
        found.said["begins_section"] = True
    return found


def _words(entry: Entry, type: str, found: Field) -> None:
    """Read whether the field is asked for and shown, and the texts beside it."""
    asks_always = not entry.has("require_if") and not entry.has("hidden")
    for name, usual in (("required", type in field_types.ASKED_FOR and asks_always), ("hidden", False)):
        if entry.read(name, flag, usual):
            found.said[name] = True
    if type == "hidden":
        found.said["hidden"] = True
    for name, read in (("hint", lines(1000)), ("placeholder", line(200))):
        if text := entry.read(name, read, ""):
            found.said[name] = text


def _conditions(entry: Entry, type: str, found: Field) -> None:
    found.begins_section = entry.read("section", flag, type == "heading" and entry.has("show_if"))
    if entry.has("section") and type != "heading":
        entry.wrong("section", "Only a heading begins a section")
    for name in ("show_if", "require_if"):
        if entry.has(name):
            key = entry.key(name)
            found.conditions[name] = (entry.given[key], entry.at(key))


def read_key(value: Any) -> str:
    """Raises ValueError."""
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        raise ValueError("Letters, digits and _, up to 40, the first a letter")
    return value


def _type(value: Any, multiple: bool) -> str:
    found = field_types.type_of(value, multiple=multiple) if isinstance(value, str) else None
    if found is None or found == field_types.PAGE:
        raise ValueError(f"Must be one of {', '.join(field_types.FAMILIES)}")
    return found


def _label(entry: Entry, type: str, key: str) -> str:
    most = LONGEST_LABEL.get(type, 500)
    before = len(entry.issues)
    label = entry.read("label", lines(most) if most > 500 else line(most), "")
    if not label and type == "hidden" and key:
        return key
    if not label and entry.is_object and len(entry.issues) == before:
        entry.wrong("label", "Must not be empty" if entry.has("label") else "Required")
    return label


def _limits(entry: Entry, type: str, family: str, found: Field) -> None:
    if family not in _ONLY["min"]:
        return
    usual = field_types.LIMITS.get(type, (None, None))
    read, before = _limit_of(type, family), len(entry.issues)
    for name, other in zip(("min", "max"), usual, strict=True):
        if entry.has(name):
            found.said[name] = entry.read(name, read, "0" if family == field_types.NUMBER else "")
        elif other is not None:
            found.said[name] = str(other)
    if family == field_types.MULTI:
        found.said.update({name: int(found.said[name] or 0) for name in ("min", "max") if name in found.said})
    if type in field_types.LIMITS or (entry.read("whole", flag, False) or entry.given.get("type") == "integer"):
        found.said["whole"] = True
    if family == field_types.NUMBER and entry.has("step"):
        _step(entry, found)
    if len(entry.issues) > before:
        return
    least, most = found.said.get("min"), found.said.get("max")
    if least and most and field_types.TODAY not in (least, most) and _rank(least, family) > _rank(most, family):
        entry.wrong("max", "Not below min")


def _step(entry: Entry, found: Field) -> None:
    step = entry.read("step", typed_number, "1")
    if Fraction(step) <= 0:
        entry.wrong("step", "More than 0")
    else:
        found.said["step"] = step


def _rank(limit: Any, family: str) -> Any:
    return Fraction(limit) if family == field_types.NUMBER else limit


def _limit_of(type: str, family: str) -> Callable[[Any], str]:
    if family == field_types.DATE:
        return lambda value: day_of(value) if isinstance(value, str) else day_of("")
    if family == field_types.TIME:
        return lambda value: time_of(value) if isinstance(value, str) else time_of("")
    if family == field_types.MULTI:
        return lambda value: str(_whole(value, 1, answer_validation.MOST_CHOSEN))
    if type == "rating":
        return lambda value: str(_whole(value, 1, 10))
    if type == "scale":
        return lambda value: str(_whole(value, 0, 100))
    return typed_number


def _whole(value: Any, least: int, most: int) -> int:
    found = number_of(value)
    if found is None or found.denominator != 1 or not least <= found <= most:
        raise ValueError(f"A whole number from {least} to {most:,}")
    return int(found)


def _texts(entry: Entry, family: str, found: Field) -> None:
    if family != field_types.TEXT:
        return
    longest = answer_validation.LONGEST[found.said["type"]]
    for name in ("min_length", "max_length"):
        if entry.has(name):
            found.said[name] = entry.read(name, lambda value: _whole(value, 1, longest), 1)
    if found.said.get("min_length", 0) > found.said.get("max_length", longest):
        entry.wrong("max_length", "Not below min_length")
    if entry.has("pattern") and (pattern := entry.read("pattern", _pattern, "")):
        found.said["pattern"], found.said["program"] = pattern, compiled(pattern)


def _pattern(value: Any) -> str:
    text = line(100, 1)(value)
    compiled(text)
    return text


def _files(entry: Entry, family: str, found: Field) -> None:
    if family != field_types.FILES:
        return
    for name, most in (("max_files", answer_validation.MOST_FILES), ("max_mb", answer_validation.MOST_MB)):
        if entry.has(name):
            found.said[name] = entry.read(name, lambda value, most=most: _whole(value, 1, most), 1)  # type: ignore[misc]
    if entry.has("accept"):
        found.said["accept"] = entry.read("accept", _accepted, list[str]())


def _accepted(value: Any) -> list[str]:
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not 0 < len(several) <= MOST_ACCEPTED:
        raise ValueError("Endings of files, such as pdf, jpg; image stands for every picture")
    found = [one.strip().lower() if isinstance(one, str) else "" for one in several]
    if not all(_ACCEPTED.fullmatch(one) for one in found):
        raise ValueError("Endings of files, such as pdf, jpg; image stands for every picture")
    return list(dict.fromkeys(one.lstrip(".") for one in found))


def _calculated(entry: Entry, type: str, found: Field) -> None:
    if type != "calculated":
        for name in ("formula", "decimals"):
            if entry.has(name):
                entry.wrong(name, "Only for calculated")
        return
    found.formula_path = entry.at(entry.key("formula"))
    if not entry.has("formula"):
        entry.wrong("formula", "Required")
    elif text := entry.read("formula", line(500, 1), ""):
        try:
            found.said["formula"], found.said["tree"] = text, parsed(text)
        except ValueError as problem:
            entry.wrong("formula", str(problem))
    if entry.has("decimals"):
        found.said["decimals"] = entry.read("decimals", lambda value: _whole(value, 0, DECIMALS), 0)
    if found.said.get("required"):
        entry.wrong("required", "It is counted out: leave it out")


def _default(entry: Entry, found: Field) -> None:
    if not entry.has("default"):
        return
    given = entry.given[entry.key("default")]
    if isinstance(given, Mapping) or found.said["type"] in (
        "file",
        "signature",
        "consent",
        "calculated",
        "heading",
        "text",
    ):
        entry.wrong("default", f"Not for {found.said['type']}: leave it out")
        return
    if found.said["type"] == "date" and given == field_types.TODAY:
        found.said["default"] = given
        return
    value, code = answer_validation.read(found.said, given, "2000-01-01")
    if code and not (
        found.said["type"] == "date" and code in (answer_validation.TOO_SMALL, answer_validation.TOO_LARGE)
    ):
        entry.wrong("default", "This is no answer that the field would take")
    elif value is not None:
        found.said["default"] = text_of(value) if isinstance(value, Fraction) else value
