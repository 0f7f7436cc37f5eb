"""The one function of a proposal's sums, for page, PDF, mail and every answer: pure, in whole minor units.

Each figure is rounded once, half away from zero: a line, then the discount, the tax and the deposit, in this order. So
what is shown can be added up again by anybody:

    sum of counted lines (and the package) = subtotal;  subtotal - discount + tax = total;  deposit + balance = total

Where some lines are not taxed, the discount is spread over all of them in minor units by largest remainder, ties to the
earlier line, and the tax is taken once of what is left of the taxed ones. `tax_inclusive`: the tax is within the total.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal, localcontext

from workspace.lib.money import decimals_of, number_of
from workspace.products.bid.rules.offer import PERCENT, Line, Offer, Package, Selection, Share, first_shown

MOST = 10**13  # minor units of a whole: what every program still reads exactly
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class LineTotal:
    """`counted`: it is in the sum, as all but the options that are not chosen."""

    id: str
    total: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Totals:
    """Minor units of the currency. `lines` are those that stand beside the packages; `package` is the chosen one's."""

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


def line_total(line: Line, currency: str) -> int:
    """Quantity by price, rounded."""
    return _minor(_EXACT.multiply(line.quantity, line.unit_price or Decimal(0)), currency)


def package_total(package: Package, currency: str) -> int:
    if package.price is not None:
        return _minor(package.price, currency)
    return sum(line_total(line, currency) for line in package.lines)


def totals(offer: Offer, selection: Selection | None = None) -> Totals:
    """The sums of what is selected, or of what is shown first; with the span of all that may be selected."""
    chosen = first_shown(offer) if selection is None else selection
    found, *ends = of_each(offer, [chosen, *_ends(offer)])
    spans = [one.total for one in (found, *ends)]
    return replace(found, total_from=min(spans), total_to=max(spans))


def of_each(offer: Offer, selections: Iterable[Selection]) -> list[Totals]:
    """The sums of several selections, without their span: each line is reckoned once."""
    reckoned = [(line, line_total(line, offer.currency)) for line in offer.lines]
    return [_of(offer, one, reckoned) for one in selections]


def _of(offer: Offer, selection: Selection, reckoned: Sequence[tuple[Line, int]]) -> Totals:
    lines = tuple(
        LineTotal(line.id, total, not line.optional or line.id in selection.options) for line, total in reckoned
    )
    taxable = {line.id: line.taxable for line in offer.lines}
    parts = [(line.total, taxable[line.id]) for line in lines if line.counted]
    package = offer.package(selection.package)
    if package is not None:
        parts += _parts_of(package, offer.currency)
    base = sum(amount for amount, _ in parts)
    discount = min(_share(offer.discount, base, offer.currency), base)
    with localcontext(_EXACT):
        tax = _tax(offer, _taxed(parts, discount))
    total = base - discount + (0 if offer.tax_inclusive else tax)
    deposit = min(_share(offer.deposit, total, offer.currency), total)
    chosen = package_total(package, offer.currency) if package is not None else 0
    return Totals(offer.currency, base, discount, tax, total, deposit, lines, chosen)


def _parts_of(package: Package, currency: str) -> list[tuple[int, bool]]:
    if package.price is not None:
        return [(package_total(package, currency), package.taxable)]
    return [(line_total(line, currency), line.taxable and package.taxable) for line in package.lines]


def _share(share: Share | None, of: int, currency: str) -> int:
    if share is None:
        return 0
    with localcontext(_EXACT):
        if share.kind == PERCENT:
            return _rounded(of * share.value / 100)
        return _minor(share.value, currency)


def _taxed(parts: Sequence[tuple[int, bool]], discount: int) -> int:
    """What is left of the taxed parts behind the discount."""
    base = sum(amount for amount, _ in parts)
    if all(taxed for _, taxed in parts) or not discount:
        return sum(amount for amount, taxed in parts if taxed) - (discount if all(t for _, t in parts) else 0)
    shares = spread(discount, [amount for amount, _ in parts]) if base else [0] * len(parts)
    return sum(amount - share for (amount, taxed), share in zip(parts, shares, strict=True) if taxed)


def spread(amount: int, over: Sequence[int]) -> list[int]:
    """An amount in proportion to weights, exactly: what the whole units leave goes to the largest remainders, of equal
    ones to the earlier."""
    whole = sum(over)
    shares = [amount * weight // whole for weight in over]
    by_rest = sorted(range(len(over)), key=lambda at: -(amount * over[at] % whole))
    for at in by_rest[: amount - sum(shares)]:
        shares[at] += 1
    return shares


def _tax(offer: Offer, taxed: int) -> int:
    if offer.tax_inclusive:
        return _rounded(taxed * offer.tax_rate / (100 + offer.tax_rate))
    return _rounded(taxed * offer.tax_rate / 100)


def _ends(offer: Offer) -> tuple[Selection, Selection]:
    """The least and the most that can be chosen."""

    def price(package: Package) -> int:
        return package_total(package, offer.currency)

    least = min(offer.packages, key=price).id if offer.packages else None
    most = max(offer.packages, key=price).id if offer.packages else None
    return Selection(least), Selection(most, offer.options)


def is_too_much(offer: Offer) -> bool:
    """Whether some selection comes to more than can be told exactly."""
    return of_each(offer, _ends(offer)[1:])[0].total > MOST


def _minor(amount: Decimal, currency: str) -> int:
    return _rounded(_EXACT.scaleb(amount, Decimal(decimals_of(currency))))


def _rounded(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_HALF_UP))


def money(minor: int, currency: str) -> float:
    """Minor units as the wire has them."""
    return number_of(minor, currency) or 0.0
