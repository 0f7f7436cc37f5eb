"""What a client takes of an offer: read from ids, told as data, in the same way by page, tool, record and paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.errors import InvalidInputError
from workspace.products.bid.rules.offer import Offer, OfferLine, Package, Selection, default_selection
from workspace.products.bid.rules.totals import Totals


def build_selection(offer: Offer, package: str | None, options: Sequence[str]) -> Selection:
    """Raises InvalidInputError for all that is not on offer, where it stands in the argument `selection`."""
    faults = [
        (f"selection.options.{n}", f"There is no such option: {id}")
        for n, id in enumerate(options)
        if id not in offer.options
    ]
    if package is not None and offer.find_package(package) is None:
        faults.insert(0, ("selection.package", f"There is no such package: {package}"))
    if faults:
        raise InvalidInputError.from_pairs(faults)
    return Selection(package, frozenset(options))


def is_complete(offer: Offer, selection: Selection) -> bool:
    """Whether it can be approved: a package is taken where there are some."""
    return not offer.packages or selection.package is not None


def dump_selection(selection: Selection, offer: Offer) -> dict[str, Any]:
    """Options in the order in which they stand."""
    return {
        "package": selection.package,
        "options": [line.id for line in offer.lines if line.id in selection.options],
    }


def load_selection(data: dict[str, Any], offer: Offer) -> Selection:
    """What `dump_selection` told; what is first shown where there is none."""
    if not data:
        return default_selection(offer)
    return Selection(data["package"], frozenset(data["options"]))


def dump_totals(found: Totals) -> dict[str, Any]:
    """In minor units, for records."""
    return {
        "currency": found.currency,
        "subtotal": found.subtotal,
        "discount": found.discount,
        "tax": found.tax,
        "total": found.total,
        "deposit": found.deposit,
        "balance": found.balance,
    }


def selected_items(offer: Offer, selection: Selection) -> tuple[list[OfferLine], Package | None]:
    """The lines that count, and the package."""
    lines = [line for line in offer.lines if not line.optional or line.id in selection.options]
    return lines, offer.find_package(selection.package)
