"""Small pictures for these tests."""

from __future__ import annotations

import base64
import io

from PIL import Image


def logo_bytes(color: str = "#b91c3c", side: int = 64) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (side, side), color).save(out, "PNG")
    return out.getvalue()


def logo() -> str:
    return base64.b64encode(logo_bytes()).decode()
