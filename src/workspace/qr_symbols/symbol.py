"""Encoding of text as a grid of modules."""

from dataclasses import dataclass
from functools import lru_cache

import segno
from segno import consts

from workspace.qr_symbols.style import UnsafeStyleError

QUIET_ZONE = 4
"""Empty modules on every side, because real readers fail without them."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Symbol:
    """A QR symbol without its quiet zone. Cells are the (column, row) of the dark modules."""

    text: str
    size: int
    level: str
    """The level of error correction: M, Q or H."""
    mode: str
    dark: frozenset[Cell]
    alignment: frozenset[Cell]
    """The centers of the alignment patterns, which have 5 x 5 modules."""

    def eyes(self) -> tuple[Cell, Cell, Cell]:
        """Return the upper left cells of the three finder patterns of 7 x 7 modules."""
        return (0, 0), (self.size - 7, 0), (0, self.size - 7)

    def is_in_eye(self, cell: Cell) -> bool:
        x, y = cell
        return any(left <= x < left + 7 and top <= y < top + 7 for left, top in self.eyes())


def min_print_width(size: int) -> float:
    """Return the minimum print width of a symbol in centimeters, at half a millimeter per module."""
    return round(max(2.0, size * 0.05), 1)


@lru_cache(maxsize=1024)
def encode_symbol(text: str, *, with_logo: bool = False) -> Symbol:
    """Encode text with error correction level M, or H if a logo will cover some modules.

    The level is raised if that does not change the size. An upper-case URL uses the alphanumeric mode and results in a
    smaller symbol. Text with characters outside ASCII is encoded in UTF-8, which all phones detect, whereas they
    sometimes misread Latin-1. Raise UnsafeStyleError for text that is empty or does not fit.
    """
    if not text:
        raise UnsafeStyleError("A QR code needs text or a URL")
    try:
        code = segno.make_qr(text, error="h" if with_logo else "m", encoding=None if text.isascii() else "utf-8")
    except (segno.DataOverflowError, UnicodeError) as error:
        raise UnsafeStyleError("This text is too long for a QR code. Shorten it") from error
    dark = frozenset((x, y) for y, row in enumerate(code.matrix) for x, module in enumerate(row) if module)
    return Symbol(text, len(code.matrix), code.error, code.mode or "mixed", dark, _find_alignment_patterns(code))


def _find_alignment_patterns(code: segno.QRCode) -> frozenset[Cell]:
    kinds = [list(row) for row in code.matrix_iter(border=0, verbose=True)]
    light = consts.TYPE_ALIGNMENT_PATTERN_LIGHT
    inner = range(2, len(kinds) - 2)
    return frozenset(
        (x, y)
        for y in inner
        for x in inner
        if kinds[y][x] == consts.TYPE_ALIGNMENT_PATTERN_DARK and kinds[y][x - 1] == light == kinds[y][x + 1]
        if kinds[y - 1][x] == light == kinds[y + 1][x]
    )
