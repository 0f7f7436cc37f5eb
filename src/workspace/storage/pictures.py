"""Pictures from strangers: the type is told from the bytes, and what is kept is drawn anew, without metadata."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

from PIL import Image, ImageOps

MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = 40_000_000
MAX_SIDE = 2000
_READ = ("PNG", "JPEG", "WEBP", "GIF")


@dataclass(frozen=True, slots=True)
class Picture:
    """`content` in `media_type`, `width` × `height` pixels."""

    content: bytes
    media_type: str
    width: int
    height: int


def redraw(content: bytes) -> Picture:
    """The picture turned upright, at most 2,000 pixels a side, as PNG where it is see-through and as JPEG elsewhere.
    Raises ValueError, with a text for people, for anything but a PNG, JPEG, WebP or GIF picture within the limits."""
    if len(content) > MAX_BYTES:
        raise ValueError(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(content), formats=_READ)
            if opened.width * opened.height > MAX_PIXELS:
                raise ValueError("The picture has too many pixels: make it smaller")
            picture: Image.Image = ImageOps.exif_transpose(opened)
            picture.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ValueError("The picture has too many pixels: make it smaller") from None
    except (OSError, SyntaxError, EOFError, ZeroDivisionError, TypeError, KeyError, IndexError):
        raise ValueError("This is not a PNG, JPEG, WebP or GIF picture that can be read") from None
    picture.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    clear = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
    out = io.BytesIO()
    # pasted onto a new canvas, so that nothing but pixels comes along
    canvas = Image.new("RGBA" if clear else "RGB", picture.size)
    canvas.paste(picture.convert(canvas.mode))
    if clear:
        canvas.save(out, "PNG", optimize=True)
    else:
        canvas.save(out, "JPEG", quality=88, optimize=True)
    return Picture(out.getvalue(), "image/png" if clear else "image/jpeg", canvas.width, canvas.height)
