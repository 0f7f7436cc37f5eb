"""How a card looks: the brand, with a colour of its own where it has one."""

from __future__ import annotations

from dataclasses import replace

from workspace.brand.models import Brand
from workspace.brand.style import Style

DARK_THEME = "midnight"
THEME_DESCRIPTIONS = {
    "classic": "Colour above, picture in the middle",
    "bold": "The whole head in your colour",
    "minimal": "Paper, and your colour only where one taps",
    "midnight": "Dark by day, too",
}


def card_style(brand: Brand, theme: str, colour: str) -> Style:
    """Without a `colour` it is the brand's."""
    look = replace(brand.style, colour=colour, accent="") if colour else brand.style
    return replace(look, tone="dark" if theme == DARK_THEME else "")
