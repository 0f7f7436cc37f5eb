"""The embedded font for captions and printed sheets, so that they look the same on every machine."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from PIL import ImageFont

FONT_FOLDER = Path(__file__).with_name("fonts")
FAMILIES = "Inter,'Helvetica Neue',Arial,'Noto Sans',sans-serif"
CAP_HEIGHT = 0.727
"""The height of a capital letter relative to the font size."""

_COVERED_RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x386, 0x3CE),
    (0x400, 0x45F),
    (0x490, 0x491),
    (0x1E80, 0x1E85),
    (0x1E9E, 0x1E9E),
    (0x2010, 0x2026),
    (0x20AC, 0x20AC),
    (0x2116, 0x2116),
    (0x2122, 0x2122),
    (0x2190, 0x2193),
)


def covers_text(text: str) -> bool:
    """Return whether the embedded font has every character. The font covers all European languages and little else."""
    return all(any(low <= ord(char) <= high for low, high in _COVERED_RANGES) for char in text)


@lru_cache(maxsize=1)
def _load_semibold() -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(FONT_FOLDER / "Inter-SemiBold.ttf", 200)


@lru_cache(maxsize=512)
def measure_width(text: str) -> float:
    """Return the width of a line as a multiple of the font size.

    It is estimated for scripts rendered in the viewer's fonts.
    """
    if covers_text(text):
        return _load_semibold().getlength(text) / 200
    return sum(1.4 if east_asian_width(char) in "WF" else 0.8 for char in text)
