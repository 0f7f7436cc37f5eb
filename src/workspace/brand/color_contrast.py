"""Readable colors: an owner's color is moved toward black or white until its contrast is sufficient.

Text in that color, or on it, has a contrast of at least 4.5 to 1 (WCAG 2.2 AA). Colors are given as `#rrggbb`.
"""

from __future__ import annotations

from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache

MIN_CONTRAST = 4.5
BLACK, WHITE = "#000000", "#ffffff"

Rgb = tuple[int, int, int]


@lru_cache(maxsize=1024)
def readable_color(color: str, backgrounds: tuple[str, ...], target_color: str) -> str:
    """Return the nearest color of the same hue that is readable on all backgrounds.

    The color is moved toward `target_color`, which is black or white.
    """
    hue, lightness, saturation = rgb_to_hls(*(part / 255 for part in _parse_rgb(color)))
    end = 0.0 if target_color == BLACK else 1.0
    for step in range(41):
        parts = hls_to_rgb(hue, lightness + (end - lightness) * step / 40, saturation)
        tried = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
        if all(contrast_ratio(tried, ground) >= MIN_CONTRAST for ground in backgrounds):
            return tried
    return target_color


def text_color_on(background: str) -> str:
    """Return white if it is readable on the background, or else the better of black and white."""
    if contrast_ratio(WHITE, background) >= MIN_CONTRAST:
        return WHITE
    return max(WHITE, BLACK, key=lambda text: contrast_ratio(text, background))


def mix_colors(first: str, other: str, share: float) -> str:
    """Mix two colors in sRGB. `share` is the share of the other color, from 0 to 1."""
    pairs = zip(_parse_rgb(first), _parse_rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@lru_cache(maxsize=1024)
def contrast_ratio(first: str, other: str) -> float:
    """Return the contrast ratio as defined by WCAG 2.2, from 1 to 21."""
    low, high = sorted((_relative_luminance(first), _relative_luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _parse_rgb(color: str) -> Rgb:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _relative_luminance(color: str) -> float:
    parts = (part / 255 for part in _parse_rgb(color))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
