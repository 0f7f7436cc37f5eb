"""The products of this installation, one line each, in the order in which they are shown. A name is a folder here,
whose `manifest.py` says all that others need to know of the product."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workspace.publishing.manifest import Manifest

PRODUCT_NAMES = (
    "qr",
    "card",
    "links",
    "reviews",
    "menu",
    "booking",
    "bid",
    "form",
    "waiver",
    "certs",
    "seat",
    "event",
)
UPCOMING_NAMES: tuple[str, ...] = ()  # those whose tables are there, and whom nobody is shown yet


def list_manifests() -> list[Manifest]:
    """Each product's PRODUCT. Models must be there: settings know no more than the names."""
    return [import_module(f"{__name__}.{name}.manifest").PRODUCT for name in PRODUCT_NAMES]
