"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
paginated list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api


def make_code(api: Api, number: int = 0) -> dict[str, Any]:
    code: dict[str, Any] = api.run("svc_qr_create", name=f"Code {number}", target_url=f"https://example.com/{number}")
    return code


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    code = make_code(api)
    api.run("svc_qr_update_target", id=code["id"], target_url="https://example.com/second")
    return {"code": code["id"]}


SAMPLES = {
    "svc_qr_list": lambda made: {"q": "code", "limit": 10},
    "svc_qr_create": lambda made: {"name": "Menu", "target_url": "example.com", "folder": "Tables"},
    "svc_qr_get": lambda made: {"id": made["code"], "check": True},
    "svc_qr_update_target": lambda made: {"id": made["code"], "target_url": "https://example.com/new"},
    "svc_qr_edit": lambda made: {"id": made["code"], "name": "Renamed", "preset": "soft"},
    "svc_qr_save": lambda made: {
        "items": [
            {"name": "One", "target_url": "example.com", "folder": "Tables", "preset": "soft"},
            {"name": "Wi-Fi", "static": {"kind": "wifi", "ssid": "Guests", "password": "12345678"}},
            {"id": made["code"], "name": "Renamed"},
        ]
    },
    "svc_qr_delete": lambda made: {"ids": [made["code"]]},
    "svc_qr_stats": lambda made: {"id": made["code"], "days": 7},
    "svc_qr_style": lambda made: {"thing": made["code"], "preset": "ink"},
    "svc_qr_print": lambda made: {"thing": made["code"], "kind": "poster"},
    "svc_qr_export": lambda made: {"kind": "scans", "id": made["code"]},
}

# A list with folders, each with a count, must also run a constant number of queries.
LISTS = {"svc_qr_list": make_code}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {"id": "code", "name": "soft"}
