"""The style of a card: that of the brand, optionally with another color."""

from __future__ import annotations

from dataclasses import replace

from workspace.brand.models import Brand
from workspace.brand.style import Style

DARK_THEME = "midnight"


def card_style(brand: Brand, theme: str, color: str) -> Style:
    """Return the style of a card. Without a `color`, use the brand's color."""
    look = replace(brand.style, color=color, accent="") if color else brand.style
    return replace(look, tone="dark" if theme == DARK_THEME else "")
