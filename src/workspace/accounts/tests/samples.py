"""What the tests across all tools need to know of the account's own tools."""

from __future__ import annotations

import base64
import io

from PIL import Image


def picture() -> str:
    """A small picture, as agents send one."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


SAMPLES = {
    "svc_me": lambda made: {},
    "svc_account_edit": lambda made: {"name": "New name", "time_zone": "Europe/Berlin"},
    "svc_list_products": lambda made: {},
    "svc_my_apps": lambda made: {},
    "svc_upload_picture": lambda made: {"content": picture()},
}
