"""A proposal's text in the active language, shared by its PDF, page and emails.

All amounts come from `compute_totals`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from workspace.lib.money import currency_decimals
from workspace.products.bid.rules import selection as bid_selection
from workspace.products.bid.rules.offer import PERCENT, Offer, OfferLine, Package, Selection, Share
from workspace.products.bid.rules.totals import Totals, compute_line_total, compute_package_total
from workspace.publishing.language import format_amount, format_number


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A line as displayed: `quantity` with its unit, `price` per unit, and the total."""

    id: str
    name: str
    description: str
    quantity: str
    price: str
    total: str
    section: str
    optional: bool
    is_counted: bool

    @property
    def quantity_parts(self) -> list[str]:
        """The quantity and its unit. The unit is text that the owner wrote."""
        return self.quantity.split("\u00a0", 1)


@dataclass(frozen=True, slots=True)
class TotalRow:
    """A row of the totals.

    `kind` is subtotal, discount, tax, total, deposit or balance. `rate` is the percentage, if any."""

    kind: str
    label: str
    value: str
    rate: str = ""

    @property
    def full_label(self) -> str:
        return f"{self.label} ({self.rate})" if self.rate else self.label


def build_line_row(line: OfferLine, offer: Offer, language: str, *, counted: bool = True) -> OfferRow:
    currency = offer.currency
    has_price = line.unit_price is not None
    quantity = format_number(line.quantity, language) + (f"\u00a0{line.unit}" if line.unit else "")
    return OfferRow(
        id=line.id,
        name=line.name,
        description=line.description,
        quantity=quantity if line.quantity != 1 or line.unit else "",
        price=format_unit_price(line, currency, language) if has_price else "",
        total=format_amount(compute_line_total(line, currency), currency, language) if has_price else "",
        section=line.section,
        optional=line.optional,
        is_counted=counted,
    )


def format_unit_price(line: OfferLine, currency: str, language: str) -> str:
    """Format a price per unit, which may have more decimals than the currency."""
    assert line.unit_price is not None
    minor = line.unit_price.scaleb(currency_decimals(currency))
    if minor == minor.to_integral_value():
        return format_amount(int(minor), currency, language)
    return f"{format_number(line.unit_price, language, decimals=4)}\u00a0{currency}"


def build_line_rows(offer: Offer, selection: Selection, language: str) -> list[OfferRow]:
    """Return the lines that are not part of a package, including options that are not selected."""
    return [
        build_line_row(line, offer, language, counted=not line.optional or line.id in selection.options)
        for line in offer.lines
    ]


def format_package_price(package: Package, offer: Offer, language: str) -> str:
    return format_amount(compute_package_total(package, offer.currency), offer.currency, language)


def build_total_rows(offer: Offer, totals: Totals, language: str, tax_label: str = "") -> list[TotalRow]:
    """Return the rows of the totals, without empty ones. The displayed amounts add up."""
    currency = totals.currency
    lines = [TotalRow("total", gettext("Total"), format_amount(totals.total, currency, language))]
    if totals.discount:
        value = format_amount(-totals.discount, currency, language)
        lines.insert(0, _build_share_row("discount", offer.discount, gettext("Discount"), value, language))
    if totals.tax:
        label = tax_label or gettext("Tax")
        if offer.tax_inclusive:
            label = gettext("including %(tax)s") % {"tax": label}
        tax = TotalRow(
            "tax", label, format_amount(totals.tax, currency, language), format_percent(offer.tax_rate, language)
        )
        lines.insert(len(lines) - (not offer.tax_inclusive), tax)
    if len(lines) > 1:
        lines.insert(0, TotalRow("subtotal", gettext("Subtotal"), format_amount(totals.subtotal, currency, language)))
    if totals.deposit:
        value = format_amount(totals.deposit, currency, language)
        lines.append(_build_share_row("deposit", offer.deposit, gettext("Deposit on approval"), value, language))
        lines.append(TotalRow("balance", gettext("Balance"), format_amount(totals.balance, currency, language)))
    return lines


def _build_share_row(kind: str, share: Share | None, default_label: str, value: str, language: str) -> TotalRow:
    label = share.label if share is not None and share.label else default_label
    rate = format_percent(share.value, language) if share is not None and share.kind == PERCENT else ""
    return TotalRow(kind, label, value, rate)


def format_percent(value: Decimal, language: str) -> str:
    """Format a percentage, such as `7.5 %`."""
    return f"{format_number(value, language)}\u00a0%"


def list_chosen_names(offer: Offer, data: dict[str, Any]) -> list[str]:
    """Return the names of the selected items: the package first, then the options."""
    lines, package = bid_selection.list_selected_items(offer, bid_selection.load_selection(data, offer))
    return [*([package.name] if package else []), *(line.name for line in lines if line.optional)]
