"""The theme of a menu: the brand's style, or custom colors."""

from __future__ import annotations

from dataclasses import replace

from workspace.brand.models import Brand
from workspace.brand.style import DEFAULT_COLOR, Style

AS_BRAND = "brand"
THEME_COLORS = {
    AS_BRAND: "",
    "linen": DEFAULT_COLOR,
    "olive": "#56631b",
    "terracotta": "#a3431f",
    "harbour": "#17567f",
    "plum": "#7b2a67",
    "slate": "#2c3540",
}
THEMES = tuple(THEME_COLORS)


def menu_style(brand: Brand, theme: str) -> Style:
    color = THEME_COLORS.get(theme, "")
    return replace(brand.style, color=color, accent="") if color else brand.style
