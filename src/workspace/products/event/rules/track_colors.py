"""Colours of tracks that can be told from a card by day and by night: 3 to 1 on both (WCAG 2.2, 1.4.11)."""

from __future__ import annotations

from functools import lru_cache

from workspace.brand.color_contrast import BLACK, WHITE, contrast, mixed
from workspace.brand.style import DAY, NIGHT

LEAST = 3
_STEPS = 40


@lru_cache(maxsize=1024)
def seen(colour: str) -> str:
    """The colour, or the nearest to it on the way to black or white that is seen on every card; empty stays so."""
    if not colour:
        return ""
    towards = BLACK if contrast(colour, DAY.card) < LEAST else WHITE
    tried = (mixed(colour, towards, step / _STEPS) for step in range(_STEPS + 1))
    return next(one for one in tried if all(contrast(one, ground.card) >= LEAST for ground in (DAY, NIGHT)))
