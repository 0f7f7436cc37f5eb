"""What a client takes of an offer: read from ids, told as data, in the same way by page, tool, record and paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.lib.errors import InvalidInput
from workspace.products.bid.rules.offer import Line, Offer, Package, Selection, first_shown
from workspace.products.bid.rules.totals import Totals


def selection_of(offer: Offer, package: str | None, options: Sequence[str]) -> Selection:
    """Raises InvalidInput for all that is not on offer, where it stands in the argument `selection`."""
    faults = [
        (f"selection.options.{n}", f"There is no such option: {id}")
        for n, id in enumerate(options)
        if id not in offer.options
    ]
    if package is not None and offer.package(package) is None:
        faults.insert(0, ("selection.package", f"There is no such package: {package}"))
    if faults:
        raise InvalidInput.of(faults)
    return Selection(package, frozenset(options))


def is_complete(offer: Offer, selection: Selection) -> bool:
    """Whether it can be approved: a package is taken where there are some."""
    return not offer.packages or selection.package is not None


def data_of(selection: Selection, offer: Offer) -> dict[str, Any]:
    """Options in the order in which they stand."""
    return {
        "package": selection.package,
        "options": [line.id for line in offer.lines if line.id in selection.options],
    }


def read(data: dict[str, Any], offer: Offer) -> Selection:
    """What `data_of` told; what is first shown where there is none."""
    if not data:
        return first_shown(offer)
    return Selection(data["package"], frozenset(data["options"]))


def sums_of(found: Totals) -> dict[str, Any]:
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


def taken(offer: Offer, selection: Selection) -> tuple[list[Line], Package | None]:
    """The lines that count, and the package."""
    lines = [line for line in offer.lines if not line.optional or line.id in selection.options]
    return lines, offer.package(selection.package)
