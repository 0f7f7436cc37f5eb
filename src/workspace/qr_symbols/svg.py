"""Rendering a symbol in a style as SVG: small, without scripts, and always with the same bytes. Units are modules."""

from base64 import b64encode
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from workspace.qr_symbols import caption_fonts
from workspace.qr_symbols.module_shapes import box_path, build_module_path, disc_path, format_number
from workspace.qr_symbols.style import BallShape, EyeShape, Style, UnsafeStyleError
from workspace.qr_symbols.symbol import QUIET_ZONE, Cell, Symbol, encode_symbol

_PIXELS_PER_MODULE = 10  # the SVG's natural size, for viewers that show it unscaled
# Radii of a ring of 7 modules, outside and in its hole, that both readers of the scan test allow. OpenCV finds codes by
# their outer corners, and ZXing measures the eyes along their diagonals. Only the full circle goes further, and is
# rated as risky.
_RINGS: dict[EyeShape, tuple[float, float]] = {
    "square": (0, 0),
    "rounded": (0.5, 0.9),
    "leaf": (1.4, 0.8),
    "circle": (3.5, 2.5),
}
_BALLS: dict[BallShape, float] = {"square": 0, "rounded": 0.8, "leaf": 1.2, "circle": 1.6}
_SIGNATURES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


@dataclass(frozen=True)
class _Layout:
    """The layout of the drawing. The origin is the symbol's upper left corner."""

    start: float
    """The left and upper edge of the canvas, which is below zero."""
    width: float
    height: float
    card: tuple[float, float, float, float] | None
    """The x, y, width and height of the area that surrounds the code."""
    line: float
    font_size: float
    baseline: float


def render_svg(text: str, style: Style, *, logo: bytes | None = None, title: str = "QR code") -> str:
    """Render text in a style. Raise UnsafeStyleError for text that does not fit or an invalid logo."""
    return render_symbol(encode_symbol(text, with_logo=logo is not None), style, logo=logo, title=title)


def render_symbol(symbol: Symbol, style: Style, *, logo: bytes | None = None, title: str = "QR code") -> str:
    """Render the symbol as an SVG document with a viewBox in modules and an accessible title.

    `logo` is a sanitized PNG, JPEG or WebP. Encode the symbol with `with_logo` to leave space for the logo. Raise
    UnsafeStyleError for other bytes.
    """
    at = _compute_layout(symbol, style)
    ink, definitions = _build_ink(symbol, style)
    cells = symbol.dark - {cell for cell in symbol.dark if symbol.is_in_eye(cell)}
    if logo is not None:
        cells = cells - _cells_under_logo(symbol, style)
    width, height = format_number(at.width), format_number(at.height)
    title = escape("".join(char for char in title if char.isprintable()))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{format_number(at.start)} '
        f'{format_number(at.start)} {width} {height}" '
        f'width="{format_number(at.width * _PIXELS_PER_MODULE)}" '
        f'height="{format_number(at.height * _PIXELS_PER_MODULE)}" role="img">'
        f"<title>{title}</title>",
        definitions and f"<defs>{definitions}</defs>",
        _render_background(style, at),
        _render_frame(style, at, ink),
        _render_modules(symbol, style, ink, cells),
        _render_logo(symbol, style, logo) if logo is not None else "",
        _render_caption(style, at, ink),
        "</svg>",
    ]
    return "".join(parts)


def _compute_layout(symbol: Symbol, style: Style) -> _Layout:
    margin, line = {"none": (0.0, 0.0), "outline": (1.0, 0.6), "banner": (1.0, 1.2)}[style.frame]
    start = -(margin + line + QUIET_ZONE)
    width = symbol.size - 2 * start
    code_end = symbol.size + QUIET_ZONE
    if not style.caption:
        height = width
        font_size = baseline = 0.0
    else:
        room = width - 2 * (margin + line + 1.5)
        font_size = min(0.15 * symbol.size, room / caption_fonts.measure_width(style.caption))
        # Close below the quiet zone. On a banner, the letters need space above and below.
        above, below = (0.45, 0.55) if style.frame == "banner" else (-0.05, 0.75)
        baseline = code_end + font_size * (above + caption_fonts.CAP_HEIGHT)
        height = baseline + max(font_size * below, 2) + line + margin - start
    edge = start + margin
    card = (edge, edge, width - 2 * margin, height - 2 * margin) if style.frame != "none" else None
    return _Layout(start, width, height, card, line, font_size, baseline)


def _build_ink(symbol: Symbol, style: Style) -> tuple[str, str]:
    """Return the fill of the modules and its definitions.

    Names depend on the content, so that a page can contain several drawings.
    """
    if style.gradient == "none":
        return style.foreground, ""
    stops = f'<stop stop-color="{style.foreground}"/><stop offset="1" stop-color="{style.gradient_end}"/>'
    middle = symbol.size / 2
    if style.gradient == "linear":
        turn = f"rotate({style.gradient_angle} {format_number(middle)} {format_number(middle)})"
        kind, place = "linearGradient", f'x1="0" y1="0" x2="{symbol.size}" y2="0" gradientTransform="{turn}"'
    else:
        kind = "radialGradient"
        place = f'cx="{format_number(middle)}" cy="{format_number(middle)}" r="{format_number(symbol.size * 0.7)}"'
    body = f'gradientUnits="userSpaceOnUse" {place}>{stops}</{kind}>'
    name = _element_id("ink", body)
    return f"url(#{name})", f'<{kind} id="{name}" {body}'


def _element_id(prefix: str, content: str) -> str:
    return f"{prefix}{crc32(content.encode()):08x}"


def _render_background(style: Style, at: _Layout) -> str:
    """Render a background larger than the viewBox, because images are widened to whole pixels per module."""
    if style.background == "transparent":
        return ""
    over = at.width / 8 + 1
    ground = box_path(at.start - over, at.start - over, at.width + 2 * over, at.height + 2 * over, (0, 0, 0, 0))
    return f'<path fill="{style.background}" d="{ground}"/>'


def _render_frame(style: Style, at: _Layout, ink: str) -> str:
    if at.card is None:
        return ""
    x, y, width, height = at.card
    line = at.line
    outer = box_path(x, y, width, height, (3.2,) * 4)
    if style.frame == "banner" and style.caption:
        height = width  # the rest below the square is the banner
    inner = box_path(x + line, y + line, width - 2 * line, height - 2 * line, (3.2 - line,) * 4)
    return f'<path fill="{ink}" fill-rule="evenodd" d="{outer}{inner}"/>'


def _render_modules(symbol: Symbol, style: Style, ink: str, cells: frozenset[Cell]) -> str:
    """Render modules, rings and centers, with one path per color."""
    path = ""
    if style.modules in ("dots", "vertical", "horizontal"):
        # Separate shapes would break up the alignment patterns that readers look for, so these are drawn as a whole.
        for x, y in sorted(symbol.alignment):
            square = {(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3)}
            if symbol.dark & square <= cells:
                cells = cells - square
                path += _ring_path(style.eye_frame, x - 2, y - 2, 5) + _ball_path(style.eye_ball, x, y, 1)
    fills = {ink: build_module_path(style.modules, cells) + path}
    for corner, (x, y) in enumerate(symbol.eyes()):
        ring, ball = style.eye_frame_color or ink, style.eye_ball_color or ink
        fills[ring] = fills.get(ring, "") + _ring_path(style.eye_frame, x, y, 7, corner)
        fills[ball] = fills.get(ball, "") + _ball_path(style.eye_ball, x + 2, y + 2, 3, corner)
    paths = "".join(f'<path fill="{paint}" d="{path}"/>' for paint, path in fills.items())
    return f'<g fill-rule="evenodd">{paths}</g>'


def _ring_path(shape: EyeShape, x: int, y: int, size: int, eye: int = 0) -> str:
    outer, hole = _RINGS[shape]
    outside = box_path(x, y, size, size, _corner_radii(shape, outer * size / 7, eye))
    return outside + box_path(x + 1, y + 1, size - 2, size - 2, _corner_radii(shape, hole * (size - 2) / 5, eye))


def _ball_path(shape: BallShape, x: int, y: int, size: int, eye: int = 0) -> str:
    radius = _BALLS[shape] * size / 3
    if shape == "circle":  # slightly wider than a ball of 3 modules, for better scanning
        return disc_path(x + size / 2, y + size / 2, radius)
    return box_path(x, y, size, size, _corner_radii(shape, radius, eye))


def _corner_radii(shape: str, radius: float, eye: int) -> tuple[float, float, float, float]:
    """Return the radii of the corners. A leaf has sharp corners on the line to the symbol's center."""
    if shape != "leaf":
        return (radius,) * 4
    return (0, radius, 0, radius) if eye == 0 else (radius, 0, radius, 0)


def _cells_under_logo(symbol: Symbol, style: Style) -> set[Cell]:
    """Return the cells to remove for the logo: those that it touches, and those with their center in the free space."""
    if style.logo_knockout == "none":
        return set()
    middle = symbol.size / 2
    logo = symbol.size * style.logo_share / 2

    def reaches(x: int, y: int, radius: float, slack: float) -> bool:
        near_x, near_y = (max(abs(at + 0.5 - middle) - slack, 0) for at in (x, y))
        if style.logo_knockout == "circle":
            return near_x**2 + near_y**2 < radius**2
        return max(near_x, near_y) < radius

    return {(x, y) for x, y in symbol.dark if reaches(x, y, logo, 0.45) or reaches(x, y, logo + style.logo_padding, 0)}


def _render_logo(symbol: Symbol, style: Style, logo: bytes) -> str:
    kind = next((kind for signature, kind in _SIGNATURES if logo.startswith(signature)), None)
    if kind is None and logo[:4] == b"RIFF" and logo[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        raise UnsafeStyleError("The logo must be a PNG, JPEG or WebP image")
    side = symbol.size * style.logo_share
    x = (symbol.size - side) / 2
    image = (
        f'<image href="data:{kind};base64,{b64encode(logo).decode()}" x="{format_number(x)}" y="{format_number(x)}" '
    )
    image += f'width="{format_number(side)}" height="{format_number(side)}"'
    if style.logo_knockout in ("none", "square"):
        return image + "/>"
    if style.logo_knockout == "circle":
        trim = disc_path(x + side / 2, x + side / 2, side / 2)
    else:
        trim = box_path(x, x, side, side, (side * 0.16,) * 4)
    name = _element_id("trim", trim)
    return f'<clipPath id="{name}"><path d="{trim}"/></clipPath>{image} clip-path="url(#{name})"/>'


def _render_caption(style: Style, at: _Layout, ink: str) -> str:
    if not style.caption:
        return ""
    paint = style.caption_color
    if not paint and style.frame == "banner":
        paint = "#ffffff" if style.background == "transparent" else style.background
    return (
        f'<text x="{format_number(at.start + at.width / 2)}" y="{format_number(at.baseline)}" '
        f'font-family={quoteattr(caption_fonts.FAMILIES)} font-size="{format_number(at.font_size)}" font-weight="600" '
        f'text-anchor="middle" fill="{paint or ink}">'
        f"{escape(style.caption)}</text>"
    )
