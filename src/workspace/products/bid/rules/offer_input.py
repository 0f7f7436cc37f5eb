"""The inner shapes of `line_items`, `packages`, `discount` and `deposit`: what callers write at a first guess is
understood, and whatever is wrong is told at once, each at the path that the caller wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from workspace.lib.money import plain
from workspace.products.bid.rules import number_input
from workspace.products.bid.rules.number_input import money_of, percent_of, quantity_of
from workspace.products.bid.rules.offer import AMOUNT, PERCENT, Line, Package, Share, text_of
from workspace.products.bid.rules.totals import line_total, package_total
from workspace.tools import object_parser
from workspace.tools.object_parser import Entry, Issues, array, flag, numbered

MOST_LINES, MOST_PACKAGES, MOST_FEATURES = 500, 10, 30
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
LINE = {
    "name": ("title", "item", "label"),
    "description": (),
    "quantity": ("qty", "count"),
    "unit_price": ("price", "rate", "unit_cost", "cost"),
    "amount": (),
    "unit": (),
    "optional": (),
    "selected": ("preselected",),
    "taxable": (),
    "section": (),
    "id": (),
    "total": (),
}
PACKAGE = {
    "name": ("title", "label"),
    "description": (),
    "price": ("amount", "unit_price", "cost"),
    "features": (),
    "recommended": ("popular", "highlighted"),
    "taxable": (),
    "line_items": ("items", "lines"),
    "id": (),
    "total": (),
}
SHARE = {"type": ("kind",), "value": (), "label": ("name",), "percent": ("percentage",), "amount": ("fixed", "flat")}
_KINDS = {
    **dict.fromkeys(("percent", "percentage", "%"), PERCENT),
    **dict.fromkeys(("amount", "fixed", "flat"), AMOUNT),
}


def read_lines(given: Any, path: str = "") -> tuple[tuple[Line, ...], Issues]:
    issues = Issues()
    found = array(given, path, MOST_LINES, issues)
    fresh = numbered("l", _given_ids(found))
    lines = tuple(_line(one, _under(path, n), issues, fresh) for n, one in enumerate(found))
    _refuse_twice([(line.id, _under(path, n)) for n, line in enumerate(lines)], issues)
    return lines, issues


def read_packages(given: Any, path: str = "") -> tuple[tuple[Package, ...], Issues]:
    issues = Issues()
    found = array(given, path, MOST_PACKAGES, issues)
    fresh = numbered("p", _given_ids(found))
    packages = tuple(_package(one, _under(path, n), issues, fresh) for n, one in enumerate(found))
    _refuse_twice([(package.id, _under(path, n)) for n, package in enumerate(packages)], issues)
    recommended = [n for n, package in enumerate(packages) if package.recommended]
    for n in recommended[1:]:
        key = Entry(found[n], _under(path, n), PACKAGE, Issues(), "a package").key("recommended")
        issues.at(f"{_under(path, n)}.{key}", "Recommend one package at most")
    return packages, issues


def read_share(given: Any, path: str = "") -> tuple[Share | None, Issues]:
    """A discount or a deposit. Empty for none."""
    issues = Issues()
    entry = Entry(given, path, SHARE, issues, "this")
    if not entry.is_object or not entry.given:
        return None, issues
    label = entry.read("label", object_parser.line(60), "")
    kind, key = _kind(entry)
    if kind is None:
        entry.finish()
        return None, issues
    value = entry.read(key, percent_of if kind == PERCENT else money_of, Decimal(0))
    entry.finish()
    return Share(kind, value, label), issues


def _kind(entry: Entry) -> tuple[str | None, str]:
    """Of a discount, percent or amount, and under which key its value stands."""
    short = [kind for kind in (PERCENT, AMOUNT) if entry.has(kind)]
    typed = entry.read("type", _kind_of, "")
    if len(short) == 2 or (short and entry.has("value")):
        keys = [entry.key(name) for name in (*short, *(["value"] if entry.has("value") else []))]
        entry.issues.at(entry.path, f"Give {' or '.join(keys)}, not both")
        return None, ""
    if short:
        if typed and typed != short[0]:
            entry.wrong("type", f"This is not what {entry.key(short[0])} says")
        return short[0], short[0]
    if entry.has("type") and not typed:  # it was refused
        return None, ""
    if not typed:
        entry.wrong("type", "Required: percent or amount")
    if not entry.has("value"):
        entry.wrong("value", "Required")
        return None, ""
    return typed or None, "value"


def _kind_of(value: Any) -> str:
    found = _KINDS.get(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError("Must be percent or amount")
    return found


def _line(
    given: Any, path: str, issues: Issues, fresh: Callable[[], str], *, priced: bool = True, whole: bool = False
) -> Line:
    """`priced`: it needs a price, else it must have none; `whole`: it is a part of a package, which has no options."""
    entry = Entry(given, path, LINE, issues, "a line")
    name = entry.read("name", object_parser.line(200, 1), "")
    description = entry.read("description", object_parser.lines(2000), "")
    if not entry.has("name") and entry.is_object:
        if len(description) > 200 or not description or "\n" in description:
            entry.wrong("name", "Required")
        name, description = description, ""
    quantity = entry.read("quantity", quantity_of, Decimal(1))
    price = _unit_price(entry, quantity, priced)
    optional = entry.read("optional", flag, False)
    selected = entry.read("selected", flag, False)
    if whole and optional:
        entry.wrong("optional", "A package is taken whole: put options beside it, into line_items")
    if selected and not optional:
        entry.wrong("selected", "Only an optional line is preselected: add optional, or leave this out")
    line = Line(
        id=entry.read("id", _id, "") or fresh(),
        name=name,
        quantity=quantity,
        unit_price=price,
        description=description,
        unit=entry.read("unit", object_parser.line(40), ""),
        optional=optional,
        selected=selected,
        taxable=entry.read("taxable", flag, True),
        section=entry.read("section", object_parser.line(100), ""),
    )
    _check_total(entry, line)
    entry.finish()
    return line


def _unit_price(entry: Entry, quantity: Decimal, priced: bool) -> Decimal | None:
    price = entry.read("unit_price", money_of, Decimal(-1))
    amount = entry.read("amount", money_of, Decimal(-1))
    named = [name for name in ("unit_price", "amount") if entry.has(name)]
    if not priced:
        for name in named:
            entry.wrong(name, "The package has a price of its own: leave this out, or leave out the package's")
        return None
    if entry.has("amount") and not entry.has("unit_price"):
        if quantity != 1:
            entry.wrong("amount", "Is this the price of one or of all? Give unit_price for one")
        price = amount
    elif len(named) == 2 and price != amount:
        later = max(named, key=lambda name: list(entry.given).index(entry.key(name)))
        first = next(name for name in named if name != later)
        entry.wrong(later, f"This is not what {entry.key(first)} says: give one of the two")
    if not named and entry.is_object:
        entry.wrong("unit_price", "Required")
    return max(price, Decimal(0))


def _check_total(entry: Entry, line: Line) -> None:
    """A line's own total is a check of ours, and nothing else."""
    if not entry.has("total") or line.unit_price is None:
        return
    told = entry.read("total", money_or_more, Decimal(-1))
    is_known = entry.has("unit_price") or entry.has("amount")
    cents = line_total(line, "USD")
    if told >= 0 and is_known and told * 100 != cents:
        reckoned = f"{text_of(line.quantity)} × {_price(line.unit_price)} is {plain(cents, 'USD')}"
        entry.wrong("total", f"is {_price(told)}, but {reckoned}")


def money_or_more(value: Any) -> Decimal:
    """A sum, which may be above what one piece costs."""
    return (
        number_input.money_of(value) if isinstance(value, str) else number_input.number_of(value, "Expected an amount")
    )


def _package(given: Any, path: str, issues: Issues, fresh: Callable[[], str]) -> Package:
    entry = Entry(given, path, PACKAGE, issues, "a package")
    name = entry.read("name", object_parser.line(200), "")
    if not name and entry.is_object and not any(issue.path == entry.at(entry.key("name")) for issue in issues):
        entry.wrong("name", "Must not be empty" if entry.has("name") else "Required")
    price = entry.read("price", money_of, Decimal(0)) if entry.has("price") else None
    lines = _lines_of(entry, price is None)
    if price is None and not entry.has("line_items") and entry.is_object:
        entry.wrong("price", "Required")
    package = Package(
        id=entry.read("id", _id, "") or fresh(),
        name=name,
        price=price,
        description=entry.read("description", object_parser.lines(2000), ""),
        features=_features(entry),
        recommended=entry.read("recommended", flag, False),
        taxable=entry.read("taxable", flag, True),
        lines=lines,
    )
    if entry.has("total"):
        told, cents = entry.read("total", money_or_more, Decimal(-1)), package_total(package, "USD")
        if told >= 0 and told * 100 != cents:
            entry.wrong("total", f"is {_price(told)}, but the package comes to {plain(cents, 'USD')}")
    entry.finish()
    return package


def _lines_of(entry: Entry, priced: bool) -> tuple[Line, ...]:
    if not entry.has("line_items"):
        return ()
    key = entry.key("line_items")
    found = array(entry.given[key], entry.at(key), MOST_LINES, entry.issues)
    if not found and priced and entry.given[key] == []:
        entry.wrong("price", "Required")
    fresh = numbered("l", _given_ids(found))
    lines = [
        _line(one, f"{entry.at(key)}.{n}", entry.issues, fresh, priced=priced, whole=True)
        for n, one in enumerate(found)
    ]
    _refuse_twice([(line.id, f"{entry.at(key)}.{n}") for n, line in enumerate(lines)], entry.issues)
    return tuple(lines)


def _features(entry: Entry) -> tuple[str, ...]:
    if not entry.has("features"):
        return ()
    path = entry.at("features")
    found = []
    for n, one in enumerate(array(entry.given["features"], path, MOST_FEATURES, entry.issues)):
        try:
            found.append(object_parser.line(200, 1)(one))
        except ValueError as problem:
            entry.issues.at(f"{path}.{n}", str(problem))
    return tuple(found)


def _given_ids(found: list[Any]) -> list[str]:
    return [one["id"] for one in found if isinstance(one, dict) and isinstance(one.get("id"), str)]


def _id(value: Any) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise ValueError("Letters, digits, - and _, up to 40 of them")
    return value


def _refuse_twice(ids: list[tuple[str, str]], issues: Issues) -> None:
    seen: set[str] = set()
    for id, path in ids:
        if id in seen:
            issues.at(f"{path}.id", "This id is there twice: leave it out where it is new")
        seen.add(id)


def _under(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)


def _price(amount: Decimal) -> str:
    """`50.00`, `0.035`: as a price is written."""
    text = text_of(amount)
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"
