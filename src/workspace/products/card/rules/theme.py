"""How a card looks: the brand, with a colour of its own where it has one."""

from __future__ import annotations

from dataclasses import replace

from workspace.brand.models import Brand
from workspace.brand.style import Look

MIDNIGHT = "midnight"
THEMES = {
    "classic": "Colour above, picture in the middle",
    "bold": "The whole head in your colour",
    "minimal": "Paper, and your colour only where one taps",
    "midnight": "Dark by day, too",
}


def look_of(brand: Brand, theme: str, colour: str) -> Look:
    """Without a `colour` it is the brand's."""
    look = replace(brand.look, colour=colour, accent="") if colour else brand.look
    return replace(look, tone="dark" if theme == MIDNIGHT else "")
