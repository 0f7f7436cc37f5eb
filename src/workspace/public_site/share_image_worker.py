"""Rendering a share preview image in a subprocess: text by typst, which supports all scripts, photo and logo."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

import typst
from PIL import Image, ImageDraw, ImageOps

WIDTH, HEIGHT = 1200, 630
PHOTO_WIDTH = 520  # in pixels, at the right
LOGO_SIZE, LOGO_POSITION, LOGO_CORNER_RADIUS = 72, (80, 478), 14
MAX_BYTES = 95_000
_HERE = Path(__file__).parent
_QUALITIES = (88, 80, 70, 58, 45, 30)


def handle(content: bytes) -> bytes:
    """Return a JPEG for the JSON object {words, folders, photo, logo, whole}.

    `words` is the data of the layout. `photo` and `logo` are images in base64, or empty. With `whole`, the image
    consists only of the photo.
    """
    request = json.loads(content)
    photo, logo = (_open_image(request[name]) for name in ("photo", "logo"))
    if request["whole"] and photo is not None:
        return _encode_jpeg(_crop_photo(photo, WIDTH, HEIGHT))
    canvas = _render_text(request["words"], request["folders"])
    if photo is not None:
        canvas.paste(_crop_photo(photo, PHOTO_WIDTH, HEIGHT), (WIDTH - PHOTO_WIDTH, 0))
    if logo is not None:
        _paste_logo(canvas, logo)
    return _encode_jpeg(canvas)


def _open_image(text: str) -> Image.Image | None:
    return Image.open(io.BytesIO(base64.b64decode(text))) if text else None


def _render_text(words: dict[str, Any], folders: list[str]) -> Image.Image:
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=folders)
    made: Any = typst.compile(
        _HERE / "share_image.typ",
        root=_HERE,
        font_paths=fonts,
        sys_inputs={"data": json.dumps(words)},
        timestamp=0,
        format="png",
        ppi=72,
    )
    return Image.open(io.BytesIO(made)).convert("RGB")


def _crop_photo(photo: Image.Image, wide: int, high: int) -> Image.Image:
    """Crop to the area slightly above the center, where people's heads usually are."""
    photo.draft("RGB", (wide, high))
    flat = Image.new("RGB", photo.size, "#ffffff")
    clear = photo.convert("RGBA")
    flat.paste(clear, mask=clear.getchannel("A"))
    return ImageOps.fit(flat, (wide, high), Image.Resampling.LANCZOS, centering=(0.5, 0.4))


def _paste_logo(canvas: Image.Image, logo: Image.Image) -> None:
    """Paste the logo on white, because logos are designed for it."""
    tile = Image.new("L", (LOGO_SIZE * 4, LOGO_SIZE * 4))
    ImageDraw.Draw(tile).rounded_rectangle(
        (0, 0, LOGO_SIZE * 4 - 1, LOGO_SIZE * 4 - 1), LOGO_CORNER_RADIUS * 4, fill=255
    )
    mask = tile.resize((LOGO_SIZE, LOGO_SIZE), Image.Resampling.LANCZOS)
    canvas.paste("#ffffff", LOGO_POSITION, mask)
    small = ImageOps.contain(logo.convert("RGBA"), (LOGO_SIZE - 16, LOGO_SIZE - 16), Image.Resampling.LANCZOS)
    left, top = LOGO_POSITION[0] + (LOGO_SIZE - small.width) // 2, LOGO_POSITION[1] + (LOGO_SIZE - small.height) // 2
    canvas.paste(small, (left, top), small)


def _encode_jpeg(picture: Image.Image) -> bytes:
    """Encode the image with the highest quality that fits into MAX_BYTES."""
    made = b""
    for quality in _QUALITIES:
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=quality, optimize=True, progressive=True)
        made = out.getvalue()
        if len(made) <= MAX_BYTES:
            break
    return made
