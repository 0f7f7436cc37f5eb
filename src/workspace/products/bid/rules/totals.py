"""The totals of a proposal, computed in minor units by a single pure function for page, PDF, emails and answers.

Each figure is rounded half away from zero, in this order: lines, discount, tax, deposit. The figures shown therefore
add up:

    sum of counted lines (and the package) = subtotal;  subtotal - discount + tax = total;  deposit + balance = total

If some lines are not taxed, the discount is distributed over all lines in minor units by largest remainder. In a tie,
the earlier line comes first. The tax is computed once, from the discounted taxed lines. With `tax_inclusive`, the total
includes the tax.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from workspace.lib.money import currency_decimals, to_wire_number
from workspace.products.bid.rules.offer import PERCENT, Offer, OfferLine, Package, Selection, Share

MAX_TOTAL = 10**13  # minor units; every program can represent it exactly
_DECIMAL_CONTEXT = Context(prec=60, rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class LineTotal:
    """The total of a line. `is_counted` is false for options that are not selected."""

    id: str
    total: int
    is_counted: bool


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals in minor units. `lines` are those outside packages. `package` is the total of the selected package."""

    currency: str
    subtotal: int
    discount: int
    tax: int
    total: int
    deposit: int
    lines: tuple[LineTotal, ...] = ()
    package: int = 0
    total_from: int = 0
    total_to: int = 0

    @property
    def balance(self) -> int:
        return self.total - self.deposit


def compute_line_total(line: OfferLine, currency: str) -> int:
    """Return the rounded product of quantity and price."""
    return _to_minor_units(_DECIMAL_CONTEXT.multiply(line.quantity, line.unit_price or Decimal(0)), currency)


def compute_package_total(package: Package, currency: str) -> int:
    """Return the price of a package, or the sum of the rounded totals of its lines."""
    if package.price is not None:
        return _to_minor_units(package.price, currency)
    return sum(compute_line_total(line, currency) for line in package.lines)


def default_selection(offer: Offer) -> Selection:
    """Return the selection shown first: preselected options, and the recommended or else the cheapest package."""
    chosen = frozenset(line.id for line in offer.lines if line.optional and line.selected)
    return Selection(_default_package(offer.packages, offer.currency), chosen)


def _default_package(packages: Iterable[Package], currency: str) -> str | None:
    results = list(packages)
    recommended = next((package.id for package in results if package.recommended), None)
    if recommended or not results:
        return recommended
    return min(results, key=lambda package: compute_package_total(package, currency)).id


def compute_totals(offer: Offer, selection: Selection | None = None) -> Totals:
    """Compute the totals of a selection (by default the one shown first) and the range over all selections."""
    chosen = default_selection(offer) if selection is None else selection
    totals, *ends = compute_totals_of_each(offer, [chosen, *_cheapest_and_most_expensive(offer)])
    spans = [totals.total for totals in (totals, *ends)]
    return replace(totals, total_from=min(spans), total_to=max(spans))


def compute_totals_of_each(offer: Offer, selections: Iterable[Selection]) -> list[Totals]:
    """Compute the totals of several selections, without the range. Each line is computed only once."""
    reckoned = [(line, compute_line_total(line, offer.currency)) for line in offer.lines]
    return [_compute_selection(offer, selection, reckoned) for selection in selections]


def _compute_selection(offer: Offer, selection: Selection, line_totals: Sequence[tuple[OfferLine, int]]) -> Totals:
    lines = tuple(
        LineTotal(line.id, total, not line.optional or line.id in selection.options) for line, total in line_totals
    )
    taxable = {line.id: line.taxable for line in offer.lines}
    parts = [(line.total, taxable[line.id]) for line in lines if line.is_counted]
    package = offer.find_package(selection.package)
    if package is not None:
        parts += _package_parts(package, offer.currency)
    base = sum(amount for amount, _ in parts)
    discount = min(_share_amount(offer.discount, base, offer.currency), base)
    with localcontext(_DECIMAL_CONTEXT):
        tax = _compute_tax(offer, _taxable_amount(parts, discount))
    total = base - discount + (0 if offer.tax_inclusive else tax)
    deposit = min(_share_amount(offer.deposit, total, offer.currency), total)
    chosen = compute_package_total(package, offer.currency) if package is not None else 0
    return Totals(offer.currency, base, discount, tax, total, deposit, lines, chosen)


def _package_parts(package: Package, currency: str) -> list[tuple[int, bool]]:
    if package.price is not None:
        return [(compute_package_total(package, currency), package.taxable)]
    return [(compute_line_total(line, currency), line.taxable and package.taxable) for line in package.lines]


def _share_amount(share: Share | None, total: int, currency: str) -> int:
    if share is None:
        return 0
    with localcontext(_DECIMAL_CONTEXT):
        if share.kind == PERCENT:
            return _round_half_up(total * share.value / 100)
        return _to_minor_units(share.value, currency)


def _taxable_amount(parts: Sequence[tuple[int, bool]], discount: int) -> int:
    """Return the taxed amount after the discount."""
    base = sum(amount for amount, _ in parts)
    if all(taxed for _, taxed in parts) or not discount:
        return sum(amount for amount, taxed in parts if taxed) - (discount if all(t for _, t in parts) else 0)
    shares = distribute_amount(discount, [amount for amount, _ in parts]) if base else [0] * len(parts)
    return sum(amount - share for (amount, taxed), share in zip(parts, shares, strict=True) if taxed)


def distribute_amount(amount: int, weights: Sequence[int]) -> list[int]:
    """Distribute an amount in proportion to weights by the largest remainder method. Ties favor earlier weights."""
    whole = sum(weights)
    shares = [amount * weight // whole for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda at: -(amount * weights[at] % whole))
    for at in by_rest[: amount - sum(shares)]:
        shares[at] += 1
    return shares


def _compute_tax(offer: Offer, taxed: int) -> int:
    if offer.tax_inclusive:
        return _round_half_up(taxed * offer.tax_rate / (100 + offer.tax_rate))
    return _round_half_up(taxed * offer.tax_rate / 100)


def _cheapest_and_most_expensive(offer: Offer) -> tuple[Selection, Selection]:
    """Return the cheapest and the most expensive selection."""

    def package_total(package: Package) -> int:
        return compute_package_total(package, offer.currency)

    least = min(offer.packages, key=package_total).id if offer.packages else None
    most = max(offer.packages, key=package_total).id if offer.packages else None
    return Selection(least), Selection(most, offer.options)


def exceeds_maximum(offer: Offer) -> bool:
    """Return whether the total of any selection exceeds the maximum."""
    return compute_totals_of_each(offer, _cheapest_and_most_expensive(offer)[1:])[0].total > MAX_TOTAL


def _to_minor_units(amount: Decimal, currency: str) -> int:
    return _round_half_up(_DECIMAL_CONTEXT.scaleb(amount, Decimal(currency_decimals(currency))))


def _round_half_up(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_HALF_UP))


def to_major_units(minor: int, currency: str) -> float:
    """Convert minor units to the number used in answers."""
    return to_wire_number(minor, currency) or 0.0
