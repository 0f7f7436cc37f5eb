"""One field of a form as the controls that guests meet: which one, with which attributes, holding which answer."""

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
from workspace.products.form.domain.posted_answers import OTHER, PREFIX
from workspace.products.form.rules import answer_validation, field_types
from workspace.products.form.rules.numbers import USUAL_DECIMALS, rounded, text_of
from workspace.publishing import language
from workspace.publishing.locale import voice

Field = Mapping[str, Any]
_HOW = {
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
_TYPED: dict[str, dict[str, str]] = {
    "email": {"type": "email", "autocomplete": "email", "autocapitalize": "none"},
    "phone": {"type": "tel", "autocomplete": "tel"},
    "url": {"inputmode": "url", "autocomplete": "url", "autocapitalize": "none"},
    "address": {"autocomplete": "street-address"},
    "number": {"inputmode": "decimal", "autocomplete": "off"},
    "date": {"type": "date"},
    "time": {"type": "time"},
    "signature": {"autocomplete": "name"},
}
# what browsers know of people, by the keys that owners and programs give
_KNOWN = {
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
_ENDINGS = {"image": "image/jpeg,image/png,image/webp,image/gif"}


def control_of(
    one: Field,
    value: Any,
    *,
    problem: str,
    is_off: bool,
    is_needed: bool,
    total: Any,
    files: Mapping[str, str],
    today: str,
) -> dict[str, Any]:
    """For `form/parts/field.html`. `total` is what was counted out, exactly."""
    type = one["type"]
    name = PREFIX + one["key"]
    how = "hidden" if one.get("hidden") and type != "calculated" else _HOW.get(type, "line")
    parts = value if isinstance(value, list) else [value]
    chosen = {_written(part) for part in parts if part is not None and not isinstance(part, Mapping)}
    found: dict[str, Any] = {
        "key": one["key"],
        "name": name,
        "how": how,
        "type": type,
        "label": one["label"],
        "hint": one.get("hint", ""),
        "problem": problem,
        "notes": _notes(name, one, problem),
        "said": _said(name, one, is_needed, problem),
        "is_off": is_off,
        "is_needed": is_needed,
    }
    if how in ("line", "lines", "hidden"):
        found["value"] = (
            "" if value is None or isinstance(value, (Mapping, list)) else _day(one, _written(value), today)
        )
        found["attributes"] = _attributes(one, today)
    elif how in ("choice", "select"):
        found |= _choices(one, parts, chosen)
    elif how in ("stars", "scale"):
        numbers = range(int(Fraction(one["min"])), int(Fraction(one["max"])) + 1)
        found["options"] = [(str(number), str(number) in chosen) for number in numbers]
        found["of"] = numbers[-1]
    elif how == "tick":
        found["is_on"] = answer_validation.read(one, value, today)[0] is True
    elif how == "total":
        found["total"] = shown_number(total, one.get("decimals", USUAL_DECIMALS))
        found["decimals"] = one.get("decimals", USUAL_DECIMALS)
    elif how == "file":
        found["sent"] = [(id, files[id]) for id in parts if isinstance(id, str) and id in files]
        found["attributes"] = _file_attributes(one)
        found["kinds"] = error_messages.kinds_of(one)
        found["most"] = one.get("max_files", 1)
        found["most_mb"] = one.get("max_mb", answer_validation.MOST_MB)
    elif how == "signature":
        told = value if isinstance(value, Mapping) else {"name": value}
        found["value"] = told.get("name") or ""
        drawn = told.get("drawn")
        is_drawn = isinstance(drawn, list) and drawn and answer_validation.read(one, told, today)[1] == ""
        found["drawn"] = json.dumps(drawn, separators=(",", ":")) if is_drawn else ""
    return found


def _notes(name: str, one: Field, problem: str) -> str:
    return " ".join([f"{name}-e"] * bool(problem) + [f"{name}-h"] * ("hint" in one))


def _said(name: str, one: Field, is_needed: bool, problem: str) -> SafeString:
    """Of a single control: what is told to those who do not see the page."""
    notes = _notes(name, one, problem)
    found = [" required"] * is_needed + [' aria-invalid="true"'] * bool(problem)
    return SafeString("".join(found)) + (format_html(' aria-describedby="{}"', notes) if notes else SafeString(""))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return text_of(Fraction(value)) if isinstance(value, Fraction) else str(value)


def _day(one: Field, text: str, today: str) -> str:
    return today if one["type"] == "date" and text == field_types.TODAY else text


def _attributes(one: Field, today: str) -> SafeString:
    type = one["type"]
    found = dict(_TYPED.get(type, {}))
    if type == "number" and one.get("whole"):
        found["inputmode"] = "numeric"
    if type == "short_text" and one["key"] in _KNOWN:
        found["autocomplete"] = _KNOWN[one["key"]]
    if "placeholder" in one:
        found["placeholder"] = one["placeholder"]
    if type in answer_validation.LONGEST:
        found["maxlength"] = str(min(one.get("max_length", 10_000), answer_validation.LONGEST[type]))
    if type in ("date", "time"):
        # a page is kept for longer than a day: what hangs on today is told when it is sent
        found |= {name: one[name] for name in ("min", "max") if name in one and one[name] != field_types.TODAY}
    return format_html_join("", ' {}="{}"', found.items())


def _file_attributes(one: Field) -> SafeString:
    found = (
        {"accept": ",".join(_ENDINGS.get(ending, f".{ending}") for ending in one["accept"])} if "accept" in one else {}
    )
    several = format_html_join("", ' {}="{}"', found.items())
    return several + SafeString(" multiple") if one.get("max_files", 1) > 1 else several


def _choices(one: Field, parts: list[Any], chosen: set[str]) -> dict[str, Any]:
    if one["type"] == "yes_no":
        told = [("yes", gettext("Yes"), "yes" in chosen), ("no", gettext("No"), "no" in chosen)]
        return {"options": told, "box": "radio", "is_pair": True}
    options = [(option["value"], option["label"], option["value"] in chosen) for option in one["options"]]
    found: dict[str, Any] = {"options": options, "box": "checkbox" if one["type"] == "multi_choice" else "radio"}
    if one.get("other"):
        words = [str(part.get("other", "")) for part in parts if isinstance(part, Mapping)]
        known = {option["value"] for option in one["options"]}
        words += [part for part in chosen if part and part not in known]  # as it is stored
        found |= {"other": OTHER, "other_on": bool(words), "other_text": words[0] if words else ""}
    return found


def shown_number(value: Any, decimals: int) -> str:
    """A number as guests read it: whole ones without decimals, others with all of theirs."""
    if not isinstance(value, Fraction):
        return "–"
    told = rounded(value, decimals)
    return language.number(Decimal(text_of(told)), voice().locale, decimals=0 if told.denominator == 1 else decimals)
