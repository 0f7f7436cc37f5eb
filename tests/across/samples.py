"""For every tool, arguments that name things of a given account: what the tests that span all tools go by.

A tool that is not here fails `test_every_tool_has_a_sample`, so a new one cannot be forgotten.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable
from typing import Any

from PIL import Image

from workspace.testing import Api


def _png() -> str:
    out = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def make_code(api: Api, number: int = 0) -> dict[str, Any]:
    code: dict[str, Any] = api.run("svc_qr_create", name=f"Code {number}", target_url=f"https://example.com/{number}")
    return code


Sample = Callable[[dict[str, Any]], dict[str, Any]]

# tool → arguments, made from what `things` returns
SAMPLES: dict[str, Sample] = {
    "svc_me": lambda _: {},
    "svc_list_products": lambda _: {},
    "svc_my_apps": lambda _: {},
    "svc_upload_picture": lambda _: {"content": _png()},
    "svc_qr_list": lambda _: {"q": "code", "limit": 10},
    "svc_qr_create": lambda _: {"name": "Menu", "target_url": "example.com", "folder": "Tables"},
    "svc_qr_bulk_create": lambda _: {"codes": [{"name": "One", "target_url": "example.com"}]},
    "svc_qr_get": lambda made: {"id": made["code"]},
    "svc_qr_update_target": lambda made: {"id": made["code"], "target_url": "https://example.com/new"},
    "svc_qr_undo": lambda made: {"id": made["code"]},
    "svc_qr_edit": lambda made: {"id": made["code"], "name": "Renamed", "preset": "soft"},
    "svc_qr_pause": lambda made: {"id": made["code"]},
    "svc_qr_resume": lambda made: {"id": made["code"]},
    "svc_qr_delete": lambda made: {"id": made["code"]},
    "svc_qr_stats": lambda made: {"id": made["code"], "days": 7},
    "svc_qr_export_scans": lambda made: {"id": made["code"]},
    "svc_qr_check": lambda made: {"id": made["code"]},
}


def things(api: Api) -> dict[str, Any]:
    """One thing of every kind that ids name, owned by the account of `api`."""
    code = make_code(api)
    api.run("svc_qr_update_target", id=code["id"], target_url="https://example.com/second")
    return {"code": code["id"]}
