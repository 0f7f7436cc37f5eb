"""Small pictures of the choices in the style editor: shapes of modules and eyes, and frames."""

from __future__ import annotations

import re
from functools import cache

from workspace.products.qr.dashboard.presenters import svg_data_url
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import render_symbol
from workspace.qr_symbols.symbol import Symbol, encode_symbol

# corners, edges, an island and a hole show how the shapes differ
_PATTERN = ("##.#", "#.##", "###.", ".#.#")
_PATTERN_OFFSET = 9  # position of the pattern, away from the eyes
_VIEW_PATTERN = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')


@cache
def render_modules(shape: str) -> str:
    dark = frozenset(
        (_PATTERN_OFFSET + x, _PATTERN_OFFSET + y)
        for y, line in enumerate(_PATTERN)
        for x, mark in enumerate(line)
        if mark == "#"
    )
    return _render_detail(
        Style.model_validate({"modules": shape}), dark, f"{_PATTERN_OFFSET - 0.5} {_PATTERN_OFFSET - 0.5} 5 5"
    )


@cache
def render_eye_frame(shape: str) -> str:
    # Only the sharp and the rounded corners of a leaf matter, and the whole eye shows both.
    return _render_detail(
        Style.model_validate({"eye_frame": shape, "eye_ball_color": "#d6d3d1"}), frozenset(), "-1 -1 9 9"
    )


@cache
def render_eye_ball(shape: str) -> str:
    return _render_detail(
        Style.model_validate({"eye_ball": shape, "eye_frame_color": "#d6d3d1"}), frozenset(), "-1 -1 9 9"
    )


@cache
def render_frame(kind: str) -> str:
    style = Style.model_validate({"frame": kind, "caption": "" if kind == "none" else "Scan me"})
    return svg_data_url(render_symbol(encode_symbol("HTTPS://EXAMPLE.COM"), style, title=""))


def _render_detail(style: Style, dark: frozenset[tuple[int, int]], view: str) -> str:
    symbol = Symbol("", 21, "M", "alphanumeric", dark, frozenset())
    drawing = render_symbol(symbol, style, title="")
    return svg_data_url(_VIEW_PATTERN.sub(f'viewBox="{view}" width="72" height="72"', drawing, count=1))
