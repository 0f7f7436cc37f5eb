"""The style of a card: that of the brand, optionally with another color."""

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


def card_style(brand: Brand, theme: str, color: str) -> Style:
    """Return the style. Without a `colour` it uses that of the brand."""
    look = replace(brand.style, colour=color, accent="") if color else brand.style
    return replace(look, tone="dark" if theme == DARK_THEME else "")
