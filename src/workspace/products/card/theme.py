"""A card's colours as a stylesheet. The owner's one colour is moved towards black or white until text in it, and on
it, can be read (4.5 to 1 and more, WCAG 2.2 AA), by day and by night."""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from dataclasses import dataclass
from functools import lru_cache

LEAST = 4.5
BLACK, WHITE = "#000000", "#ffffff"
MIDNIGHT = "midnight"
THEMES = {
    "classic": "Colour above, picture in the middle",
    "bold": "The whole head in your colour",
    "minimal": "Paper, and your colour only where one taps",
    "midnight": "Dark by day, too",
}

Rgb = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """What is written on: the page, the card on it, text, and the colours that do not follow the owner's."""

    paper: str
    card: str
    ink: str
    soft: str
    towards: str  # where a colour moves to become readable here
    rest: str = ""


DAY = Ground("#faf6ef", "#fffdf9", "#28221b", "#6a6054", BLACK)
NIGHT = Ground(
    "#14130f",
    "#1f1d19",
    "#f2ece2",
    "#b8ad9f",
    WHITE,
    "--ink:#f2ece2;--soft:#b8ad9f;--line:#38332c;--edge:#6b6256;--bad:#ff9d8a;--bad-tint:#44201a;--card:#1f1d19;",
)


@lru_cache(maxsize=512)
def stylesheet(theme: str, colour: str) -> str:
    if theme == MIDNIGHT:
        return f":root{{{_declared(colour, NIGHT)}color-scheme:dark}}\n"
    night = f"@media (prefers-color-scheme:dark){{:root{{{_declared(colour, NIGHT)}}}}}"
    return f":root{{{_declared(colour, DAY)}}}\n{night}\n"


def _declared(colour: str, ground: Ground) -> str:
    return "".join(f"--{name}:{value};" for name, value in colours(colour, ground).items()) + ground.rest


def colours(colour: str, ground: Ground) -> dict[str, str]:
    """What follows from the owner's colour on a ground."""
    paper, tint = mixed(ground.paper, colour, 0.07), mixed(ground.card, colour, 0.14)
    brand = readable(colour, (paper, tint, ground.card), ground.towards)
    return {
        "paper": paper,
        "tint": tint,
        "brand": brand,
        "on-brand": text_on(brand),
        "band": colour,
        # away from the text, so that it can be read all along
        "band-end": mixed(colour, BLACK if text_on(colour) == WHITE else WHITE, 0.28),
        "on-band": text_on(colour),
    }


def readable(colour: str, grounds: tuple[str, ...], towards: str) -> str:
    """The colour, or the nearest of its hue on the way to black or white that can be read on all these grounds."""
    hue, lightness, saturation = rgb_to_hls(*(part / 255 for part in _rgb(colour)))
    end = 0.0 if towards == BLACK else 1.0
    for step in range(41):
        parts = hls_to_rgb(hue, lightness + (end - lightness) * step / 40, saturation)
        tried = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
        if all(contrast(tried, ground) >= LEAST for ground in grounds):
            return tried
    return towards


def text_on(ground: str) -> str:
    """White where it can be read well enough, else the better of the two."""
    if contrast(WHITE, ground) >= LEAST:
        return WHITE
    return max(WHITE, BLACK, key=lambda text: contrast(text, ground))


def mixed(one: str, other: str, share: float) -> str:
    """`share` of the other colour, 0 to 1, within sRGB."""
    pairs = zip(_rgb(one), _rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _luminance(colour: str) -> float:
    parts = (part / 255 for part in _rgb(colour))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
