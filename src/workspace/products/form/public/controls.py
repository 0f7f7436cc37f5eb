"""The controls of a field on the guest page: kind, attributes and answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from workspace.products.form.domain import error_messages
from workspace.products.form.domain.posted_answers import FIELD_PREFIX, OTHER_SUFFIX
from workspace.products.form.rules import answer_validation, field_types
from workspace.products.form.rules.numbers import DEFAULT_DECIMALS, format_number, round_fraction
from workspace.publishing import language
from workspace.publishing.locale import current_locale

Field = Mapping[str, Any]
_CONTROL_KINDS = {
    "long_text": "lines",
    "address": "lines",
    "checkbox": "tick",
    "consent": "tick",
    "single_choice": "choice",
    "multi_choice": "choice",
    "yes_no": "choice",
    "dropdown": "select",
    "rating": "stars",
    "scale": "scale",
    "calculated": "total",
    **{type: type for type in ("file", "signature", "heading", "text")},
}
_INPUT_ATTRIBUTES: dict[str, dict[str, str]] = {
    "email": {"type": "email", "autocomplete": "email", "autocapitalize": "none"},
    "phone": {"type": "tel", "autocomplete": "tel"},
    "url": {"inputmode": "url", "autocomplete": "url", "autocapitalize": "none"},
    "address": {"autocomplete": "street-address"},
    "number": {"inputmode": "decimal", "autocomplete": "off"},
    "date": {"type": "date"},
    "time": {"type": "time"},
    "signature": {"autocomplete": "name"},
}
# autocomplete tokens of browsers, by keys that owners and programs commonly use
_AUTOCOMPLETE = {
    "name": "name",
    "full_name": "name",
    "your_name": "name",
    "first_name": "given-name",
    "last_name": "family-name",
    "company": "organization",
    "organization": "organization",
    "street": "address-line1",
    "city": "address-level2",
    "town": "address-level2",
    "zip": "postal-code",
    "postcode": "postal-code",
    "postal_code": "postal-code",
    "country": "country-name",
}
_MEDIA_TYPES = {"image": "image/jpeg,image/png,image/webp,image/gif"}


def build_control(
    item: Field,
    value: Any,
    *,
    problem: str,
    is_disabled: bool,
    is_required: bool,
    total: Any,
    files: Mapping[str, str],
    today: str,
) -> dict[str, Any]:
    """Return the context of `form/parts/field.html`. `total` is the exact calculated value."""
    type = item["type"]
    name = FIELD_PREFIX + item["key"]
    how = "hidden" if item.get("hidden") and type != "calculated" else _CONTROL_KINDS.get(type, "line")
    parts = value if isinstance(value, list) else [value]
    chosen = {_format_value(part) for part in parts if part is not None and not isinstance(part, Mapping)}
    control: dict[str, Any] = {
        "key": item["key"],
        "name": name,
        "how": how,
        "type": type,
        "label": item["label"],
        "hint": item.get("hint", ""),
        "problem": problem,
        "notes": _description_ids(name, item, problem),
        "said": _accessibility_attributes(name, item, is_required, problem),
        "is_off": is_disabled,
        "is_needed": is_required,
    }
    if how in ("line", "lines", "hidden"):
        control["value"] = (
            ""
            if value is None or isinstance(value, (Mapping, list))
            else _resolve_today(item, _format_value(value), today)
        )
        control["attributes"] = _input_attributes(item, today)
    elif how in ("choice", "select"):
        control |= _choice_context(item, parts, chosen)
    elif how in ("stars", "scale"):
        numbers = range(int(Fraction(item["min"])), int(Fraction(item["max"])) + 1)
        control["options"] = [(str(number), str(number) in chosen) for number in numbers]
        control["of"] = numbers[-1]
    elif how == "tick":
        control["is_on"] = answer_validation.parse_answer(item, value, today)[0] is True
    elif how == "total":
        control["total"] = format_total(total, item.get("decimals", DEFAULT_DECIMALS))
        control["decimals"] = item.get("decimals", DEFAULT_DECIMALS)
    elif how == "file":
        control["sent"] = [(id, files[id]) for id in parts if isinstance(id, str) and id in files]
        control["attributes"] = _file_attributes(item)
        control["kinds"] = error_messages.format_file_kinds(item)
        control["most"] = item.get("max_files", 1)
        control["most_mb"] = item.get("max_mb", answer_validation.MAX_FILE_MB)
    elif how == "signature":
        data = value if isinstance(value, Mapping) else {"name": value}
        control["value"] = data.get("name") or ""
        drawn = data.get("drawn")
        is_drawn = isinstance(drawn, list) and drawn and answer_validation.parse_answer(item, data, today)[1] == ""
        control["drawn"] = json.dumps(drawn, separators=(",", ":")) if is_drawn else ""
    return control


def _description_ids(name: str, item: Field, problem: str) -> str:
    return " ".join([f"{name}-e"] * bool(problem) + [f"{name}-h"] * ("hint" in item))


def _accessibility_attributes(name: str, item: Field, is_required: bool, problem: str) -> SafeString:
    """Return the accessibility attributes of a single control."""
    notes = _description_ids(name, item, problem)
    results = [" required"] * is_required + [' aria-invalid="true"'] * bool(problem)
    return SafeString("".join(results)) + (format_html(' aria-describedby="{}"', notes) if notes else SafeString(""))


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_number(Fraction(value)) if isinstance(value, Fraction) else str(value)


def _resolve_today(item: Field, text: str, today: str) -> str:
    return today if item["type"] == "date" and text == field_types.TODAY else text


def _input_attributes(item: Field, today: str) -> SafeString:
    type = item["type"]
    result = dict(_INPUT_ATTRIBUTES.get(type, {}))
    if type == "number" and item.get("whole"):
        result["inputmode"] = "numeric"
    if type == "short_text" and item["key"] in _AUTOCOMPLETE:
        result["autocomplete"] = _AUTOCOMPLETE[item["key"]]
    if "placeholder" in item:
        result["placeholder"] = item["placeholder"]
    if type in answer_validation.MAX_LENGTHS:
        result["maxlength"] = str(min(item.get("max_length", 10_000), answer_validation.MAX_LENGTHS[type]))
    if type in ("date", "time"):
        # a page is cached for longer than a day, so limits that depend on today are checked only on submission
        result |= {name: item[name] for name in ("min", "max") if name in item and item[name] != field_types.TODAY}
    return format_html_join("", ' {}="{}"', result.items())


def _file_attributes(item: Field) -> SafeString:
    result = (
        {"accept": ",".join(_MEDIA_TYPES.get(ending, f".{ending}") for ending in item["accept"])}
        if "accept" in item
        else {}
    )
    several = format_html_join("", ' {}="{}"', result.items())
    return several + SafeString(" multiple") if item.get("max_files", 1) > 1 else several


def _choice_context(item: Field, parts: list[Any], chosen: set[str]) -> dict[str, Any]:
    if item["type"] == "yes_no":
        lines = [("yes", gettext("Yes"), "yes" in chosen), ("no", gettext("No"), "no" in chosen)]
        return {"options": lines, "box": "radio", "is_pair": True}
    options = [(option["value"], option["label"], option["value"] in chosen) for option in item["options"]]
    result: dict[str, Any] = {"options": options, "box": "checkbox" if item["type"] == "multi_choice" else "radio"}
    if item.get("other"):
        words = [str(part.get("other", "")) for part in parts if isinstance(part, Mapping)]
        known = {option["value"] for option in item["options"]}
        words += [part for part in chosen if part and part not in known]  # the value as stored
        result |= {"other": OTHER_SUFFIX, "other_on": bool(words), "other_text": words[0] if words else ""}
    return result


def format_total(value: Any, decimals: int) -> str:
    """Format a number for guests. Integers have no decimals, and other numbers have all of their decimals."""
    if not isinstance(value, Fraction):
        return "–"
    rounded = round_fraction(value, decimals)
    return language.format_number(
        Decimal(format_number(rounded)),
        current_locale().number_locale,
        decimals=0 if rounded.denominator == 1 else decimals,
    )
