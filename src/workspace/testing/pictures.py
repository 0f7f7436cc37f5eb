"""Pictures as AI assistants send them."""

from __future__ import annotations

import base64
import io

from PIL import Image


def picture() -> str:
    """Return a small picture as Base64."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()
