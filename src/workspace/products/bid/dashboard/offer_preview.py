"""The amounts of an offer while its owner types, computed from the form's values before they are saved.

They are parsed and computed by the functions that also serve the client's page. A row that is incomplete has no amount
yet and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import get_language, gettext

from workspace.lib import money
from workspace.products.bid.dashboard.forms import BidForm
from workspace.products.bid.domain import offer_text
from workspace.products.bid.rules import offer_input
from workspace.products.bid.rules.number_input import parse_percent
from workspace.products.bid.rules.offer import PERCENT, Offer, OfferLine, Package, Share
from workspace.products.bid.rules.totals import compute_totals, exceeds_maximum
from workspace.publishing.language import format_amount


@dataclass(frozen=True, slots=True)
class OfferPreview:
    """What the page shows besides the fields.

    `lines` and `packages` have an amount for each row of the form, or "". `values` describe the current settings, by
    the name of their field.
    """

    lines: list[str]
    packages: list[str]
    figures: list[offer_text.TotalRow]
    total: str
    values: dict[str, str]


def build_preview(form: BidForm, currency: str) -> OfferPreview:
    """Compute the amounts for the form's values. `currency` is used if the form does not contain a valid one."""
    given = form.all_arguments
    chosen = str(given.get("currency") or currency)
    currency = chosen if chosen in money.CURRENCIES else currency
    lines = _parse_each(given.get("line_items"), offer_input.parse_lines)
    packages = _parse_each(given.get("packages"), offer_input.parse_packages)
    offer = Offer(
        currency=currency,
        lines=tuple(line for line in lines if line is not None),
        packages=tuple(package for package in packages if package is not None),
        discount=_parse_share(given.get("discount")),
        deposit=_parse_share(given.get("deposit")),
        tax_rate=_parse_rate(given.get("tax_rate")),
        tax_inclusive=given.get("tax_inclusive") is True,
    )
    return _present_offer(offer, lines, packages, given, get_language() or "en")


def _present_offer(
    offer: Offer,
    lines: Sequence[OfferLine | None],
    packages: Sequence[Package | None],
    given: Mapping[str, Any],
    language: str,
) -> OfferPreview:
    if exceeds_maximum(offer):  # the tool explains it when the form is saved
        offer = Offer(currency=offer.currency)
    totals = compute_totals(offer)
    return OfferPreview(
        lines=[offer_text.build_line_row(line, offer, language).total if line else "" for line in lines],
        packages=[offer_text.format_package_price(one, offer, language) if one else "" for one in packages],
        figures=offer_text.build_total_rows(offer, totals, language, str(given.get("tax_label", ""))),
        total=format_amount(totals.total, offer.currency, language),
        values=_describe_values(offer, given, language),
    )


def _describe_values(offer: Offer, given: Mapping[str, Any], language: str) -> dict[str, str]:
    tax = offer_text.format_percent(offer.tax_rate, language) if offer.tax_rate else gettext("None")
    if offer.tax_rate and offer.tax_inclusive:
        tax = gettext("%(rate)s, included") % {"rate": tax}
    return {
        "discount": _format_share(offer.discount, offer.currency, language),
        "tax": tax,
        "deposit": _format_share(offer.deposit, offer.currency, language),
        "client": str(given.get("client_email") or "") or gettext("No email"),
        "currency": offer.currency,
    }


def _format_share(share: Share | None, currency: str, language: str) -> str:
    if share is None:
        return gettext("None")
    if share.kind == PERCENT:
        return offer_text.format_percent(share.value, language)
    return money.format_exact_amount(share.value, currency)


def _parse_each(rows: Any, parse: Callable[[Any], tuple[Sequence[Any], Any]]) -> list[Any]:
    """Parse rows one by one. Return None for those with errors. Each gets its number as its id."""
    parsed = [parse([row]) for row in rows] if isinstance(rows, list) else []
    return [None if issues else replace(one[0], id=str(n)) for n, (one, issues) in enumerate(parsed)]


def _parse_share(given: Any) -> Share | None:
    share, issues = offer_input.parse_share(given or {})
    return None if issues else share


def _parse_rate(given: Any) -> Decimal:
    try:
        return parse_percent(given or 0)
    except ValueError:
        return Decimal(0)
