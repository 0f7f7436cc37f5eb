"""Makes the small font files of guest pages from the published ones: `python -m tests.guest_fonts`.

It needs fontTools and Brotli (`pip install brotli`). A small file contains the letters of the languages of guest pages,
and one weight for headings, or the weights of body text. For stand-ins, the mean width, the ascent and the descent of
each typeface are printed, and those of additional font files: `python -m tests.guest_fonts Roboto-Bold.ttf`.
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from workspace.brand.fonts import CORE_RANGE, TYPEFACES

ROOT = Path(__file__).resolve().parents[1] / "src/workspace"
FONTS = ROOT / "brand/static/brand/fonts"
FEATURES = ["calt", "ccmp", "clig", "kern", "liga", "locl", "mark", "mkmk", "rclt", "rlig", "rvrn", "tnum"]
_MESSAGE = re.compile(r'^(?:msgid |msgstr )?"(.*)"$', re.MULTILINE)


def core_characters() -> set[int]:
    ends = [[int(end, 16) for end in part.removeprefix("U+").split("-")] for part in CORE_RANGE.split(",")]
    return {char for first, *last in ends for char in range(first, (last or [first])[0] + 1)}


def build_font(published: Path, weights: str) -> bytes:
    """Return the font with the letters of our languages and a weight, or a range such as `400-700`."""
    font = TTFont(published)
    options = subset.Options()
    options.layout_features = FEATURES
    options.hinting = False
    reducer = subset.Subsetter(options)
    reducer.populate(unicodes=core_characters())
    reducer.subset(font)
    font.flavor, plain = None, io.BytesIO()
    font.save(plain)
    low, *high = [int(weight) for weight in weights.split("-")]
    font = instantiateVariableFont(TTFont(plain), {"wght": (low, *high) if high else low})
    font.flavor, packed = "woff2", io.BytesIO()
    font.save(packed)
    return packed.getvalue()


def compute_mean_width(font: Any) -> float:
    """Return the mean width of letters, digits, spaces, periods and commas in the text of guest pages, in em."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    found = Counter(
        char
        for path in ROOT.glob("products/*/locale/*/*/django.po")
        for char in _read_text(path)
        if char in " .," or char.isalnum()
    )
    used = {glyphs[ord(char)]: count for char, count in found.items() if ord(char) in glyphs}
    total = sum(widths[glyph][0] * count for glyph, count in used.items())
    return float(total / sum(used.values()) / font["head"].unitsPerEm)


def _read_text(path: Path) -> str:
    return " ".join(_MESSAGE.findall(path.read_text()))


def main() -> None:
    for typeface in TYPEFACES:
        published = FONTS / f"{typeface.file}-latin-wght-normal.woff2"
        for weights in typeface.core_weights:
            target = FONTS / typeface.core_file(weights)
            target.write_bytes(build_font(published, weights))
            print(f"{target.name}: {target.stat().st_size} bytes")
        weight = 600 if typeface.is_head else 400
        _print_metrics(typeface.name, instantiateVariableFont(TTFont(published), {"wght": weight}))
    for path in sys.argv[1:]:
        _print_metrics(path, TTFont(path))


def _print_metrics(name: str, font: Any) -> None:
    lines, em = font["hhea"], font["head"].unitsPerEm
    print(f"{name}: {compute_mean_width(font):.4f}, {lines.ascent / em:.3f}, {-lines.descent / em:.3f}")


if __name__ == "__main__":
    main()
