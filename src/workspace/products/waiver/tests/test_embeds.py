"""Waivers in a frame on the owner's website, and on no other website."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from workspace.lib import clock
from workspace.products.waiver.models import Signing
from workspace.products.waiver.tests.test_views import _HIDDEN, BROWSER, TYPED
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


def test_a_waiver_can_be_signed_in_the_frame(api: Api) -> None:
    more = {"hosts": ["https://www.example.com/book"], "redirect_url": "https://www.example.com/thanks"}
    clauses = [{"title": "Risk", "text": "It turns over", "initials": True}]
    questions = [{"label": "Emergency contact"}]
    made = api.run("svc_waiver_create", title="Kayak", clauses=clauses, questions=questions, **more)
    at, may = f"/w/{made['slug']}/embed?theme=dark&lang=de", "frame-ancestors 'self' www.example.com"
    guest = Client(headers=BROWSER)
    page = guest.get(at)
    html = page.content.decode()
    assert may in page["Content-Security-Policy"] and not page.cookies
    assert f'action="{at.replace("&", "&amp;")}"' in html
    with time_machine.travel(clock.now() + timedelta(seconds=30)):
        wrong = guest.post(at, {**dict(_HIDDEN.findall(html)), **TYPED, "name": ""})
        sent = guest.post(at, {**dict(_HIDDEN.findall(html)), **TYPED})
    assert wrong.status_code == 400 and may in wrong["Content-Security-Policy"]
    assert (sent.status_code, sent["Location"]) == (303, f"/w/{made['slug']}/embed?signed=1&theme=dark&lang=de")
    assert Signing.objects.get().name == "Ada King"
    assert 'target="_top" data-onward' in guest.get(sent["Location"]).content.decode()
    alone = guest.get(f"/w/{made['slug']}/sign")
    assert "'none'" in alone["Content-Security-Policy"].partition("frame-ancestors")[2]
    asked = {"sec-fetch-dest": "iframe", "referer": "https://other.example/", "user-agent": "Mozilla/5.0 Firefox/140.0"}
    refused = Client(headers=asked).get(f"/w/{made['slug']}/embed").content.decode()
    assert "can’t be embedded here yet" in refused and "turns over" not in refused
    result = api.run("svc_waiver_get", id=made["id"])
    assert (result["hosts"], result["refused"]) == (["www.example.com"], [{"host": "other.example", "times": 1}])
    assert result["script"] == f'<script src="{made["public_url"]}/widget.js" async></script>'
    owner = Client()
    owner.force_login(api.account.owner)
    assert "widget.js" in owner.get(f"/app/waiver/{made['id']}/share").content.decode()
