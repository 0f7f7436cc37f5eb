"""Re-encoding untrusted images. This runs in a subprocess (see `images.py`) and imports only Pillow.

The number of pixels is checked before decoding, and the whole image is in memory only once. A JPEG is decoded at a
half, a quarter or an eighth of its size if that is enough. All images are resized in strips, and rotated at the end.
"""

from __future__ import annotations

import io
import json
import warnings
from typing import Any

from PIL import Image, WebPImagePlugin

from workspace.storage.files.image_limits import MAX_SIDE, MEGAPIXELS, WIDTHS

_MAX_SIDE_PIXELS = 65_535  # per side, as in JPEG, because the memory for resizing also depends on the side
_STRIP_PIXELS = 1_000_000
_FULL, _SMALLER = {"quality": 88}, {"quality": 80, "progressive": True}  # options of a JPEG and its phone versions
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
# Loads the format libraries before the memory limit is set. If a library could not be loaded later, a good image would
# look broken.
Image.preinit()


class _TooManyPixelsError(Exception):
    """The image has too many pixels."""


class _FirstFrame(WebPImagePlugin.WebPImageFile):
    """A WebP image that frees its decoder, with two canvases, before the frame becomes an image."""

    def _get_next(self) -> Any:
        frame = super()._get_next()
        self._decoder = None
        return frame


def handle(content: bytes) -> bytes:
    """Return a line of JSON, followed by images.

    The line is {problem: "unknown", "pixels" or "unreadable"}, or {media_type, width, height, pictures: [[width,
    bytes], ...]}. The images are the full size, followed by all smaller sizes in WIDTHS.
    """
    form = next((form for start, form in _SIGNATURES.items() if content.startswith(start)), "")
    if not form:
        return _dump_problem("unknown")
    try:
        with warnings.catch_warnings(action="ignore"):
            head, pictures = _render_sizes(content, form)
    except MemoryError:
        raise
    except (_TooManyPixelsError, Image.DecompressionBombError):
        return _dump_problem("pixels")
    except Exception:  # for people, all of the library's errors about a broken file mean the same
        return _dump_problem("unreadable")
    return b"".join([json.dumps(head).encode(), b"\n", *pictures])


def _dump_problem(name: str) -> bytes:
    return json.dumps({"problem": name}).encode()


def _render_sizes(content: bytes, form: str) -> tuple[dict[str, Any], list[bytes]]:
    picture = _load_upright(content, form)
    sizes = [picture]
    for width in WIDTHS:
        if width < picture.width:
            high = max(1, round(picture.height * width / picture.width))
            sizes.append(picture.resize((width, high), Image.Resampling.LANCZOS))
    pictures = [_encode_image(size, _FULL if size is picture else _SMALLER) for size in sizes]
    head = {
        "media_type": "image/png" if picture.mode == "RGBA" else "image/jpeg",
        "width": picture.width,
        "height": picture.height,
        "pictures": [[size.width, len(encoded)] for size, encoded in zip(sizes, pictures, strict=True)],
    }
    return head, pictures


def _load_upright(content: bytes, form: str) -> Image.Image:
    """Return the upright image, at most MAX_SIDE per side, as RGBA if it has transparency and RGB otherwise.

    If there are several frames, return the first.
    """
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
    Image.MAX_IMAGE_PIXELS = most // 2  # Pillow warns above the limit and raises an error above twice the limit
    try:
        opened = _FirstFrame(file) if form == "WEBP" else Image.open(file, formats=(form,))
    finally:
        Image.MAX_IMAGE_PIXELS = limit  # the setting is global
    if opened.width * opened.height > most or max(opened.size) > _MAX_SIDE_PIXELS:
        raise _TooManyPixelsError
    return opened


def _narrow_by_strips(opened: Image.Image, wide: int) -> Image.Image:
    """Resize only the width, in strips, which is the first pass of resizing.

    The strips do not depend on one another in this pass, so the whole image is never in memory in a second mode.
    """
    clear = opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info
    narrow = Image.new("RGBa" if clear else "RGB", (wide, opened.height))
    high = max(1, _STRIP_PIXELS // opened.width)
    for top in range(0, opened.height, high):
        strip = _to_eight_bits(opened.crop((0, top, opened.width, min(top + high, opened.height))))
        strip = strip.convert("RGBA").convert("RGBa") if clear else strip.convert("RGB")
        narrow.paste(strip.resize((wide, strip.height), Image.Resampling.LANCZOS), (0, top))
    return narrow


def _to_eight_bits(picture: Image.Image) -> Image.Image:
    """Convert 16-bit grayscale, which a plain conversion would clip at 255."""
    return picture.convert("I").point(lambda value: value / 257).convert("L") if picture.mode[0] == "I" else picture


def _read_orientation(opened: Any) -> int:
    try:
        return int(opened.getexif().get(_ORIENTATION_TAG, 1))
    except Exception:  # unreadable metadata means no rotation
        return 1


def _encode_image(picture: Image.Image, options: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    if picture.mode == "RGBA":
        picture.save(out, "PNG")
    else:
        picture.save(out, "JPEG", optimize=True, **options)
    return out.getvalue()
