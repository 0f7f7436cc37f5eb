"""Parsers for the objects in `line_items`, `packages`, `discount` and `deposit`.

They accept common synonyms of keys. All errors are reported at once, each at the path that the caller wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from workspace.lib.money import format_decimal
from workspace.products.bid import messages
from workspace.products.bid.rules import number_input
from workspace.products.bid.rules.number_input import parse_money, parse_percent, parse_quantity
from workspace.products.bid.rules.offer import AMOUNT, PERCENT, OfferLine, Package, Share, format_number
from workspace.products.bid.rules.totals import compute_line_total, compute_package_total
from workspace.tools import messages as tool_messages
from workspace.tools import object_parser
from workspace.tools.object_parser import Issues, ObjectReader, id_generator, parse_array, parse_flag

MAX_LINES, MAX_PACKAGES, MAX_FEATURES = 500, 10, 30
_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,40}")
LINE_KEYS = {
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
PACKAGE_KEYS = {
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
SHARE_KEYS = {
    "type": ("kind",),
    "value": (),
    "label": ("name",),
    "percent": ("percentage",),
    "amount": ("fixed", "flat"),
}
_SHARE_KINDS = {
    **dict.fromkeys(("percent", "percentage", "%"), PERCENT),
    **dict.fromkeys(("amount", "fixed", "flat"), AMOUNT),
}


def parse_lines(value: Any, path: str = "") -> tuple[tuple[OfferLine, ...], Issues]:
    """Parse lines, and give each new line an id. Return the lines and the issues found."""
    issues = Issues()
    results = parse_array(value, path, MAX_LINES, issues)
    fresh = id_generator("l", _list_ids(results))
    lines = tuple(_parse_line(item, _item_path(path, n), issues, fresh) for n, item in enumerate(results))
    _reject_duplicate_ids([(line.id, _item_path(path, n)) for n, line in enumerate(lines)], issues)
    return lines, issues


def parse_packages(value: Any, path: str = "") -> tuple[tuple[Package, ...], Issues]:
    """Parse packages, and give each new package an id. Return the packages and the issues found."""
    issues = Issues()
    results = parse_array(value, path, MAX_PACKAGES, issues)
    fresh = id_generator("p", _list_ids(results))
    packages = tuple(_parse_package(item, _item_path(path, n), issues, fresh) for n, item in enumerate(results))
    _reject_duplicate_ids([(package.id, _item_path(path, n)) for n, package in enumerate(packages)], issues)
    recommended = [n for n, package in enumerate(packages) if package.recommended]
    for n in recommended[1:]:
        key = ObjectReader(results[n], _item_path(path, n), PACKAGE_KEYS, Issues(), "a package").given_key(
            "recommended"
        )
        issues.add(f"{_item_path(path, n)}.{key}", messages.RECOMMENDED_TWICE)
    return packages, issues


def parse_share(given: Any, path: str = "") -> tuple[Share | None, Issues]:
    """Parse a discount or a deposit. Return None for empty input."""
    issues = Issues()
    entry = ObjectReader(given, path, SHARE_KEYS, issues, "this")
    if not entry.is_object or not entry.values:
        return None, issues
    label = entry.read_key("label", object_parser.line_parser(60), "")
    kind, key = _parse_share_kind(entry)
    if kind is None:
        entry.reject_unknown_keys()
        return None, issues
    value = entry.read_key(key, parse_percent if kind == PERCENT else parse_money, Decimal(0))
    entry.reject_unknown_keys()
    return Share(kind, value, label), issues


def _parse_share_kind(entry: ObjectReader) -> tuple[str | None, str]:
    """Return the kind of a share, percent or amount, and the key of its value."""
    short = [kind for kind in (PERCENT, AMOUNT) if entry.has_key(kind)]
    typed = entry.read_key("type", _parse_kind, "")
    if len(short) == 2 or (short and entry.has_key("value")):
        keys = [entry.given_key(name) for name in (*short, *(["value"] if entry.has_key("value") else []))]
        entry.issues.add(entry.path, messages.USE_ONE_OF(names=", ".join(keys)))
        return None, ""
    if short:
        if typed and typed != short[0]:
            entry.add_issue("type", messages.DIFFERS_FROM(other=entry.given_key(short[0])))
        return short[0], short[0]
    if entry.has_key("type") and not typed:  # it was rejected
        return None, ""
    if not typed:
        entry.add_issue("type", messages.SHARE_KIND_NEEDED)
    if not entry.has_key("value"):
        entry.add_issue("value", tool_messages.REQUIRED)
        return None, ""
    return typed or None, "value"


def _parse_kind(value: Any) -> str:
    kind = _SHARE_KINDS.get(value.strip().lower()) if isinstance(value, str) else None
    if kind is None:
        raise ValueError(messages.SHARE_KIND_NEEDED)
    return kind


def _parse_line(
    value: Any, path: str, issues: Issues, new_id: Callable[[], str], *, needs_price: bool = True, whole: bool = False
) -> OfferLine:
    """Parse a line. `needs_price` says whether it must have a price or must not have one.

    `whole` means that it is part of a package, which has no options.
    """
    entry = ObjectReader(value, path, LINE_KEYS, issues, "a line")
    name = entry.read_key("name", object_parser.line_parser(200, 1), "")
    description = entry.read_key("description", object_parser.lines_parser(2000), "")
    if not entry.has_key("name") and entry.is_object:
        if len(description) > 200 or not description or "\n" in description:
            entry.add_issue("name", tool_messages.REQUIRED)
        name, description = description, ""
    quantity = entry.read_key("quantity", parse_quantity, Decimal(1))
    price = _parse_unit_price(entry, quantity, needs_price)
    optional = entry.read_key("optional", parse_flag, False)
    selected = entry.read_key("selected", parse_flag, False)
    if whole and optional:
        entry.add_issue("optional", messages.OPTION_IN_PACKAGE)
    if selected and not optional:
        entry.add_issue("selected", messages.SELECTED_IS_NOT_OPTIONAL)
    line = OfferLine(
        id=entry.read_key("id", _check_id, "") or new_id(),
        name=name,
        quantity=quantity,
        unit_price=price,
        description=description,
        unit=entry.read_key("unit", object_parser.line_parser(40), ""),
        optional=optional,
        selected=selected,
        taxable=entry.read_key("taxable", parse_flag, True),
        section=entry.read_key("section", object_parser.line_parser(100), ""),
    )
    _check_line_total(entry, line)
    entry.reject_unknown_keys()
    return line


def _parse_unit_price(entry: ObjectReader, quantity: Decimal, needs_price: bool) -> Decimal | None:
    price = entry.read_key("unit_price", parse_money, Decimal(-1))
    amount = entry.read_key("amount", parse_money, Decimal(-1))
    named = [name for name in ("unit_price", "amount") if entry.has_key(name)]
    if not needs_price:
        for name in named:
            entry.add_issue(name, messages.PACKAGE_HAS_PRICE)
        return None
    if entry.has_key("amount") and not entry.has_key("unit_price"):
        if quantity != 1:
            entry.add_issue("amount", messages.AMOUNT_NEEDS_QUANTITY_ONE)
        price = amount
    elif len(named) == 2 and price != amount:
        later = max(named, key=lambda name: list(entry.values).index(entry.given_key(name)))
        first = next(name for name in named if name != later)
        entry.add_issue(later, messages.DIFFERS_FROM(other=entry.given_key(first)))
    if not named and entry.is_object:
        entry.add_issue("unit_price", tool_messages.REQUIRED)
    return max(price, Decimal(0))


def _check_line_total(entry: ObjectReader, line: OfferLine) -> None:
    """Check the total of a line, which is not used for anything else."""
    if not entry.has_key("total") or line.unit_price is None:
        return
    amount = entry.read_key("total", parse_total, Decimal(-1))
    is_known = entry.has_key("unit_price") or entry.has_key("amount")
    cents = compute_line_total(line, "USD")
    if amount >= 0 and is_known and amount * 100 != cents:
        problem = messages.LINE_TOTAL_WRONG(
            given=_format_price(amount),
            quantity=format_number(line.quantity),
            price=_format_price(line.unit_price),
            total=format_decimal(cents, "USD"),
        )
        entry.add_issue("total", problem)


def parse_total(value: Any) -> Decimal:
    """Parse a total, which may be higher than the maximum price."""
    return (
        number_input.parse_money(value)
        if isinstance(value, str)
        else number_input.parse_number(value, messages.AMOUNT_EXPECTED)
    )


def _parse_package(value: Any, path: str, issues: Issues, fresh: Callable[[], str]) -> Package:
    entry = ObjectReader(value, path, PACKAGE_KEYS, issues, "a package")
    name = entry.read_key("name", object_parser.line_parser(200), "")
    if (
        not name
        and entry.is_object
        and not any(issue.path == entry.key_path(entry.given_key("name")) for issue in issues)
    ):
        entry.add_issue("name", tool_messages.EMPTY if entry.has_key("name") else tool_messages.REQUIRED)
    price = entry.read_key("price", parse_money, Decimal(0)) if entry.has_key("price") else None
    lines = _parse_package_lines(entry, price is None)
    if price is None and not entry.has_key("line_items") and entry.is_object:
        entry.add_issue("price", tool_messages.REQUIRED)
    package = Package(
        id=entry.read_key("id", _check_id, "") or fresh(),
        name=name,
        price=price,
        description=entry.read_key("description", object_parser.lines_parser(2000), ""),
        features=_parse_features(entry),
        recommended=entry.read_key("recommended", parse_flag, False),
        taxable=entry.read_key("taxable", parse_flag, True),
        lines=lines,
    )
    if entry.has_key("total"):
        amount, cents = entry.read_key("total", parse_total, Decimal(-1)), compute_package_total(package, "USD")
        if amount >= 0 and amount * 100 != cents:
            total = format_decimal(cents, "USD")
            entry.add_issue("total", messages.PACKAGE_TOTAL_WRONG(given=_format_price(amount), total=total))
    entry.reject_unknown_keys()
    return package


def _parse_package_lines(entry: ObjectReader, needs_price: bool) -> tuple[OfferLine, ...]:
    if not entry.has_key("line_items"):
        return ()
    key = entry.given_key("line_items")
    results = parse_array(entry.values[key], entry.key_path(key), MAX_LINES, entry.issues)
    if not results and needs_price and entry.values[key] == []:
        entry.add_issue("price", tool_messages.REQUIRED)
    fresh = id_generator("l", _list_ids(results))
    lines = [
        _parse_line(item, f"{entry.key_path(key)}.{n}", entry.issues, fresh, needs_price=needs_price, whole=True)
        for n, item in enumerate(results)
    ]
    _reject_duplicate_ids([(line.id, f"{entry.key_path(key)}.{n}") for n, line in enumerate(lines)], entry.issues)
    return tuple(lines)


def _parse_features(entry: ObjectReader) -> tuple[str, ...]:
    if not entry.has_key("features"):
        return ()
    path = entry.key_path("features")
    results = []
    for n, item in enumerate(parse_array(entry.values["features"], path, MAX_FEATURES, entry.issues)):
        try:
            results.append(object_parser.line_parser(200, 1)(item))
        except ValueError as problem:
            entry.issues.add(f"{path}.{n}", str(problem))
    return tuple(results)


def _list_ids(results: list[Any]) -> list[str]:
    return [item["id"] for item in results if isinstance(item, dict) and isinstance(item.get("id"), str)]


def _check_id(value: Any) -> str:
    if not isinstance(value, str) or not _ID_PATTERN.fullmatch(value):
        raise ValueError(messages.ID_INVALID)
    return value


def _reject_duplicate_ids(ids: list[tuple[str, str]], issues: Issues) -> None:
    seen: set[str] = set()
    for id, path in ids:
        if id in seen:
            issues.add(f"{path}.id", messages.ID_REPEATED)
        seen.add(id)


def _item_path(path: str, number: int) -> str:
    return f"{path}.{number}" if path else str(number)


def _format_price(amount: Decimal) -> str:
    """Format a price, such as `50.00` or `0.035`."""
    text = format_number(amount)
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.ljust(2, '0')}"
