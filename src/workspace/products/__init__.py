"""The products of this instance, in the order of display.

Each name is a folder here. Its `manifest.py` contains everything that other packages need to know about the product.
"""

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
UPCOMING_NAMES: tuple[str, ...] = ()  # products whose tables exist but which are not shown yet


def list_manifests() -> list[Manifest]:
    """Return the `PRODUCT` of each product.

    Call it after the models are loaded. The settings use only the names.
    """
    return [import_module(f"{__name__}.{name}.manifest").PRODUCT for name in PRODUCT_NAMES]
