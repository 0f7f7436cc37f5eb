"""A picture from a stranger, drawn anew. This runs in a child process (see `pictures.py`) and imports Pillow alone.

Pixels are told before they are decoded, and the whole picture is held once: a JPEG is read at a half, a quarter or an
eighth where that is enough, everything is made smaller strip by strip, and turned upright at last.
"""

from __future__ import annotations

import io
import json
import warnings
from typing import Any

from PIL import Image, WebPImagePlugin

from workspace.storage.files.image_limits import MAX_SIDE, MEGAPIXELS, WIDTHS

_MAX_SIDE_PIXELS = 65_535  # pixels a side, as in a JPEG: what resizing takes grows with the side too
_STRIP_PIXELS = 1_000_000  # pixels
_ORIENTATION_TAG = 0x0112  # in EXIF
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"RIFF": "WEBP",
}
# The libraries of the forms are there before the child's memory is counted: one that could not be loaded later would
# make a good picture look broken.
Image.preinit()


class _TooManyPixelsError(Exception):
    """Pixels."""


class _FirstFrame(WebPImagePlugin.WebPImageFile):
    """Lets go of the decoder, and its two canvases, before the frame becomes a picture."""

    def _get_next(self) -> Any:
        frame = super()._get_next()
        self._decoder = None
        return frame


def handle(content: bytes) -> bytes:
    """A line of JSON, and pictures behind it.

    The line is {problem: "unknown", "pixels" or "unreadable"}, or {media_type, width, height, pictures: [[width,
    bytes], ...]}: the whole picture, then those of WIDTHS that are narrower."""
    form = next((form for start, form in _SIGNATURES.items() if content.startswith(start)), "")
    if not form:
        return _dump_problem("unknown")
    try:
        with warnings.catch_warnings(action="ignore"):
            told, pictures = _render_sizes(content, form)
    except MemoryError:
        raise
    except (_TooManyPixelsError, Image.DecompressionBombError):
        return _dump_problem("pixels")
    except Exception:  # whatever a library says of a broken file, it means the same to a person
        return _dump_problem("unreadable")
    return b"".join([json.dumps(told).encode(), b"\n", *pictures])


def _dump_problem(name: str) -> bytes:
    return json.dumps({"problem": name}).encode()


def _render_sizes(content: bytes, form: str) -> tuple[dict[str, Any], list[bytes]]:
    picture = _load_upright(content, form)
    sizes = [picture]
    for width in WIDTHS:
        if width < picture.width:
            high = max(1, round(picture.height * width / picture.width))
            sizes.append(picture.resize((width, high), Image.Resampling.LANCZOS))
    pictures = [_encode_image(size) for size in sizes]
    told = {
        "media_type": "image/png" if picture.mode == "RGBA" else "image/jpeg",
        "width": picture.width,
        "height": picture.height,
        "pictures": [[size.width, len(encoded)] for size, encoded in zip(sizes, pictures, strict=True)],
    }
    return told, pictures


def _load_upright(content: bytes, form: str) -> Image.Image:
    """Upright, at most MAX_SIDE a side, RGBA where it is see-through and RGB elsewhere; of several frames the first."""
    opened = _open_image(content, form)
    share = min(1.0, MAX_SIDE / max(opened.size))
    wide, high = (max(1, round(side * share)) for side in opened.size)
    if form == "JPEG":
        opened.draft(None, (wide, high))
    opened.load()
    narrow = _narrow_by_strips(opened, wide)
    turn = _TURNS.get(_read_orientation(opened))
    del opened
    picture = narrow.resize((wide, high), Image.Resampling.LANCZOS)
    picture = picture.convert("RGBA") if picture.mode == "RGBa" else picture
    return picture if turn is None else picture.transpose(turn)


def _open_image(content: bytes, form: str) -> Any:
    most = MEGAPIXELS[form] * 1_000_000
    file = io.BytesIO(content)
    limit = Image.MAX_IMAGE_PIXELS
    Image.MAX_IMAGE_PIXELS = most // 2  # Pillow warns above it and refuses above twice as many
    try:
        opened = _FirstFrame(file) if form == "WEBP" else Image.open(file, formats=(form,))
    finally:
        Image.MAX_IMAGE_PIXELS = limit  # it is the whole process's
    if opened.width * opened.height > most or max(opened.size) > _MAX_SIDE_PIXELS:
        raise _TooManyPixelsError
    return opened


def _narrow_by_strips(opened: Image.Image, wide: int) -> Image.Image:
    """The first of a resize's two passes, across, by strips, which do not touch each other in it: the whole picture
    never stands in the memory in a second mode."""
    clear = opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info
    narrow = Image.new("RGBa" if clear else "RGB", (wide, opened.height))
    high = max(1, _STRIP_PIXELS // opened.width)
    for top in range(0, opened.height, high):
        strip = _to_eight_bits(opened.crop((0, top, opened.width, min(top + high, opened.height))))
        strip = strip.convert("RGBA").convert("RGBa") if clear else strip.convert("RGB")
        narrow.paste(strip.resize((wide, strip.height), Image.Resampling.LANCZOS), (0, top))
    return narrow


def _to_eight_bits(picture: Image.Image) -> Image.Image:
    """Grey of 16 bits, which a plain conversion would cut off at 255."""
    return picture.convert("I").point(lambda value: value / 257).convert("L") if picture.mode[0] == "I" else picture


def _read_orientation(opened: Any) -> int:
    try:
        return int(opened.getexif().get(_ORIENTATION_TAG, 1))
    except Exception:  # a note that cannot be read turns nothing
        return 1


def _encode_image(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    if picture.mode == "RGBA":
        picture.save(out, "PNG")
    else:
        picture.save(out, "JPEG", quality=88, optimize=True)
    return out.getvalue()
