"""A parser for a field.

Parts that depend on other fields are resolved once all fields are known: the key, conditions, and the fields in a
formula.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from workspace.products.form import messages
from workspace.products.form.rules import answer_validation, field_types
from workspace.products.form.rules.condition_parser import parse_day
from workspace.products.form.rules.formula_parser import parse_formula
from workspace.products.form.rules.numbers import (
    MAX_DECIMALS,
    format_number,
    normalize_number,
    parse_number,
    parse_time,
)
from workspace.products.form.rules.option_input import parse_options
from workspace.products.form.rules.regex_engine import compile_pattern
from workspace.tools.object_parser import Issues, ObjectReader, line_parser, lines_parser, parse_flag

MAX_ENDINGS = 20
MAX_LABEL_LENGTHS = {"text": 5000, "consent": 2000}
FIELD_SETTINGS = {
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
_CHOICE_FAMILIES = (field_types.CHOICE, field_types.MULTI)
# settings that only certain answer families have; all others apply to every field
_SETTING_FAMILIES = {
    "options": _CHOICE_FAMILIES,
    "other": _CHOICE_FAMILIES,
    "multiple": _CHOICE_FAMILIES,
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
_KEY_PATTERN = re.compile("[A-Za-z][A-Za-z0-9_]{0,39}", re.ASCII)
_ENDING_PATTERN = re.compile(r"\.?[a-z0-9]{1,10}", re.ASCII)


@dataclass(slots=True)
class FieldInput:
    """A parsed field whose references to other fields are not resolved yet."""

    definition: dict[str, Any]
    path: str
    key: str = ""
    own_key: str = ""
    key_path: str = ""
    formula_path: str = ""
    begins_section: bool = False
    conditions: dict[str, tuple[Any, str]] = field(default_factory=dict)  # as given, with their paths


def parse_field(given: Any, path: str, issues: Issues) -> FieldInput:
    entry = ObjectReader(given, path, FIELD_SETTINGS, issues, "a field")
    multiple = entry.read_key("multiple", parse_flag, False)
    before = len(issues)
    type = entry.read_key("type", lambda value: _parse_type(value, multiple), field_types.DEFAULT_TYPE)
    is_known = len(issues) == before  # for an unknown type, no errors are reported about settings of the type
    if not is_known and entry.has_key("options"):
        type = "single_choice"
    family = field_types.answer_family(type)
    field_input = FieldInput(
        {"type": type},
        path,
        own_key=entry.read_key("key", parse_key, ""),
        key_path=entry.key_path(entry.given_key("key")),
    )
    field_input.definition["label"] = _parse_label(entry, type, field_input.own_key)
    _parse_basics(entry, type, field_input)
    for name, families in _SETTING_FAMILIES.items():
        if is_known and entry.has_key(name) and family not in families:
            entry.add_issue(name, messages.NOT_FOR_TYPE(type=type))
    if family in _CHOICE_FAMILIES:
        field_input.definition.update(parse_options(entry))
    _parse_limits(entry, type, family, field_input)
    _parse_text_rules(entry, family, field_input)
    _parse_file_rules(entry, family, field_input)
    _parse_formula(entry, type, field_input)
    _parse_conditions(entry, type, field_input)
    if field_input.definition.get("required") and family == field_types.NOTHING:
        entry.add_issue("required", messages.NO_ANSWER_TO_REQUIRE)
    _parse_default(entry, field_input)
    entry.reject_unknown_keys()
    if type == "heading" and field_input.begins_section:
        field_input.definition["begins_section"] = True
    return field_input


def _parse_basics(entry: ObjectReader, type: str, field_input: FieldInput) -> None:
    """Parse whether the field is required and hidden, and its wording."""
    asks_always = not entry.has_key("require_if") and not entry.has_key("hidden")
    for name, usual in (("required", type in field_types.REQUIRED_BY_DEFAULT and asks_always), ("hidden", False)):
        if entry.read_key(name, parse_flag, usual):
            field_input.definition[name] = True
    if type == "hidden":
        field_input.definition["hidden"] = True
    for name, read in (("hint", lines_parser(1000)), ("placeholder", line_parser(200))):
        if text := entry.read_key(name, read, ""):
            field_input.definition[name] = text


def _parse_conditions(entry: ObjectReader, type: str, field_input: FieldInput) -> None:
    field_input.begins_section = entry.read_key("section", parse_flag, type == "heading" and entry.has_key("show_if"))
    if entry.has_key("section") and type != "heading":
        entry.add_issue("section", messages.ONLY_HEADINGS)
    for name in ("show_if", "require_if"):
        if entry.has_key(name):
            key = entry.given_key(name)
            field_input.conditions[name] = (entry.values[key], entry.key_path(key))


def parse_key(value: Any) -> str:
    """Validate a key. Raise ValueError if it is invalid."""
    if not isinstance(value, str) or not _KEY_PATTERN.fullmatch(value):
        raise ValueError(messages.INVALID_KEY)
    return value


def _parse_type(value: Any, multiple: bool) -> str:
    result = field_types.parse_type(value, multiple=multiple) if isinstance(value, str) else None
    if result is None or result == field_types.PAGE:
        raise ValueError(messages.NOT_ONE_OF(values=", ".join(field_types.FAMILIES)))
    return result


def _parse_label(entry: ObjectReader, type: str, key: str) -> str:
    most = MAX_LABEL_LENGTHS.get(type, 500)
    before = len(entry.issues)
    label = entry.read_key("label", lines_parser(most) if most > 500 else line_parser(most), "")
    if not label and type == "hidden" and key:
        return key
    if not label and entry.is_object and len(entry.issues) == before:
        entry.add_issue("label", messages.EMPTY if entry.has_key("label") else messages.REQUIRED)
    return label


def _parse_limits(entry: ObjectReader, type: str, family: str, field_input: FieldInput) -> None:
    if family not in _SETTING_FAMILIES["min"]:
        return
    usual = field_types.DEFAULT_LIMITS.get(type, (None, None))
    read, before = _limit_parser(type, family), len(entry.issues)
    for name, other in zip(("min", "max"), usual, strict=True):
        if entry.has_key(name):
            field_input.definition[name] = entry.read_key(name, read, "0" if family == field_types.NUMBER else "")
        elif other is not None:
            field_input.definition[name] = str(other)
    if family == field_types.MULTI:
        field_input.definition.update(
            {name: int(field_input.definition[name] or 0) for name in ("min", "max") if name in field_input.definition}
        )
    if type in field_types.DEFAULT_LIMITS or (
        entry.read_key("whole", parse_flag, False) or entry.values.get("type") == "integer"
    ):
        field_input.definition["whole"] = True
    if family == field_types.NUMBER and entry.has_key("step"):
        _parse_step(entry, field_input)
    if len(entry.issues) > before:
        return
    least, most = field_input.definition.get("min"), field_input.definition.get("max")
    if (
        least
        and most
        and field_types.TODAY not in (least, most)
        and _comparable_limit(least, family) > _comparable_limit(most, family)
    ):
        entry.add_issue("max", messages.MAXIMUM_TOO_SMALL)


def _parse_step(entry: ObjectReader, field_input: FieldInput) -> None:
    step = entry.read_key("step", normalize_number, "1")
    if Fraction(step) <= 0:
        entry.add_issue("step", messages.STEP_TOO_SMALL)
    else:
        field_input.definition["step"] = step


def _comparable_limit(limit: Any, family: str) -> Any:
    return Fraction(limit) if family == field_types.NUMBER else limit


def _limit_parser(type: str, family: str) -> Callable[[Any], str]:
    if family == field_types.DATE:
        return lambda value: parse_day(value) if isinstance(value, str) else parse_day("")
    if family == field_types.TIME:
        return lambda value: parse_time(value) if isinstance(value, str) else parse_time("")
    if family == field_types.MULTI:
        return lambda value: str(_parse_whole(value, 1, answer_validation.MAX_CHOICES))
    if type == "rating":
        return lambda value: str(_parse_whole(value, 1, 10))
    if type == "scale":
        return lambda value: str(_parse_whole(value, 0, 100))
    return normalize_number


def _parse_whole(value: Any, minimum: int, maximum: int) -> int:
    result = parse_number(value)
    if result is None or result.denominator != 1 or not minimum <= result <= maximum:
        raise ValueError(messages.WHOLE_NUMBER_OUT_OF_RANGE(least=minimum, most=f"{maximum:,}"))
    return int(result)


def _parse_text_rules(entry: ObjectReader, family: str, field_input: FieldInput) -> None:
    if family != field_types.TEXT:
        return
    longest = answer_validation.MAX_LENGTHS[field_input.definition["type"]]
    for name in ("min_length", "max_length"):
        if entry.has_key(name):
            field_input.definition[name] = entry.read_key(name, lambda value: _parse_whole(value, 1, longest), 1)
    if field_input.definition.get("min_length", 0) > field_input.definition.get("max_length", longest):
        entry.add_issue("max_length", messages.MAXIMUM_TOO_SMALL)
    if entry.has_key("pattern") and (pattern := entry.read_key("pattern", _parse_pattern, "")):
        field_input.definition["pattern"], field_input.definition["program"] = pattern, compile_pattern(pattern)


def _parse_pattern(value: Any) -> str:
    text = line_parser(100, 1)(value)
    compile_pattern(text)
    return text


def _parse_file_rules(entry: ObjectReader, family: str, field_input: FieldInput) -> None:
    if family != field_types.FILES:
        return
    for name, most in (("max_files", answer_validation.MAX_FILES), ("max_mb", answer_validation.MAX_FILE_MB)):
        if entry.has_key(name):
            field_input.definition[name] = entry.read_key(name, partial(_parse_whole, minimum=1, maximum=most), 1)
    if entry.has_key("accept"):
        field_input.definition["accept"] = entry.read_key("accept", _parse_endings, list[str]())


def _parse_endings(value: Any) -> list[str]:
    several = [value] if isinstance(value, str) else value
    if not isinstance(several, list) or not 0 < len(several) <= MAX_ENDINGS:
        raise ValueError(messages.INVALID_FILE_TYPES)
    results = [item.strip().lower() if isinstance(item, str) else "" for item in several]
    if not all(_ENDING_PATTERN.fullmatch(value) for value in results):
        raise ValueError(messages.INVALID_FILE_TYPES)
    return list(dict.fromkeys(value.lstrip(".") for value in results))


def _parse_formula(entry: ObjectReader, type: str, field_input: FieldInput) -> None:
    if type != "calculated":
        for name in ("formula", "decimals"):
            if entry.has_key(name):
                entry.add_issue(name, messages.ONLY_CALCULATED)
        return
    field_input.formula_path = entry.key_path(entry.given_key("formula"))
    if not entry.has_key("formula"):
        entry.add_issue("formula", messages.REQUIRED)
    elif text := entry.read_key("formula", line_parser(500, 1), ""):
        try:
            field_input.definition["formula"], field_input.definition["tree"] = text, parse_formula(text)
        except ValueError as problem:
            entry.add_issue("formula", str(problem))
    if entry.has_key("decimals"):
        field_input.definition["decimals"] = entry.read_key(
            "decimals", lambda value: _parse_whole(value, 0, MAX_DECIMALS), 0
        )
    if field_input.definition.get("required"):
        entry.add_issue("required", messages.CALCULATED_NOT_REQUIRED)


def _parse_default(entry: ObjectReader, field_input: FieldInput) -> None:
    if not entry.has_key("default"):
        return
    given = entry.values[entry.given_key("default")]
    if isinstance(given, Mapping) or field_input.definition["type"] in (
        "file",
        "signature",
        "consent",
        "calculated",
        "heading",
        "text",
    ):
        entry.add_issue("default", messages.NOT_FOR_TYPE(type=field_input.definition["type"]))
        return
    if field_input.definition["type"] == "date" and given == field_types.TODAY:
        field_input.definition["default"] = given
        return
    value, code = answer_validation.parse_answer(field_input.definition, given, "2000-01-01")
    if code and not (
        field_input.definition["type"] == "date" and code in (answer_validation.TOO_SMALL, answer_validation.TOO_LARGE)
    ):
        entry.add_issue("default", messages.INVALID_DEFAULT)
    elif value is not None:
        field_input.definition["default"] = format_number(value) if isinstance(value, Fraction) else value
