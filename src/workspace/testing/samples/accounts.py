"""Samples of the account's own tools, for the tests across all tools."""

from __future__ import annotations

import base64
from typing import Any

from workspace.testing.api import Api
from workspace.testing.pictures import picture

_ZIP = b"PK\x05\x06" + bytes(18)  # an empty ZIP


SAMPLES = {
    "svc_me": lambda made: {},
    "svc_account_edit": lambda made: {"name": "New name", "time_zone": "Europe/Berlin"},
    "svc_brand_get": lambda made: {},
    "svc_brand_edit": lambda made: {"slogan": "Bread since 1921", "colors": ["#8a1538", "f2b705"], "fonts": "warm"},
    "svc_list_products": lambda made: {},
    "svc_find_tools": lambda made: {"query": "change where a printed code leads"},
    "svc_my_apps": lambda made: {},
    "svc_activity": lambda made: {},
    "svc_undo": lambda made: {"change_id": made["change"]},
    "svc_search": lambda made: {"q": "Jane"},
    "svc_overview": lambda made: {"days": 30, "thing": made["card"]},
    "svc_leads": lambda made: {"thing": made["card"]},
    "svc_webhooks_log": lambda made: {},
    "svc_webhooks_edit": lambda made: {"url": "https://example.com/hooks"},
    "svc_account_export": lambda made: {},
    "svc_account_import": lambda made: {"upload_id": made["zip"]},
    "svc_upload_file": lambda made: {"content": picture()},
}


def create_samples(api: Api) -> dict[str, str]:
    sent = api.run("svc_upload_file", content=base64.b64encode(_ZIP).decode(), name="everything.zip")
    return {"change": _rename(api, 0)["change"]["id"], "zip": sent["upload_id"]}


def _rename(api: Api, number: int) -> Any:
    # the time zone alternates, so that each call is a change
    zone = "Asia/Tokyo" if api.run("svc_me")["time_zone"] == "UTC" else "UTC"
    return api.run("svc_account_edit", time_zone=zone)


def _card(api: Api, number: int) -> Any:
    return api.run("svc_card_create", full_name=f"Jane {number}")


def _webhook(api: Api, number: int) -> Any:
    hook = api.account.endpoints.first()
    if hook is None:
        id = api.run("svc_webhooks_edit", url="https://example.com/hooks")["webhook_id"]
    else:
        id = hook.pk
    return api.run("svc_webhooks_edit", webhook_id=id, send="test")


LISTS = {"svc_webhooks_log": _webhook, "svc_activity": _rename, "svc_search": _card}
