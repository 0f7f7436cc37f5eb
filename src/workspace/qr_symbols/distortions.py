"""Distortions of a code's image as in real life: blurred, small, tilted, in low light, on a screen."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageFilter, ImageOps

from workspace.qr_symbols.png import render_png

GrayImage = Image.Image
_MODULE_PIXELS = 8
"""Pixels per module in the picture with which the tests start."""
_TILT = ((1.2805, 0.1253, -0.1356), (0.0874, 1.2675, -0.0848), (0.1098, 0.1604))
"""For each point of the tilted picture, its place in the flat one, as shares of the width and height.

In this perspective, the corners (0, 0), (1, 0), (1, 1), (0, 1) are seen at (0.1, 0.06), (0.97, 0), (1, 1), (0.01,
0.98).
"""
_GRAIN_SCALE = 5 / 73.6  # a standard deviation of 5 gray levels from uniformly distributed bytes


def render_drawing(drawing: str) -> GrayImage:
    """Render a drawing in grayscale. Transparent areas become white."""
    width = float(drawing.split('width="', 1)[1].split('"', 1)[0]) / 10  # in modules
    opened = Image.open(io.BytesIO(render_png(drawing, round(width * _MODULE_PIXELS)))).convert("RGBA")
    white = Image.new("RGBA", opened.size, "white")
    return Image.alpha_composite(white, opened).convert("L")


def _add_border(picture: GrayImage, surface: int, share: float = 0.12) -> GrayImage:
    return ImageOps.expand(picture, int(picture.width * share), fill=surface)


def _blur(picture: GrayImage) -> GrayImage:
    return picture.filter(ImageFilter.GaussianBlur(0.25 * _MODULE_PIXELS))


def _shrink(picture: GrayImage) -> GrayImage:
    wide, high = (round(side * 3 / _MODULE_PIXELS) for side in picture.size)
    return picture.resize((wide, high), Image.Resampling.BOX)


def _tilt(picture: GrayImage) -> GrayImage:
    picture = _add_border(picture, 255)
    wide, high = picture.size
    (a, b, c), (d, e, f), (g, h) = _TILT
    flat = (a, b * wide / high, c * wide, d * high / wide, e, f * high, g / wide, h / high)
    return picture.transform(picture.size, Image.Transform.PERSPECTIVE, flat, Image.Resampling.BILINEAR, fillcolor=255)


def _dim(picture: GrayImage) -> GrayImage:
    """Simulate low light: half the contrast, a shadow from one side, and grain."""
    light = Image.linear_gradient("L").rotate(90).resize(picture.size)  # 0 at the left, 255 at the right
    light = light.point(lambda value: round((0.7 - 0.25 * value / 255) * 255))
    lit = ImageChops.multiply(picture, light).point(lambda value: 40 + value)
    return ImageChops.add(lit, _build_grain(picture.size), offset=-128).filter(ImageFilter.GaussianBlur(1))


@lru_cache(1)
def _build_grain(size: tuple[int, int]) -> GrayImage:
    """Return the same noise each time. The value 128 means no change."""
    noise = Image.frombytes("L", size, random.Random(7).randbytes(size[0] * size[1]))  # noqa: S311
    return noise.point(lambda value: round((value - 127.5) * _GRAIN_SCALE + 128)).filter(ImageFilter.GaussianBlur(0.8))


def _simulate_screen(picture: GrayImage) -> GrayImage:
    """Simulate a screen: on a dark page, slightly rotated, overexposed, with fine lines."""
    picture = _add_border(picture, 24)
    wide, high = picture.size
    seen = picture.resize((round(wide * 0.85), round(high * 0.85)), Image.Resampling.BOX)
    page = Image.new("L", picture.size, 24)
    page.paste(seen, ((wide - seen.width) // 2, (high - seen.height) // 2))
    turned = page.rotate(6, Image.Resampling.BILINEAR, fillcolor=24)
    lines = Image.frombytes("L", (1, high), bytes(255 if row % 3 else 230 for row in range(high)))
    striped = ImageChops.multiply(turned, lines.resize(picture.size, Image.Resampling.NEAREST))
    return striped.point(lambda value: min(255, round(value * 1.15)))


DISTORTIONS: Final[dict[str, Callable[[GrayImage], GrayImage]]] = {
    "clean": lambda picture: picture,
    "blur": _blur,
    "small": _shrink,
    "tilted": _tilt,
    "dim": _dim,
    "screen": _simulate_screen,
}
