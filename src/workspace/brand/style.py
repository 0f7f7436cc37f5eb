"""A style: two colors, a pair of typefaces, a shape of corners, and the resulting style sheet.

The URL of a sheet contains everything it depends on. So it is served without a query, and browsers cache it forever.
Guest pages use only these variables:

    --paper --card --ink --soft --line --edge    page, cards, text, lines
    --brand --on-brand --tint                    readable brand color, text on it, a light shade of it
    --accent --on-accent                         the same for the second color
    --band --band-end --on-band                  original colors for wide areas, and text on both
    --bad --bad-tint                             errors
    --radius --radius-small --radius-button      corners of cards, of elements in cards, of buttons
    --font-head --font-text                      typefaces
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from workspace.brand.color_contrast import BLACK, WHITE, contrast_ratio, mix_colors, readable_color, text_color_on
from workspace.brand.fonts import FONT_PAIRS, SYSTEM

DEFAULT_COLOR = "#17604b"
CORNER_RADII = {
    "sharp": ("0.25rem", "0.25rem", "0.25rem"),
    "soft": ("1.375rem", "0.875rem", "0.875rem"),
    "round": ("1.75rem", "1.125rem", "99rem"),
}
_DEFAULT_CORNERS = "soft"
PATH_PATTERN = (
    r"(?P<color>[0-9a-f]{6})-(?P<accent>[0-9a-f]{6}|own)-(?P<fonts>[a-z]+)-(?P<corners>[a-z]+)"
    r"(?:-(?P<tone>dark|light))?"
)


@dataclass(frozen=True, slots=True)
class Palette:
    """Colors of the page, cards and text that do not depend on the brand."""

    paper: str
    card: str
    towards: str  # direction in which colors become readable here
    other_colors: dict[str, str]

    @property
    def ink(self) -> str:
        return self.other_colors["ink"]

    @property
    def soft(self) -> str:
        return self.other_colors["soft"]


_DAY_COLORS = {"ink": "#28221b", "soft": "#625a50", "line": "#e5dccd", "edge": "#92866f"}
_NIGHT_COLORS = {"ink": "#f2ece2", "soft": "#b8ad9f", "line": "#38332c", "edge": "#7a7164"}
DAY = Palette("#faf6ef", "#fffdf9", BLACK, {**_DAY_COLORS, "bad": "#a92a1c", "bad-tint": "#fbe3dc"})
NIGHT = Palette("#14130f", "#1f1d19", WHITE, {**_NIGHT_COLORS, "bad": "#ff9d8a", "bad-tint": "#44201a"})


@dataclass(frozen=True, slots=True)
class Style:
    """A style with colors as `#rrggbb`.

    If there is no accent, the main color is used. `tone` is `dark` or `light`; if it is empty, the guest's device
    decides.
    """

    color: str = DEFAULT_COLOR
    accent: str = ""
    fonts: str = SYSTEM
    corners: str = _DEFAULT_CORNERS
    tone: str = ""

    @property
    def url(self) -> str:
        name = f"{self.color[1:]}-{self.accent[1:] or 'own'}-{self.fonts}-{self.corners}"
        name += f"-{self.tone}" if self.tone else ""
        return f"/styles/{name}.{css_digest(self)}.css"

    @classmethod
    def from_path(cls, color: str, accent: str, fonts: str, corners: str, tone: str | None) -> Style | None:
        """Build the style from the parts of a URL path matched by PATH_PATTERN. Return None if it is invalid."""
        if fonts not in FONT_PAIRS or corners not in CORNER_RADII:
            return None
        return cls(f"#{color}", "" if accent == "own" else f"#{accent}", fonts, corners, tone or "")

    def compute_colors(self, ground: Palette) -> dict[str, str]:
        """Return all colors for a background, keyed by the names of their CSS variables."""
        paper, tint = mix_colors(ground.paper, self.color, 0.07), mix_colors(ground.card, self.color, 0.14)
        grounds = (paper, tint, ground.card)
        brand = readable_color(self.color, grounds, ground.towards)
        accent = readable_color(self.accent, grounds, ground.towards) if self.accent else brand
        on_band = text_color_on(self.color)
        # Away from the text's color, so that the text is readable on the entire gradient.
        away = BLACK if on_band == WHITE else WHITE
        end = readable_color(self.accent, (on_band,), away) if self.accent else mix_colors(self.color, away, 0.28)
        return {
            "paper": paper,
            "card": ground.card,
            "tint": tint,
            "brand": brand,
            "on-brand": text_color_on(brand),
            "accent": accent,
            "on-accent": text_color_on(accent),
            "band": self.color,
            "band-end": end,
            "on-band": on_band,
            **ground.other_colors,
        }


@lru_cache(maxsize=512)
def render_css(style: Style) -> str:
    pair, shapes = FONT_PAIRS[style.fonts], _render_shapes(style)
    if style.tone:
        ground = NIGHT if style.tone == "dark" else DAY
        return (
            f"{pair.css_rules}:root{{{_render_variables(style.compute_colors(ground))}{shapes}"
            f"color-scheme:{style.tone}}}\n"
        )
    day, night = style.compute_colors(DAY), style.compute_colors(NIGHT)
    night = {name: value for name, value in night.items() if day[name] != value}
    nightly = f"@media (prefers-color-scheme:dark){{:root{{{_render_variables(night)}}}}}\n"
    return f"{pair.css_rules}:root{{{_render_variables(day)}{shapes}color-scheme:light dark}}\n{nightly}"


@lru_cache(maxsize=512)
def render_css_within(style: Style, scope: str) -> str:
    """Return the style sheet for the part of an owner's page that shows a guest page. `scope` is its selector.

    Owners choose between the light and the dark mode of the dashboard, so the mode follows its class.
    """
    day, night = style.compute_colors(DAY), style.compute_colors(NIGHT)
    shapes = _render_shapes(style)
    return (
        f"{FONT_PAIRS[style.fonts].css_rules}{scope}{{{_render_variables(day)}{shapes}}}\n"
        f".dark {scope}{{{_render_variables(night)}}}\n"
    )


@lru_cache(maxsize=512)
def css_digest(style: Style) -> str:
    return hashlib.sha256(render_css(style).encode()).hexdigest()[:12]


def _render_shapes(style: Style) -> str:
    pair = FONT_PAIRS[style.fonts]
    whole, small, button = CORNER_RADII[style.corners]
    shapes = f"--font-head:{pair.head};--font-text:{pair.text};"
    return f"{shapes}--radius:{whole};--radius-small:{small};--radius-button:{button};"


def _render_variables(colors: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in colors.items())


def min_contrast(colors: dict[str, str]) -> float:
    """Return the lowest contrast of the brand's color as text and as background, from 1 to 21."""
    pairs = [("on-brand", "brand"), ("brand", "paper"), ("brand", "card"), ("brand", "tint")]
    return round(min(contrast_ratio(colors[one], colors[other]) for one, other in pairs) - 0.05, 1)  # rounded down


def parse_color(text: str) -> str:
    """Parse a color such as `#17604B`, `17604b` or `#174` into the form `#17604b`.

    An empty string stays empty. Raise ValueError if it is not a color.
    """
    text = text.strip().lower().removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3}", text):
        text = "".join(char * 2 for char in text)
    if text and not re.fullmatch(r"[0-9a-f]{6}", text):
        raise ValueError("Enter a color as #rrggbb, such as #17604b")
    return f"#{text}" if text else ""
