"""Pairs of typefaces that can be chosen for a brand.

The font files are unmodified and served by this service (`static/brand/fonts`). A browser loads them after the page is
readable, and loads files with further characters only if a page contains them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from django.templatetags.static import static

from workspace.owner_translation import owner_gettext_lazy

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif'
SERIF = 'ui-serif, "New York", "Iowan Old Style", Palatino, "Noto Serif", Georgia, serif'
_UNICODE_RANGES = {
    "latin": "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,"
    "U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD",
    "latin-ext": "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,"
    "U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
}


@dataclass(frozen=True, slots=True)
class Typeface:
    """An included typeface: its name, the prefix of its file names, and its range of weights."""

    name: str
    file: str
    weights: str

    @property
    def css_rules(self) -> str:
        return "".join(
            f'@font-face{{font-family:"{self.name}";font-weight:{self.weights};font-display:swap;'
            f'src:url("{static(f"brand/fonts/{self.file}-{letters}-wght-normal.woff2")}") format("woff2");'
            f"unicode-range:{span}}}\n"
            for letters, span in _UNICODE_RANGES.items()
        )


@dataclass(frozen=True, slots=True)
class FontPair:
    """The typefaces of headings and text. `about` is shown to owners who choose a pair."""

    title: str
    about: str
    head: str
    text: str
    typefaces: tuple[Typeface, ...] = ()

    @property
    def css_rules(self) -> str:
        return "".join(face.css_rules for face in self.typefaces)


def _build_pair(title: str, about: str, head: Typeface, head_rest: str, text: Typeface) -> FontPair:
    return FontPair(title, about, f'"{head.name}", {head_rest}', f'"{text.name}", {SANS}', (head, text))


SYSTEM = "system"
FONT_PAIRS = {
    SYSTEM: FontPair(
        owner_gettext_lazy("Plain"),
        owner_gettext_lazy("The system font of your guests’ phones. Loads fastest."),
        SERIF,
        SANS,
    ),
    "modern": _build_pair(
        owner_gettext_lazy("Modern"),
        owner_gettext_lazy("Outfit and Figtree: round and clear"),
        Typeface("Outfit", "outfit", "100 900"),
        SANS,
        Typeface("Figtree", "figtree", "300 900"),
    ),
    "classic": _build_pair(
        owner_gettext_lazy("Classic"),
        owner_gettext_lazy("Playfair Display and Source Sans: like a newspaper"),
        Typeface("Playfair Display", "playfair-display", "400 900"),
        SERIF,
        Typeface("Source Sans 3", "source-sans-3", "200 900"),
    ),
    "warm": _build_pair(
        owner_gettext_lazy("Warm"),
        owner_gettext_lazy("Fraunces and Nunito Sans: soft and friendly"),
        Typeface("Fraunces", "fraunces", "100 900"),
        SERIF,
        Typeface("Nunito Sans", "nunito-sans", "200 1000"),
    ),
}


@cache
def font_picker_css() -> str:
    """Return a style sheet for choosing fonts.

    Inside `.face-KEY`, text uses the text typeface of a pair, and `b` its heading typeface.
    """
    return "".join(
        f"{pair.css_rules}.face-{key}{{font-family:{pair.text}}}\n.face-{key} b{{font-family:{pair.head}}}\n"
        for key, pair in FONT_PAIRS.items()
    )


def font_picker_css_url() -> str:
    return f"/styles/faces.{hashlib.sha256(font_picker_css().encode()).hexdigest()[:12]}.css"
