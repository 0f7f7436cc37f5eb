"""Colors of tracks that are visible on light and dark cards, with a contrast of 3 to 1 on both (WCAG 2.2, 1.4.11)."""

from __future__ import annotations

from functools import lru_cache

from workspace.brand.color_contrast import BLACK, WHITE, contrast_ratio, mix_colors
from workspace.brand.style import DAY, NIGHT

MIN_CONTRAST = 3
_MIX_STEPS = 40


@lru_cache(maxsize=1024)
def visible_color(color: str) -> str:
    """Return the color, or the closest lighter or darker color that is visible on every card. Return "" for ""."""
    if not color:
        return ""
    towards = BLACK if contrast_ratio(color, DAY.card) < MIN_CONTRAST else WHITE
    tried = (mix_colors(color, towards, step / _MIX_STEPS) for step in range(_MIX_STEPS + 1))
    return next(
        value for value in tried if all(contrast_ratio(value, ground.card) >= MIN_CONTRAST for ground in (DAY, NIGHT))
    )
