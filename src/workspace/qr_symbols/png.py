"""Rendering SVG as PNG."""

import json
import re

from workspace.lib.subprocess_worker.pool import SubprocessLimits
from workspace.qr_symbols import caption_fonts, resvg_worker
from workspace.qr_symbols.module_shapes import format_number
from workspace.qr_symbols.style import UnsafeStyleError

MIN_WIDTH, MAX_WIDTH = 128, 4096

_SVG_HEAD = re.compile(r'viewBox="(-[\d.]+) -[\d.]+ ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"')
_TEXT = re.compile(r"<text [^>]*>([^<]*)</text>")
_CRISP_PIXELS = 6  # from this many pixels per module, rounding the margin up to whole pixels is not noticeable


def render_png(svg: str, width: int) -> bytes:
    """Render a drawing from `svg.render_symbol`, exactly `width` pixels wide (128 to 4096), with matching height.

    If the size allows, every module gets the same whole number of pixels, and the rest widens the margin. A transparent
    background stays transparent. Raise UnsafeStyleError for another width.

    Rendering blocks all other threads, for more than a second with 4096 pixels. Where others wait, use
    `render_png_in_worker`.
    """
    return resvg_worker.handle(_resvg_options(svg, width))


def render_png_in_worker(svg: str, width: int, limits: SubprocessLimits) -> bytes:
    """Render a drawing as `render_png` does, but in a subprocess. This may also raise SubprocessError."""
    return limits.run("workspace.qr_symbols.resvg_worker", _resvg_options(svg, width))


def _resvg_options(svg: str, width: int) -> bytes:
    """Return the input of `resvg_worker.handle`."""
    if not MIN_WIDTH <= width <= MAX_WIDTH:
        raise UnsafeStyleError(f"Choose a width from {MIN_WIDTH} to {MAX_WIDTH} pixels")
    head = _SVG_HEAD.search(svg)
    if head is None:
        raise UnsafeStyleError("This isn’t an SVG of a QR code")
    start, wide, high = (float(head[at]) for at in (1, 2, 3))
    scale = width / wide
    if scale >= _CRISP_PIXELS:
        scale = int(scale)
    height = max(1, round(high * width / wide))
    # Use whole pixels at the edges. Otherwise, every module would be blurred by the same fraction.
    x, y = (
        round((start + (side - seen / scale) / 2) * scale) / scale for side, seen in ((wide, width), (high, height))
    )
    box = f'viewBox="{x:.6f} {y:.6f} {width / scale:.6f} {height / scale:.6f}"'
    drawing = (
        f'{svg[: head.start()]}{box} width="{format_number(width)}" height="{format_number(height)}"{svg[head.end() :]}'
    )
    caption = _TEXT.search(svg)
    options = {
        "svg_string": drawing,
        # Loading the machine's fonts takes longer than rendering, so do it only for scripts that our font lacks.
        "skip_system_fonts": caption is None or caption_fonts.covers_text(caption[1]),
        "font_files": [str(caption_fonts.FONT_FOLDER / "Inter-SemiBold.ttf")],
        "sans_serif_family": "Inter",
    }
    return json.dumps(options).encode()
