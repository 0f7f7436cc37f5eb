"""Themes of a page: the account's brand, or one of ours.

Each of ours consists of a few colors and shapes, from which its style sheet is built. A test computes the contrast of
every pair of colors that is used for text.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache

from workspace.brand.style import DAY, Style
from workspace.owner_translation import owner_gettext, owner_gettext_noop

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif'
SERIF = 'ui-serif, "New York", "Iowan Old Style", Palatino, "Noto Serif", Georgia, serif'
MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono", "DejaVu Sans Mono", monospace'
ROUNDED = 'ui-rounded, "SF Pro Rounded", "Hiragino Maru Gothic ProN", Quicksand, Nunito, ' + SANS


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme.

    `ground` is the page's background: one color, or a gradient of two from top to bottom. `ink` is the color of the
    text on it, and `soft` that of less important text. `label` is the text on `button`, and `edge` the button's border.
    `radius` is in rem.
    """

    name: str
    ground: tuple[str, ...]
    ink: str
    soft: str
    button: str
    label: str
    edge: str
    accent: str
    radius: float = 0.875
    heading: str = SANS
    body: str = SANS
    shadow: str = "none"
    dark: bool = False
    night: tuple[str, ...] = ()  # ground, ink, soft, button, label, edge, accent for devices in dark mode

    @property
    def title(self) -> str:
        return owner_gettext(_TITLES[self.name])


_ALL_THEMES = (
    Theme(
        "paper",
        ("#faf6ef",),
        "#28221b",
        "#655b50",
        "#fffdf9",
        "#28221b",
        "#d8cbb6",
        "#17604b",
        heading=SERIF,
        shadow="0 1px 2px #46341c14, 0 8px 20px -12px #46341c3d",
        night=("#181613", "#f2ece2", "#b0a598", "#282420", "#f2ece2", "#4a433a", "#86d3b4"),
    ),
    Theme(
        "ink",
        ("#ffffff",),
        "#111111",
        "#595959",
        "#111111",
        "#ffffff",
        "#111111",
        "#111111",
        radius=0.25,
        night=("#0e0e0e", "#f5f5f5", "#b0b0b0", "#f5f5f5", "#0e0e0e", "#f5f5f5", "#f5f5f5"),
    ),
    Theme(
        "bistro",
        ("#f7efe1",),
        "#3a1414",
        "#75483f",
        "#7c1f22",
        "#fff6e6",
        "#7c1f22",
        "#7c1f22",
        radius=0.375,
        heading=SERIF,
        body=SERIF,
    ),
    Theme(
        "forest",
        ("#12372a", "#0b241b"),
        "#f4f1e4",
        "#bcd0c0",
        "#f4f1e4",
        "#12372a",
        "#f4f1e4",
        "#e3c878",
        heading=SERIF,
        dark=True,
    ),
    Theme(
        "midnight",
        ("#1b2148", "#0b0e22"),
        "#f2f3ff",
        "#b3b9e0",
        "#2b3370",
        "#f2f3ff",
        "#5b66b8",
        "#9fb0ff",
        radius=1.75,
        dark=True,
    ),
    Theme(
        "ocean",
        ("#e3f4fa", "#bfe3f0"),
        "#0a3040",
        "#2b5364",
        "#0b5a75",
        "#ffffff",
        "#0b5a75",
        "#0b5a75",
        radius=1.75,
        shadow="0 8px 20px -12px #0a304080",
    ),
    Theme(
        "sunset",
        ("#5a1846", "#a8324a"),
        "#fff3ea",
        "#ffd9c7",
        "#fff3ea",
        "#6b1a45",
        "#fff3ea",
        "#ffd08a",
        radius=1.75,
        heading=ROUNDED,
        body=ROUNDED,
        dark=True,
    ),
    Theme(
        "blush",
        ("#fdf0f0", "#f9dfe2"),
        "#4a1726",
        "#7d4454",
        "#ffffff",
        "#8a2543",
        "#e2b3bf",
        "#8a2543",
        radius=1.75,
        heading=SERIF,
        shadow="0 8px 20px -12px #8a254366",
    ),
    Theme(
        "lavender",
        ("#f3f0fc", "#e2dbf7"),
        "#2a2050",
        "#564b80",
        "#5b3fa8",
        "#ffffff",
        "#5b3fa8",
        "#5b3fa8",
        radius=1,
        heading=ROUNDED,
        body=ROUNDED,
    ),
    Theme(
        "citrus",
        ("#ffd84a",),
        "#221b00",
        "#4f4200",
        "#221b00",
        "#ffe680",
        "#221b00",
        "#221b00",
        radius=0.875,
        shadow="0.25rem 0.25rem 0 #b98a00",
    ),
    Theme(
        "clay",
        ("#e9cdb8", "#e3bfa6"),
        "#3d1b0c",
        "#683823",
        "#9a3f1c",
        "#fff7ef",
        "#9a3f1c",
        "#8a3213",
        radius=0.5,
        heading=SERIF,
    ),
    Theme(
        "press",
        ("#eceae4",),
        "#161616",
        "#525049",
        "#ffffff",
        "#161616",
        "#161616",
        "#b3261e",
        radius=0,
        heading=MONO,
        body=MONO,
        shadow="0.25rem 0.25rem 0 #161616",
    ),
    Theme(
        "neon",
        ("#0a0a0c",),
        "#f2fff4",
        "#a9b8ac",
        "#0a0a0c",
        "#8dff9e",
        "#8dff9e",
        "#8dff9e",
        radius=0.375,
        heading=MONO,
        body=MONO,
        shadow="0 0 18px -6px #8dff9e",
        dark=True,
    ),
    Theme(
        "cocoa",
        ("#2a1c17", "#1b110d"),
        "#f8ebdf",
        "#d0b5a3",
        "#c98d5e",
        "#1f130d",
        "#c98d5e",
        "#e8b184",
        radius=0.875,
        heading=SERIF,
        dark=True,
    ),
)
THEMES: dict[str, Theme] = {theme.name: theme for theme in _ALL_THEMES}
AS_BRAND = "brand"
_TITLES = {
    AS_BRAND: owner_gettext_noop("Same as brand"),
    "paper": owner_gettext_noop("Paper"),
    "ink": owner_gettext_noop("Ink"),
    "bistro": owner_gettext_noop("Bistro"),
    "forest": owner_gettext_noop("Forest"),
    "midnight": owner_gettext_noop("Midnight"),
    "ocean": owner_gettext_noop("Ocean"),
    "sunset": owner_gettext_noop("Sunset"),
    "blush": owner_gettext_noop("Blush"),
    "lavender": owner_gettext_noop("Lavender"),
    "citrus": owner_gettext_noop("Citrus"),
    "clay": owner_gettext_noop("Clay"),
    "press": owner_gettext_noop("Press"),
    "neon": owner_gettext_noop("Neon"),
    "cocoa": owner_gettext_noop("Cocoa"),
}
THEME_NAMES = (AS_BRAND, *THEMES)


@cache
def render_css(name: str) -> str:
    """Return the theme's style sheet, which sets the variables that the page's own style sheet uses."""
    theme = THEMES[name]
    shapes = {
        "round": f"{theme.radius:g}rem",
        "shadow": theme.shadow,
        "heading-font": theme.heading,
        "body-font": theme.body,
    }
    scheme = "light dark" if theme.night else "dark" if theme.dark else "light"
    by_day = {**_color_variables(theme), **shapes}
    text = f":root{{{_render_variables(by_day)}color-scheme:{scheme}}}\n"
    if theme.night:
        night = _render_variables(_color_variables(dark_variant(theme)))
        text += f"@media (prefers-color-scheme:dark){{:root{{{night}}}}}\n"
    return text


def dark_variant(theme: Theme) -> Theme:
    """Return the theme for devices in dark mode, or the theme itself if it has no dark variant."""
    if not theme.night:
        return theme
    ground, ink, soft, button, label, edge, accent = theme.night
    return replace(
        theme, ground=(ground,), ink=ink, soft=soft, button=button, label=label, edge=edge, accent=accent, dark=True
    )


def build_brand_theme(style: Style) -> Theme:
    """Return the brand as a theme, to be shown next to the other themes."""
    hues, corner = style.compute_colors(DAY), {"sharp": 0.25, "round": 1.75}.get(style.corners, 0.875)
    ground, button = (hues["paper"],), (hues["brand"], hues["on-brand"], hues["brand"])
    return Theme(AS_BRAND, ground, hues["ink"], hues["soft"], *button, hues["accent"], radius=corner)


def _color_variables(theme: Theme) -> dict[str, str]:
    return {
        "paper": theme.ground[0],
        "ground-end": theme.ground[-1],
        "ink": theme.ink,
        "soft": theme.soft,
        "brand": theme.accent,
        "button": theme.button,
        "label": theme.label,
        "edge": theme.edge,
        "rim": theme.edge,
    }


def _render_variables(variables: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in variables.items())


@cache
def css_url(name: str) -> str:
    """Return the URL of the style sheet. It changes with the content, so browsers may cache it permanently."""
    return f"/l/themes/{name}.{hashlib.sha256(render_css(name).encode()).hexdigest()[:10]}.css"
