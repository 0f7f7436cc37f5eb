"""The form of a proposal: building the tool's arguments from posted fields, and the markup of lines.

There may be several hundred lines, so their rows are rendered by hand. The template tag for fields would render several
templates for each row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from workspace.dashboard.form_arguments import build_arguments
from workspace.dashboard.forms import ToolForm
from workspace.lib import money, number_fields, number_parser
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.products.bid.rules import number_input
from workspace.products.bid.rules.offer_input import MAX_LINES
from workspace.public_site.bulk_template import render_rows
from workspace.tools.tool import Tool

SPARE_LINES = 2
_SAME_SECTION_CLASS = " is-same"  # the heading is shown above the first line of a section only
_CHECKED_ATTRIBUTE, _OPEN_ATTRIBUTE = mark_safe(" checked"), mark_safe(" open")
LABELS = {
    "title": _("Title"),
    "client_name": _("Client"),
    "client_company": _("Company"),
    "client_email": _("Email"),
    "intro": _("Introduction"),
    "line_items": _("Line items"),
    "line_items.name": _("Line name"),
    "line_items.quantity": _("Line quantity"),
    "line_items.unit_price": _("Line price"),
    "line_items.unit": _("Line unit"),
    "line_items.description": _("Line description"),
    "line_items.section": _("Line heading"),
    "packages": _("Packages"),
    "packages.name": _("Package name"),
    "packages.price": _("Package price"),
    "packages.features": _("Package features"),
    "packages.description": _("Package description"),
    "packages.recommended": _("Recommended package"),
    "discount": _("Discount"),
    "discount.value": _("Discount"),
    "discount.label": _("Discount name"),
    "discount.type": _("Discount type"),
    "tax_rate": _("Tax"),
    "tax_label": _("Tax name"),
    "tax_inclusive": _("Prices include tax"),
    "deposit": _("Deposit"),
    "deposit.value": _("Deposit"),
    "deposit.type": _("Deposit type"),
    "currency": _("Currency"),
    "notes": _("Terms"),
    "valid_until": _("Valid until"),
    "image": _("Image"),
    "image_id": _("Image"),
    "video_url": _("Video"),
}
_LINE_FIELDS = (
    "id",
    "name",
    "description",
    "quantity",
    "unit_price",
    "unit",
    "optional",
    "selected",
    "taxable",
    "section",
)
_VISIBLE_FIELDS = {"name", "quantity", "unit_price", "unit", "description", "section"}  # not below “More”
_EMPTY_LINE = dict.fromkeys(_LINE_FIELDS, "")
PRICE_PATHS = ("line_items.unit_price", "packages.price")
_PACKAGE_FIELDS = ("id", "name", "description", "price", "features", "recommended", "taxable")


class BidForm(ToolForm):
    """The form of a proposal.

    A discount or deposit without a value is removed. Its type is percent by default. Each feature of a package is
    written on its own line. Only optional lines can be preselected.
    """

    def __init__(self, tool: Tool[Any], request: HttpRequest, *, currency: str, **more: Any) -> None:
        kinds = number_kinds_by_field(request, currency)
        super().__init__(tool, request, amounts=kinds, **more)
        if not self.is_bound:
            shares = {name: {"type": "percent", **(self.values.get(name) or {})} for name in ("discount", "deposit")}
            self.values = {**self.values, **shares}

    def add_error(self, path: str, message: str) -> None:
        super().add_error("discount.value" if path == "discount" and self.get_value(path) else path, message)

    @property
    def arguments(self) -> dict[str, Any]:
        stored = self.values
        self.values = self._clean_values()
        try:
            return super().arguments
        finally:
            self.values = stored

    @property
    def all_arguments(self) -> dict[str, Any]:
        """All arguments built from the form's values, including values that have not changed."""
        return build_arguments(self.schema, self._clean_values(), editing=True)

    def _clean_values(self) -> dict[str, Any]:
        return {name: _clean_argument(name, value) for name, value in self.values.items()}


def number_kinds_by_field(request: HttpRequest, currency: str) -> dict[str, str]:
    """Return the kind of number in each field of the form, which determines how it is parsed.

    Prices are in the chosen currency. Quantities are parsed as people type them.
    """
    chosen = request.POST.get("currency", "")
    price = number_fields.price_kind(chosen if chosen in money.CURRENCIES else currency, number_input.MAX_DECIMALS)
    shares = [f"{name}.value" for name in ("discount", "deposit") if request.POST.get(f"{name}.type") == "amount"]
    return {"line_items.quantity": number_fields.QUANTITY, **dict.fromkeys((*PRICE_PATHS, *shares), price)}


def _clean_argument(name: str, value: Any) -> Any:
    if name == "tax_rate" and value == "":
        return 0
    if name == "title" and isinstance(value, str):
        return " ".join(value.split())  # its field wraps, but it is one line
    if name in ("discount", "deposit") and isinstance(value, dict):
        return value if value.get("value") not in (None, "") else {}
    if name == "line_items" and isinstance(value, list):
        return [_clean_line(line) if isinstance(line, dict) else line for line in value]
    if name == "packages" and isinstance(value, list):
        return [_clean_package(package) if isinstance(package, dict) else package for package in value]
    return value


def _clean_line(line: Mapping[str, Any]) -> dict[str, Any]:
    stored = {name: value for name, value in line.items() if name != "selected" or line.get("optional") is True}
    return {**stored, "quantity": 1 if stored.get("quantity") in (None, "") else stored["quantity"]}


def _clean_package(package: Mapping[str, Any]) -> dict[str, Any]:
    features = package.get("features", [])
    texts = features if isinstance(features, list) else [str(features)]
    split = [part.strip() for text in texts for part in str(text).split("\n")]
    return {**package, "features": [part for part in split if part]}


def initial_values(bid: Mapping[str, Any]) -> dict[str, Any]:
    """Return the initial values of the form, based on the tool's answer."""
    return {
        **{name: drop_zero_decimals(bid[name]) for name in LABELS if name in bid},
        "image_id": bid["image_id"] or "",
        "line_items": [{name: line[name] for name in _LINE_FIELDS} for line in bid["line_items"]],
        "packages": [_package_initial(package) for package in bid["packages"]],
        "discount": {name: drop_zero_decimals(value) for name, value in (bid["discount"] or {}).items()},
        "deposit": {name: drop_zero_decimals(value) for name, value in (bid["deposit"] or {}).items()},
    }


def drop_zero_decimals(value: Any) -> Any:
    """Return `5` for 5.0, which the tools return for whole numbers."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def format_price(amount: float, currency: str) -> str:
    """Format an amount that a tool returned."""
    return money.format_amount(int(Decimal(repr(amount)).scaleb(money.currency_decimals(currency))), currency)


def _package_initial(package: Mapping[str, Any]) -> dict[str, Any]:
    lines = [{name: line[name] for name in _LINE_FIELDS if line[name] is not None} for line in package["line_items"]]
    return {**{name: package[name] for name in _PACKAGE_FIELDS}, "line_items": lines}


def render_lines(form: ToolForm, amounts: Sequence[str], spare: int = SPARE_LINES) -> SafeString:
    """Render the rows of the lines, followed by up to `spare` empty rows if the limit allows it.

    `amounts` are the totals of the lines.
    """
    value = form.values.get("line_items") or []
    present = [line for line in value if isinstance(line, dict)] if isinstance(value, list) else []
    empty = min(spare, max(MAX_LINES - len(present), 0))
    rows = [_present_row(form, "line_items", n, line) for n, line in enumerate([*present, *[{}] * empty])]
    for row, former, amount in zip(rows, [{}, *rows], [*amounts, *[""] * len(rows)], strict=False):
        row["amount"] = amount
        row["is_same"] = _SAME_SECTION_CLASS if row.get("section", "") == former.get("section", "") else ""
    return render_rows("bid/owner/parts/line.html", (_EMPTY_LINE | row | _line_markup(row) for row in rows))


def _line_markup(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the parts of a line's markup that depend on its values."""
    bad = format_html(' aria-invalid="true" aria-describedby="{}-bad"', row["dom"])
    html = format_html('<p class="field-error" id="{}-bad">{}</p>', row["dom"], row["error_text"])
    is_on = {"optional": row.get("optional") is True, "selected": row.get("selected") is True, **row}
    return {
        **{f"bad_{name}": bad if name in row["errors"] else "" for name in ("name", "quantity", "unit_price")},
        **{
            f"is_{name}": _CHECKED_ATTRIBUTE if is_on[name] is True else ""
            for name in ("optional", "selected", "taxable")
        },
        "error_markup": html if row["error_text"] else "",
        "is_open": _OPEN_ATTRIBUTE if row["more"] else "",
    }


def present_packages(form: ToolForm, prices: Sequence[str]) -> list[dict[str, Any]]:
    """Return the packages for the page, followed by an empty one if the limit allows it.

    `prices` are the prices of the packages as shown to the client.
    """
    value = form.values.get("packages") or []
    present = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    rows = [_present_row(form, "packages", n, item) for n, item in enumerate([*present, {}][:10])]
    for row, price in zip(rows, [*prices, *[""] * len(rows)], strict=False):
        row["shown_price"] = price
        features = row.get("features") or []
        row["features"] = "\n".join(map(str, features)) if isinstance(features, list) else str(features)
        row["inside"] = row.get("line_items") or []
        row["inside_names"] = ", ".join(str(line["name"]) for line in row["inside"])
        row["inside_json"] = json.dumps(row["inside"], ensure_ascii=False) if row["inside"] else ""
    return rows


def _present_row(form: ToolForm, path: str, n: int, values: Mapping[str, Any]) -> dict[str, Any]:
    at = f"{path}.{n}"
    errors = {
        name.removeprefix(f"{at}.").split(".")[0]: _join_sentences(error)
        for name, error in form.errors.items()
        if name == at or name.startswith(f"{at}.")
    }
    texts = {name: _format_value(value) for name, value in values.items()}
    return {
        **texts,
        "taxable": values.get("taxable", True) is not False,
        "n": n,
        "name_of": at,
        "dom": f"f-{at.replace('.', '-')}",
        "errors": errors,
        "error_text": _join_sentences(errors.values()),
        "is_new": not values,
        "more": bool(errors.keys() - _VISIBLE_FIELDS),
    }


def _join_sentences(texts: Iterable[str]) -> str:
    """Join sentences, with a period after each."""
    return " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in texts)


def _format_value(value: Any) -> Any:
    """Format a number without an exponent and without trailing zeros. Return any other value unchanged."""
    if isinstance(value, float):
        return number_parser.format_for_input(Decimal(f"{value:.4f}".rstrip("0").rstrip(".")))
    return "" if value is None else value
