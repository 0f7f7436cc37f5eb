"""The webhook tools create, change, test, resend and remove webhooks of their own account, and show no secrets."""

from __future__ import annotations

import re

import pytest

from workspace.accounts.models import Change, IdempotentCall
from workspace.delivery import webhooks
from workspace.delivery.models import Delivery, DeliveryState, Endpoint
from workspace.delivery.models.webhook import SECRET_PURPOSE
from workspace.storage import encryption
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
URL = "https://example.com/hooks"


def test_creating_changing_and_removing_a_webhook_can_be_undone(api: Api) -> None:
    made = api.run("svc_webhooks_edit", url=URL)
    assert made["state"] == "on" and made["thing_id"] == "" and made["page"].endswith(made["webhook_id"])
    id = made["webhook_id"]
    assert api.run("svc_webhooks_edit", webhook_id=id, live=False)["state"] == "off"
    api.run("svc_undo")
    assert api.run("svc_webhooks_log")["webhooks"][0]["state"] == "on"
    secret = Endpoint.objects.get().reveal_secret()
    assert api.run("svc_webhooks_edit", webhook_id=id, url="")["state"] == "removed"
    assert not Endpoint.objects.exists()
    api.run("svc_undo")
    back = Endpoint.objects.get()
    assert back.url == URL and back.reveal_secret() not in ("", secret), "the former one was not kept"


def test_a_test_event_and_a_resent_delivery_cannot_be_undone(api: Api) -> None:
    id = api.run("svc_webhooks_edit", url=URL)["webhook_id"]
    tried = api.run("svc_webhooks_edit", webhook_id=id, send="test")
    assert tried["change"]["cannot_be_undone"] and tried["sent"]["event"] == webhooks.TEST_EVENT
    again = api.run("svc_webhooks_edit", send="again", delivery_id=tried["sent"]["id"])
    assert again["sent"]["id"] == tried["sent"]["id"]
    assert Delivery.objects.filter(kind=webhooks.KIND, state=DeliveryState.WAITING).count() == 1
    assert api.run("svc_webhooks_log", webhook_id=id)["total"] == 1
    api.run("svc_webhooks_edit", webhook_id=id, live=False)
    assert api.run("svc_webhooks_log")["items"][0]["state"] == "stopped"
    assert "is turned off" in api.refuse("svc_webhooks_edit", webhook_id=id, send="test")["message"]
    assert not Delivery.objects.filter(kind=webhooks.KIND, state=DeliveryState.WAITING).exists()


def test_invalid_input_is_reported_at_its_path_and_changes_nothing(api: Api, stranger: Api) -> None:
    theirs = stranger.run("svc_webhooks_edit", url=URL)["webhook_id"]
    sent = stranger.run("svc_webhooks_edit", webhook_id=theirs, send="test")["sent"]["id"]
    card = api.run("svc_card_create", full_name="Jane")["id"]
    faults = [
        ({"url": "https://192.168.0.1/x"}, "url", "public internet"),
        ({"url": "http://example.com"}, "url", "https://"),
        ({"url": URL, "events": ["form.lost"]}, "events.0", "one of these events"),
        ({"url": URL, "thing": card}, "thing", "business card"),
        ({}, "url", "Provide the url"),
        ({"send": "again"}, "delivery_id", "together with send=again"),
    ]
    for given, path, words in faults:
        issue = api.refuse("svc_webhooks_edit", **given)["issues"][0]
        assert issue["path"] == path and words in issue["message"], issue
    for given in ({"webhook_id": theirs}, {"send": "again", "delivery_id": sent}, {"webhook_id": theirs, "url": ""}):
        assert api.refuse("svc_webhooks_edit", **given)["error"] == "not_found"
    assert api.refuse("svc_webhooks_log", webhook_id=theirs)["error"] == "not_found"
    assert Endpoint.objects.count() == 1 and api.run("svc_webhooks_log")["total"] == 0


def test_neither_tools_nor_stored_calls_contain_a_secret(api: Api) -> None:
    status, body = api.post(
        "call", {"name": "svc_webhooks_edit", "arguments": {"url": URL}}, **{"Idempotency-Key": "one"}
    )
    assert status == 200
    row = Endpoint.objects.get()
    first = encryption.decrypt_secret(row.secret, row.account_id, SECRET_PURPOSE)
    rotated = api.run("svc_webhooks_edit", webhook_id=row.pk, rotate_secret=True)
    row.refresh_from_db()
    assert rotated["change"]["cannot_be_undone"] and row.secret not in str(rotated)
    told = [body, rotated, list(Change.objects.values()), list(IdempotentCall.objects.values())]
    second = encryption.decrypt_secret(row.secret, row.account_id, SECRET_PURPOSE)
    assert first != second and not re.search("whsec", repr(told))
    assert row.secret not in repr(told) and row.previous_secret not in repr(told)


def test_a_second_webhook_for_one_form_is_rejected_with_advice(api: Api) -> None:
    form = api.run("svc_form_create", title="Ask")["id"]
    first = api.run("svc_webhooks_edit", thing=form, url=URL)
    other = "https://second.example.com/hook"
    [issue] = api.refuse("svc_webhooks_edit", thing=form, url=other)["issues"]
    assert issue["path"] == "url" and URL in issue["message"]
    assert f"use webhook_id={first['webhook_id']} with url" in issue["message"]
    assert [one["url"] for one in api.run("svc_webhooks_log", thing=form)["webhooks"]] == [URL]
    # The same call again changes nothing, and its own id changes the URL.
    assert api.run("svc_webhooks_edit", thing=form, url=URL)["webhook_id"] == first["webhook_id"]
    changed = api.run("svc_webhooks_edit", webhook_id=first["webhook_id"], url=other)
    assert (changed["webhook_id"], changed["url"]) == (first["webhook_id"], other)
    assert api.run("svc_webhooks_edit", thing=form, url="")["state"] == "removed"
