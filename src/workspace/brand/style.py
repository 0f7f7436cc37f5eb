"""A look: two colours, a pair of typefaces and a tone of corners, and the style sheet that follows from them. All that
a sheet depends on stands in its address, so it is served without a query and kept by browsers for ever.

Guests' pages use nothing but its names:

    --paper --card --ink --soft --line --edge    the page, what lies on it, text, lines
    --brand --on-brand --tint                    the brand's colour where it can be read, text on it, a breath of it
    --accent --on-accent                         the same of the second colour
    --band --band-end --on-band                  the colours as they were chosen, for wide areas, and text on both
    --bad --bad-tint                             what went wrong
    --radius --radius-small --radius-button      corners of cards, of what lies in them, of buttons
    --font-head --font-text
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

from workspace.brand.color_contrast import BLACK, WHITE, contrast, mixed, readable, text_on
from workspace.brand.fonts import PAIRS, SYSTEM

HOUSE = "#17604b"
CORNERS = {
    "sharp": ("0.25rem", "0.25rem", "0.25rem"),
    "soft": ("1.375rem", "0.875rem", "0.875rem"),
    "round": ("1.75rem", "1.125rem", "99rem"),
}
_SOFT = "soft"
PATH = (
    r"(?P<colour>[0-9a-f]{6})-(?P<accent>[0-9a-f]{6}|own)-(?P<fonts>[a-z]+)-(?P<corners>[a-z]+)"
    r"(?:-(?P<tone>dark|light))?"
)


@dataclass(frozen=True, slots=True)
class Ground:
    """What is written on: the page, the card on it, text, and the colours that do not follow the brand's."""

    paper: str
    card: str
    towards: str  # where a colour moves to become readable here
    rest: dict[str, str]

    @property
    def ink(self) -> str:
        return self.rest["ink"]

    @property
    def soft(self) -> str:
        return self.rest["soft"]


_DAY_REST = {"ink": "#28221b", "soft": "#625a50", "line": "#e5dccd", "edge": "#cfc3b0"}
_NIGHT_REST = {"ink": "#f2ece2", "soft": "#b8ad9f", "line": "#38332c", "edge": "#6b6256"}
DAY = Ground("#faf6ef", "#fffdf9", BLACK, {**_DAY_REST, "bad": "#a92a1c", "bad-tint": "#fbe3dc"})
NIGHT = Ground("#14130f", "#1f1d19", WHITE, {**_NIGHT_REST, "bad": "#ff9d8a", "bad-tint": "#44201a"})


@dataclass(frozen=True, slots=True)
class Look:
    """Colours as `#rrggbb`; without an accent it follows the colour. `tone`: dark is dark by day, too, light is light
    by night; empty as the hour has it."""

    colour: str = HOUSE
    accent: str = ""
    fonts: str = SYSTEM
    corners: str = _SOFT
    tone: str = ""

    @property
    def url(self) -> str:
        name = f"{self.colour[1:]}-{self.accent[1:] or 'own'}-{self.fonts}-{self.corners}"
        name += f"-{self.tone}" if self.tone else ""
        return f"/looks/{name}.{digest(self)}.css"

    @classmethod
    def named(cls, colour: str, accent: str, fonts: str, corners: str, tone: str | None) -> Look | None:
        """The one of the parts of an address, as PATH finds them; None where there is no such."""
        if fonts not in PAIRS or corners not in CORNERS:
            return None
        return cls(f"#{colour}", "" if accent == "own" else f"#{accent}", fonts, corners, tone or "")

    def hues(self, ground: Ground) -> dict[str, str]:
        """All colours on a ground, by the names that pages use."""
        paper, tint = mixed(ground.paper, self.colour, 0.07), mixed(ground.card, self.colour, 0.14)
        grounds = (paper, tint, ground.card)
        brand = readable(self.colour, grounds, ground.towards)
        accent = readable(self.accent, grounds, ground.towards) if self.accent else brand
        on_band = text_on(self.colour)
        away = BLACK if on_band == WHITE else WHITE  # from the text, so that it can be read all along
        end = readable(self.accent, (on_band,), away) if self.accent else mixed(self.colour, away, 0.28)
        return {
            "paper": paper,
            "card": ground.card,
            "tint": tint,
            "brand": brand,
            "on-brand": text_on(brand),
            "accent": accent,
            "on-accent": text_on(accent),
            "band": self.colour,
            "band-end": end,
            "on-band": on_band,
            **ground.rest,
        }


@lru_cache(maxsize=512)
def sheet(look: Look) -> str:
    pair = PAIRS[look.fonts]
    whole, small, button = CORNERS[look.corners]
    shapes = f"--font-head:{pair.head};--font-text:{pair.text};"
    shapes += f"--radius:{whole};--radius-small:{small};--radius-button:{button};"
    if look.tone:
        ground = NIGHT if look.tone == "dark" else DAY
        return f"{pair.rules}:root{{{_declared(look.hues(ground))}{shapes}color-scheme:{look.tone}}}\n"
    day, night = look.hues(DAY), look.hues(NIGHT)
    night = {name: value for name, value in night.items() if day[name] != value}
    nightly = f"@media (prefers-color-scheme:dark){{:root{{{_declared(night)}}}}}\n"
    return f"{pair.rules}:root{{{_declared(day)}{shapes}color-scheme:light dark}}\n{nightly}"


@lru_cache(maxsize=512)
def digest(look: Look) -> str:
    return hashlib.sha256(sheet(look).encode()).hexdigest()[:12]


def _declared(hues: dict[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in hues.items())


def ratio(hues: dict[str, str]) -> float:
    """The least contrast at which the brand's colour is read or written on here, 1 to 21."""
    pairs = [("on-brand", "brand"), ("brand", "paper"), ("brand", "card"), ("brand", "tint")]
    return round(min(contrast(hues[one], hues[other]) for one, other in pairs) - 0.05, 1)  # never flattered


def colour_of(text: str) -> str:
    """A colour as people write it, `#17604B`, `17604b` or `#174`, as `#17604b`; empty stays empty. Raises
    ValueError."""
    text = text.strip().lower().removeprefix("#")
    if re.fullmatch(r"[0-9a-f]{3}", text):
        text = "".join(char * 2 for char in text)
    if text and not re.fullmatch(r"[0-9a-f]{6}", text):
        raise ValueError("Write the colour as #rrggbb, such as #17604b")
    return f"#{text}" if text else ""
