"""The client's selection from an offer: parsing and serialization, shared by page, tools, records and PDFs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.errors import InvalidInputError
from workspace.products.bid import messages
from workspace.products.bid.rules.offer import Offer, OfferLine, Package, Selection
from workspace.products.bid.rules.totals import Totals, default_selection


def build_selection(offer: Offer, package: str | None, options: Sequence[str]) -> Selection:
    """Build a selection. Raise InvalidInputError, with paths below `selection`, for items that are not offered."""
    faults = [
        (f"selection.options.{n}", messages.OPTION_NOT_FOUND(id=id))
        for n, id in enumerate(options)
        if id not in offer.options
    ]
    if package is not None and offer.find_package(package) is None:
        faults.insert(0, ("selection.package", messages.PACKAGE_NOT_FOUND(id=package)))
    if faults:
        raise InvalidInputError.from_pairs(faults)
    return Selection(package, frozenset(options))


def is_complete(offer: Offer, selection: Selection) -> bool:
    """Return whether the selection can be approved. If the offer has packages, one must be selected."""
    return not offer.packages or selection.package is not None


def dump_selection(selection: Selection, offer: Offer) -> dict[str, Any]:
    """Return a selection as data, with the options in the order of the offer."""
    return {
        "package": selection.package,
        "options": [line.id for line in offer.lines if line.id in selection.options],
    }


def load_selection(data: dict[str, Any], offer: Offer) -> Selection:
    """Load a selection from the output of `dump_selection`. Return the default selection if the data is empty."""
    if not data:
        return default_selection(offer)
    return Selection(data["package"], frozenset(data["options"]))


def dump_totals(totals: Totals) -> dict[str, Any]:
    """Return the totals in minor units, for storage in records."""
    return {
        "currency": totals.currency,
        "subtotal": totals.subtotal,
        "discount": totals.discount,
        "tax": totals.tax,
        "total": totals.total,
        "deposit": totals.deposit,
        "balance": totals.balance,
    }


def list_selected_items(offer: Offer, selection: Selection) -> tuple[list[OfferLine], Package | None]:
    """Return the lines included in the totals, and the package."""
    lines = [line for line in offer.lines if not line.optional or line.id in selection.options]
    return lines, offer.find_package(selection.package)
