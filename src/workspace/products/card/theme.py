"""A card's colours as a stylesheet: all that follows from the owner's one colour, by day and by night."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workspace.publishing.brand import BLACK, WHITE, mixed, readable, text_on

MIDNIGHT = "midnight"
THEMES = {
    "classic": "Colour above, picture in the middle",
    "bold": "The whole head in your colour",
    "minimal": "Paper, and your colour only where one taps",
    "midnight": "Dark by day, too",
}


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
