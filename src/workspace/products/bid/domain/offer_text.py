"""A proposal in people's words, in the language that is spoken: what its paper, its page and its mails say alike. Every
amount is one of `totals`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext

from workspace.lib.money import decimals_of
from workspace.products.bid.rules import selection as bid_selection
from workspace.products.bid.rules.offer import PERCENT, Line, Offer, Package, Selection, Share
from workspace.products.bid.rules.totals import Totals, line_total, package_total
from workspace.publishing.language import amount, number


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it is shown: `quantity` with its unit, `price` of one, what it comes to."""

    id: str
    name: str
    description: str
    quantity: str
    price: str
    total: str
    section: str
    optional: bool
    counted: bool

    @property
    def number_and_unit(self) -> list[str]:
        """The quantity in its parts: the unit is somebody's own word."""
        return self.quantity.split("\u00a0", 1)


@dataclass(frozen=True, slots=True)
class Sum:
    """A line below the prices; `kind` is subtotal, discount, tax, total, deposit or balance, `rate` of what is so many
    percent."""

    kind: str
    label: str
    value: str
    rate: str = ""

    @property
    def whole_label(self) -> str:
        return f"{self.label} ({self.rate})" if self.rate else self.label


def row(line: Line, offer: Offer, language: str, *, counted: bool = True) -> Row:
    currency = offer.currency
    has_price = line.unit_price is not None
    quantity = number(line.quantity, language) + (f"\u00a0{line.unit}" if line.unit else "")
    return Row(
        id=line.id,
        name=line.name,
        description=line.description,
        quantity=quantity if line.quantity != 1 or line.unit else "",
        price=price_of(line, currency, language) if has_price else "",
        total=amount(line_total(line, currency), currency, language) if has_price else "",
        section=line.section,
        optional=line.optional,
        counted=counted,
    )


def price_of(line: Line, currency: str, language: str) -> str:
    """A price of one, which may be finer than the currency's coins."""
    assert line.unit_price is not None
    minor = line.unit_price.scaleb(decimals_of(currency))
    if minor == minor.to_integral_value():
        return amount(int(minor), currency, language)
    return f"{number(line.unit_price, language, decimals=4)}\u00a0{currency}"


def rows(offer: Offer, selection: Selection, language: str) -> list[Row]:
    """The lines beside the packages, options that are not chosen among them."""
    return [
        row(line, offer, language, counted=not line.optional or line.id in selection.options) for line in offer.lines
    ]


def package_price(package: Package, offer: Offer, language: str) -> str:
    return amount(package_total(package, offer.currency), offer.currency, language)


def sums(offer: Offer, found: Totals, language: str, tax_label: str = "") -> list[Sum]:
    """The figures below the lines, those that say nothing left out. They add up as they stand."""
    currency = found.currency
    told = [Sum("total", gettext("Total"), amount(found.total, currency, language))]
    if found.discount:
        value = amount(-found.discount, currency, language)
        told.insert(0, _of_share("discount", offer.discount, gettext("Discount"), value, language))
    if found.tax:
        label = tax_label or gettext("Tax")
        if offer.tax_inclusive:
            label = gettext("of which %(tax)s") % {"tax": label}
        tax = Sum("tax", label, amount(found.tax, currency, language), _percent(offer.tax_rate, language))
        told.insert(len(told) - (not offer.tax_inclusive), tax)
    if len(told) > 1:
        told.insert(0, Sum("subtotal", gettext("Subtotal"), amount(found.subtotal, currency, language)))
    if found.deposit:
        value = amount(found.deposit, currency, language)
        told.append(_of_share("deposit", offer.deposit, gettext("Deposit on approval"), value, language))
        told.append(Sum("balance", gettext("Balance"), amount(found.balance, currency, language)))
    return told


def _of_share(kind: str, share: Share | None, usual: str, value: str, language: str) -> Sum:
    label = share.label if share is not None and share.label else usual
    rate = _percent(share.value, language) if share is not None and share.kind == PERCENT else ""
    return Sum(kind, label, value, rate)


def _percent(value: Decimal, language: str) -> str:
    return f"{number(value, language)}\u00a0%"


def chosen_names(offer: Offer, data: dict[str, Any]) -> list[str]:
    """What was chosen, by name: the package first, then the options."""
    lines, package = bid_selection.taken(offer, bid_selection.read(data, offer))
    return [*([package.name] if package else []), *(line.name for line in lines if line.optional)]
