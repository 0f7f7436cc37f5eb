"""The kiosk: its setup, the pages it can open, and how to leave it."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.test import Client

from workspace.audit_trail import export
from workspace.lib import clock
from workspace.products.waiver.domain import kiosk
from workspace.products.waiver.domain.queries import get_waiver
from workspace.products.waiver.models import Signing
from workspace.products.waiver.tests.test_views import _HIDDEN, BROWSER, TYPED
from workspace.rate_limits.table import get_limit
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiver_data(api: Api) -> dict[str, Any]:
    result: dict[str, Any] = api.run(
        "svc_waiver_create",
        title="Kayak",
        text="Look [here](https://elsewhere.example/)",
        clauses=[{"title": "Risk", "text": "It turns over", "initials": True}],
        questions=[{"label": "Emergency contact", "required": True}],
        kiosk={"enabled": True, "pin": "4711"},
    )
    return result


def begun(api: Api, waiver_data: dict[str, Any], client: Client) -> str:
    link = urlsplit(kiosk.kiosk_url(get_waiver(api.account, waiver_data["id"])))
    assert "Start kiosk" in client.get(f"{link.path}?{link.query}").content.decode()
    sent = client.post(f"{link.path}?{link.query}")
    assert (sent.status_code, sent["Location"]) == (303, link.path)
    assert sent["Clear-Site-Data"] == '"cache", "storage"'
    return link.path


def test_a_kiosk_browser_is_signed_out_and_takes_one_signature_after_another(
    api: Api, waiver_data: dict[str, Any]
) -> None:
    tablet = Client(headers=BROWSER)
    tablet.force_login(api.account.owner)
    path = begun(api, waiver_data, tablet)
    assert tablet.get("/app").status_code == 302, "nobody at the counter is the owner"
    assert tablet.cookies[kiosk.COOKIE_NAME]["path"] == path and tablet.cookies[kiosk.COOKIE_NAME]["httponly"]
    start = tablet.get(path)
    assert "Read and sign" in start.content.decode() and start["Cache-Control"] == "no-store"
    for number in range(2):
        form = tablet.get(f"{path}?sign")
        html = form.content.decode()
        assert form["Cache-Control"] == "no-store" and "Ada " not in html and "elsewhere.example" not in html
        assert 'autocomplete="name"' not in html and 'autocomplete="bday' not in html
        with time_machine.travel(clock.now() + timedelta(seconds=30)):
            sent = tablet.post(f"{path}?sign", {**dict(_HIDDEN.findall(html)), **TYPED, "name": f"Ada {number}x"})
        assert (sent.status_code, sent["Location"]) == (303, f"{path}?signed"), sent.content.decode()
        assert "Ada " not in tablet.get(sent["Location"]).content.decode()
    signings = list(Signing.objects.order_by("signed_at"))
    assert [signing.name for signing in signings] == ["Ada 0x", "Ada 1x"]
    assert '"kiosk": true' in json.dumps(export.export_record(api.account, signings[0].record))


def test_the_pin_ends_the_kiosk_and_attempts_are_limited(api: Api, waiver_data: dict[str, Any]) -> None:
    tablet = Client(headers=BROWSER)
    path = begun(api, waiver_data, tablet)
    for _ in range(get_limit("waiver-kiosk-pin").count - 1):
        assert tablet.post(f"{path}?leave", {"pin": "1234"}).status_code == 403
    left = tablet.post(f"{path}?leave", {"pin": "4711"})
    assert (left.status_code, left["Location"]) == (303, "/app/waiver")
    assert tablet.get(path).status_code == 404 and tablet.get(f"{path}?sign").status_code == 404
    tablet = Client(headers=BROWSER)
    begun(api, waiver_data, tablet)
    assert tablet.post(f"{path}?leave", {"pin": "4711"}).status_code == 429


def test_a_new_pin_ends_kiosks_and_a_guessed_link_starts_none(api: Api, waiver_data: dict[str, Any]) -> None:
    tablet = Client(headers=BROWSER)
    path = begun(api, waiver_data, tablet)
    old = urlsplit(kiosk.kiosk_url(get_waiver(api.account, waiver_data["id"]))).query
    api.run("svc_waiver_edit", id=waiver_data["id"], kiosk={"enabled": True, "pin": "0815"})
    for tried in (path, f"{path}?sign", f"{path}?{old}", f"{path}?key=x%00é"):
        assert tablet.get(tried).status_code == 404, tried
    assert tablet.post(f"{path}?sign", TYPED).status_code == 404
    elsewhere = Client(headers={**BROWSER, "sec-fetch-site": "cross-site"})
    new = urlsplit(kiosk.kiosk_url(get_waiver(api.account, waiver_data["id"]))).query
    assert elsewhere.post(f"{path}?{new}").status_code == 403, "no other site makes somebody's browser a kiosk"
    status, refused = api.post(
        "call", {"name": "svc_waiver_edit", "arguments": {"id": waiver_data["id"], "kiosk": {"on": True}}}
    )
    assert status == 400 and [issue["path"] for issue in refused["issues"]] == ["kiosk.pin"]


def test_the_owner_sets_a_pin_and_gets_the_link(api: Api, waiver_data: dict[str, Any]) -> None:
    owner = Client()
    owner.force_login(api.account.owner)
    page = f"/app/waiver/{waiver_data['id']}/kiosk"
    assert f"/w/{waiver_data['slug']}/kiosk?key=" in owner.get(page).content.decode()
    wrong = owner.post(page, {"kiosk.enabled": "true", "kiosk.pin": "12", "kiosk.reset_seconds": "8"})
    assert wrong.status_code == 422 and "4 to 8 digits" in wrong.content.decode()
    saved = owner.post(page, {"kiosk.enabled": "true", "kiosk.pin": "2468", "kiosk.reset_seconds": "12"})
    assert saved.status_code == 303
    assert api.run("svc_waiver_get", id=waiver_data["id"])["kiosk"] == {
        "enabled": True,
        "pin": "2468",
        "reset_seconds": 12,
    }
