"""Pairs of typefaces that can be chosen for a brand.

The font files are served by this service (`static/brand/fonts`). A browser loads them after the page is readable. Most
pages need only the small files, which are subsets of the published ones. The published files contain more characters.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from django.templatetags.static import static

from workspace.owner_translation import owner_gettext_lazy

SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif'
SERIF = 'ui-serif, "New York", "Iowan Old Style", Palatino, "Noto Serif", Georgia, serif'
# the letters and signs used by the languages of guest pages, which the small files contain
CORE_RANGE = (
    "U+20-7E,U+A0-A1,U+A3,U+A7,U+A9-AB,U+AE,U+B0-B2,U+B7,U+BA-BB,U+BF-C4,U+C6-CF,U+D1-D7,U+D9-DC,U+DF-E4,U+E6-EF,"
    "U+F1-F7,U+F9-FC,U+FF,U+152-153,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2039-203A,U+20AC,U+2122,U+2212"
)
_FULL_RANGES = {
    "latin": "U+20-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2009,U+200B,U+2013-203A,U+2044,"
    "U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215",
    "latin-ext": "U+100-2BA,U+2BD-2C5,U+2C7-2CC,U+2CE-2D7,U+2DD-2FF,U+304,U+308,U+329,U+1D00-1DBF,U+1E00-1E9F,"
    "U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
}
_STAND_IN_RANGE = "U+20-24F,U+2000-20CF"


@dataclass(frozen=True, slots=True)
class StandIn:
    """A typeface of an operating system: its name, its file name, and the mean width of its letters in em.

    `tests/guest_fonts.py` computes the width.
    """

    name: str
    file: str
    width: float


_SANS_TEXT = (
    StandIn("Roboto", "Roboto-Regular", 0.4474),
    StandIn("Arial", "ArialMT", 0.4497),
    StandIn("Noto Sans Regular", "NotoSans-Regular", 0.4734),
)
_SANS_HEAD = (
    StandIn("Roboto Bold", "Roboto-Bold", 0.4539),
    StandIn("Arial Bold", "Arial-BoldMT", 0.4827),
    StandIn("Noto Sans Bold", "NotoSans-Bold", 0.5032),
)
_SERIF_HEAD = (StandIn("Georgia Bold", "Georgia-Bold", 0.5170), StandIn("Noto Serif Bold", "NotoSerif-Bold", 0.5103))


@dataclass(frozen=True, slots=True)
class Typeface:
    """An included typeface: its name, the prefix of its file names, and its range of weights.

    `core_weights` are the weights of its small files, such as `600` or `400-700`. `width`, `ascent` and `descent` are
    in em. While the files are loaded, a browser uses a stand-in of the same width, so that no line breaks change.
    """

    name: str
    file: str
    weights: str
    core_weights: tuple[str, ...]
    width: float
    ascent: float
    descent: float
    stand_ins: tuple[StandIn, ...]

    @property
    def is_head(self) -> bool:
        """True if this typeface is used for headings."""
        return self.stand_ins is not _SANS_TEXT

    @property
    def families(self) -> str:
        """The value of `font-family`, without a generic family."""
        names = [*([f"{self.name} core"] if self.core_weights else []), self.name]
        return ",".join(f'"{name}"' for name in [*names, *map(self._stand_in_name, self.stand_ins)])

    def core_file(self, weights: str) -> str:
        """Return the name of a small file."""
        return f"{self.file}-core-{weights}.woff2"

    @property
    def css_rules(self) -> str:
        """The `@font-face` rules of all files and stand-ins."""
        full = f"{self.file}-{{}}-wght-normal.woff2"
        rules = [_file_rule(self.name, self.weights, full.format(key), span) for key, span in _FULL_RANGES.items()]
        core = {weights.replace("-", " "): self.core_file(weights) for weights in self.core_weights}
        if core and self.is_head:
            core["400"] = full.format("latin")  # rare in headings
        rules += [_file_rule(f"{self.name} core", weights, file, CORE_RANGE) for weights, file in core.items()]
        return "".join([*rules, *map(self._stand_in_rule, self.stand_ins)])

    def _stand_in_name(self, one: StandIn) -> str:
        return f"{self.name} {one.name}"

    def _stand_in_rule(self, one: StandIn) -> str:
        size = self.width / one.width
        return (
            f'@font-face{{font-family:"{self._stand_in_name(one)}";font-weight:{"600 900" if self.is_head else "400"};'
            f'src:local("{one.name}"),local("{one.file}");size-adjust:{size:.1%};'
            f"ascent-override:{self.ascent / size:.1%};"
            f"descent-override:{self.descent / size:.1%};unicode-range:{_STAND_IN_RANGE}}}\n"
        )


def _file_rule(family: str, weights: str, file: str, characters: str) -> str:
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weights};font-display:swap;'
        f'src:url("{static(f"brand/fonts/{file}")}") format("woff2");unicode-range:{characters}}}\n'
    )


_HEAD_WEIGHTS, _TEXT_WEIGHTS = ("600", "700"), ("400-700",)
_OUTFIT = Typeface("Outfit", "outfit", "100 900", _HEAD_WEIGHTS, 0.4516, 1.0, 0.26, _SANS_HEAD)
_FIGTREE = Typeface("Figtree", "figtree", "300 900", _TEXT_WEIGHTS, 0.4489, 0.95, 0.25, _SANS_TEXT)
# its license reserves its name for unmodified files, so it has no small files
_PLAYFAIR = Typeface("Playfair Display", "playfair-display", "400 900", (), 0.4591, 1.082, 0.251, _SERIF_HEAD)
_SOURCE_SANS = Typeface("Source Sans 3", "source-sans-3", "200 900", _TEXT_WEIGHTS, 0.4178, 1.024, 0.4, _SANS_TEXT)
_FRAUNCES = Typeface("Fraunces", "fraunces", "100 900", _HEAD_WEIGHTS, 0.4829, 0.978, 0.255, _SERIF_HEAD)
_NUNITO_SANS = Typeface("Nunito Sans", "nunito-sans", "200 1000", _TEXT_WEIGHTS, 0.4517, 1.011, 0.353, _SANS_TEXT)
TYPEFACES = (_OUTFIT, _FIGTREE, _PLAYFAIR, _SOURCE_SANS, _FRAUNCES, _NUNITO_SANS)


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

    @property
    def heading_typeface(self) -> str:
        """The name of the included typeface of headings, or "" for the system font."""
        return self.typefaces[0].name if self.typefaces else ""


def _build_pair(title: str, about: str, head: Typeface, head_rest: str, text: Typeface) -> FontPair:
    return FontPair(title, about, f"{head.families},{head_rest}", f"{text.families},{SANS}", (head, text))


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
        _OUTFIT,
        SANS,
        _FIGTREE,
    ),
    "classic": _build_pair(
        owner_gettext_lazy("Classic"),
        owner_gettext_lazy("Playfair Display and Source Sans: like a newspaper"),
        _PLAYFAIR,
        SERIF,
        _SOURCE_SANS,
    ),
    "warm": _build_pair(
        owner_gettext_lazy("Warm"),
        owner_gettext_lazy("Fraunces and Nunito Sans: soft and friendly"),
        _FRAUNCES,
        SERIF,
        _NUNITO_SANS,
    ),
}


@cache
def font_picker_css() -> str:
    """Return a style sheet for choosing fonts.

    Inside `.face-KEY`, text is set in the text typeface of a pair, and `b` in its heading typeface.
    """
    return "".join(
        f"{pair.css_rules}.face-{key}{{font-family:{pair.text}}}\n.face-{key} b{{font-family:{pair.head}}}\n"
        for key, pair in FONT_PAIRS.items()
    )


def font_picker_css_url() -> str:
    """Return the path of the picker's style sheet, which changes with its content."""
    return f"/styles/faces.{hashlib.sha256(font_picker_css().encode()).hexdigest()[:12]}.css"
