"""Guests' posts render, hash and encrypt before their transaction, since on SQLite all other writes wait for it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest
import time_machine
from django.db import connection
from django.template import Template
from django.test import Client

from workspace.audit_trail import writer
from workspace.delivery.models import Delivery
from workspace.lib import clock
from workspace.products.booking.domain import guest_links
from workspace.rate_limits.models import RateCounter
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db(transaction=True)
GUEST = {"name": "Ada King", "email": "ada@example.com", "consent": "yes"}
ALWAYS = [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "00:00", "until": "00:00"}]


def _review(api: Api) -> tuple[str, dict[str, str]]:
    made = api.run("svc_reviews_create", title="How was it?")
    return urlsplit(made["public_url"]).path, {**GUEST, "rating": "5", "text": "Lovely"}


def _signing(api: Api) -> tuple[str, dict[str, str]]:
    made = api.run("svc_waiver_create", title="Climbing", text="I know the risks.", language="en")
    born = {"born-day": "2", "born-month": "1", "born-year": "1990"}
    return f"{urlsplit(made['public_url']).path}/sign", {**GUEST, **born, "typed": GUEST["name"]}


def _booking(api: Api) -> tuple[str, dict[str, str]]:
    page = api.run("svc_booking_create", name="Cuts", hours=ALWAYS)
    items = [{"name": "Cut", "duration": 30}]
    [service] = api.run("svc_booking_save_services", page_id=page["id"], items=items)["saved"]
    start = datetime.now(UTC).replace(hour=9, minute=0, second=0, microsecond=0) + timedelta(days=3)
    at = {"service": service, "start": f"{start:%Y-%m-%dT%H:%MZ}"}
    return f"{urlsplit(page['public_url']).path}/book", {**GUEST, **at}


def _form(api: Api, **settings: Any) -> tuple[str, dict[str, str]]:
    fields = [{"key": "name", "type": "text", "label": "Name"}, {"key": "email", "type": "email", "label": "Email"}]
    made = api.run("svc_form_create", title="Trial day", pages=[{"key": "p", "fields": fields}])
    api.run("svc_form_edit", id=made["id"], receipt=True, notify=["team@example.com"], **settings)
    return urlsplit(made["public_url"]).path, {"f-name": GUEST["name"], "f-email": GUEST["email"]}


def _last_response(api: Api) -> tuple[str, dict[str, str]]:
    return _form(api, max_responses=1)


def _proposal(api: Api) -> str:
    made = api.run("svc_bid_create", title="Party", client_name="Ada", line_items=[{"name": "Tent", "unit_price": 60}])
    api.run("svc_bid_share_link", id=made["id"], mark_sent=True)
    return urlsplit(made["public_url"]).path


def _approval(api: Api) -> tuple[str, dict[str, str]]:
    return f"{_proposal(api)}/approve", {**GUEST, "agreed": "yes"}


def _rejection(api: Api) -> tuple[str, dict[str, str]]:
    return f"{_proposal(api)}/decline", {"reason": "price"}


@pytest.mark.parametrize(
    ("prepare", "emails"),
    [(_review, 2), (_signing, 0), (_booking, 2), (_form, 3), (_last_response, 4), (_approval, 1), (_rejection, 1)],
    ids=["review", "signing", "booking", "form", "last response", "approval", "rejection"],
)
def test_a_post_renders_and_hashes_nothing_under_the_write_lock(
    prepare: Callable[[Api], tuple[str, dict[str, str]]], emails: int, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, typed = prepare(api)
    guest = Client(REMOTE_ADDR="203.0.113.70")
    RateCounter.objects.all().delete()
    Delivery.objects.all().delete()
    called: list[tuple[str, bool]] = []
    for place, name in ((Template, "render"), (writer, "hash_personal_value"), (guest_links, "encrypt_secret")):
        monkeypatch.setattr(place, name, _note_calls(called, name, getattr(place, name)))
    with time_machine.travel(clock.now(), tick=False) as travel:
        html = guest.get(path, typed).content.decode()
        html = html.partition(f'action="{path}')[2].partition("</form>")[0] or html  # of several forms
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', html))
        travel.shift(60)
        called.clear()
        assert guest.post(path, {**hidden, **typed}).status_code == 303
    assert Delivery.objects.filter(kind="email").count() == emails
    assert called or not emails, "nothing was noted"
    assert [name for name, is_locked in called if is_locked] == []
    assert {counter.count for counter in RateCounter.objects.all()} == {1}


def _note_calls(called: list[tuple[str, bool]], name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*args: Any, **kwargs: Any) -> Any:
        called.append((name, connection.in_atomic_block))
        return work(*args, **kwargs)

    return noted
