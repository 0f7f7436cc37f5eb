"""How a menu looks: the brand, or with a colour of its own."""

from __future__ import annotations

from dataclasses import replace

from workspace.brand.models import Brand
from workspace.brand.style import HOUSE, Look

AS_BRAND = "brand"
COLOURS = {
    AS_BRAND: "",
    "linen": HOUSE,
    "olive": "#56631b",
    "terracotta": "#a3431f",
    "harbour": "#17567f",
    "plum": "#7b2a67",
    "slate": "#2c3540",
}
THEMES = tuple(COLOURS)


def look_of(brand: Brand, theme: str) -> Look:
    colour = COLOURS.get(theme, "")
    return replace(brand.look, colour=colour, accent="") if colour else brand.look
