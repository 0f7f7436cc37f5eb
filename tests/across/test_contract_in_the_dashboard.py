"""The dashboard as the fourth channel: each of the contract's tools has a page that shows or does the same.

The other three channels are covered by test_channels_agree.py. A tool of the contract without an entry here fails.
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.across.samples import SAMPLES
from workspace.testing.api import Api
from workspace.testing.oauth_client import sign_in_browser

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
CONTRACT = [one["name"] for one in json.loads((Path("tests/contract") / "tools.json").read_text())["tools"]]

# the page that shows the answer, and the parts of the answer on that page
READ: dict[str, tuple[str, list[str]]] = {
    "svc_me": ("/app/account", ["name", "time_zone"]),
    "svc_list_products": ("/app/plans", ["products.0.name", "products.11.name"]),
    "svc_my_apps": ("/app/connect", ["apps.0.url"]),
    "svc_qr_list": ("/app/qr", ["items.0.name"]),
    "svc_qr_stats": ("/app/qr/{code}/results", ["name"]),
    "svc_card_list": ("/app/card", ["items.0.full_name"]),
    "svc_card_leads": ("/app/card/{card}/leads", ["items.0.name", "items.0.email"]),
    "svc_bid_list": ("/app/bid", ["items.0.title", "items.0.client_name"]),
    "svc_bid_get": ("/app/bid/{bid}", ["title", "line_items.0.name"]),
    "svc_booking_pages": ("/app/booking", ["items.0.name"]),
    "svc_booking_list": ("/app/booking/{booking_page}/bookings/{booking}", ["items.0.name", "items.0.service"]),
    "svc_booking_availability": ("/app/booking/{booking_page}/book?service_id={service}&day=2026-11-23", ["times.3"]),
    "svc_menu_list": ("/app/menu", ["items.0.restaurant_name"]),
    "svc_menu_items": ("/app/menu/{menu}", ["items.0.section", "items.0.name"]),
    "svc_reviews_list": ("/app/reviews/{review_page}/items", ["items.0.name"]),
    "svc_links_pages": ("/app/links", ["items.0.title"]),
    "svc_links_stats": ("/app/links/{link_page}/results", ["title"]),
    "svc_certs_templates": ("/app/certs", ["items.0.name"]),
    "svc_certs_list": ("/app/certs/{cert_template}/issued", ["items.0.name"]),
    "svc_event_list": ("/app/event", ["items.0.title"]),
    "svc_event_get": ("/app/event/{event}", ["title", "schedule.0.title"]),
    "svc_seat_charts": ("/app/seat", ["items.0.title"]),
    "svc_seat_tables": ("/app/seat/{chart}", ["chart.title", "items.1.guests.0.name"]),
    "svc_seat_guests": ("/app/seat/{chart}/guests", ["items.0.name"]),
    "svc_forms_list": ("/app/form", ["items.0.title"]),
    "svc_form_responses": ("/app/form/{form}/responses", ["items.0.id"]),
    "svc_waivers_list": ("/app/waiver", ["items.0.title"]),
    "svc_waiver_signatures": ("/app/waiver/{signed_waiver}/signatures", ["items.0.signer"]),
    "svc_waiver_check": ("/app/waiver/door?q=Tim+King", ["people.0.name"]),
    "svc_invite_link": ("/app/invite", ["invite_url"]),
    "svc_support_tickets": ("/app/support/{ticket}", ["tickets.0.subject", "tickets.0.messages.0.text"]),
}
# the page and the form that do the same, and a tool with arguments that reads the expected result
DONE: dict[str, tuple[str, dict[str, Any], str, dict[str, Any], str]] = {
    "svc_qr_create": (
        "/app/qr/new",
        {"name": "By hand", "target_url": "example.com"},
        "svc_qr_list",
        {"q": "by hand"},
        "By hand",
    ),
    "svc_qr_update_target": (
        "/app/qr/{code}",
        {"target_url": "https://example.com/by-hand"},
        "svc_qr_list",
        {},
        "https://example.com/by-hand",
    ),
    "svc_card_create": ("/app/card/new", {"full_name": "Hanna Hand"}, "svc_card_list", {}, "Hanna Hand"),
    "svc_bid_create": ("/app/bid/new", {"title": "Made by hand"}, "svc_bid_list", {}, "Made by hand"),
    "svc_bid_share_link": ("/app/bid/{draft}/mark", {}, "svc_bid_get", {"id": "{draft}"}, '"status": "sent"'),
    "svc_booking_cancel": (
        "/app/booking/{booking_page}/bookings/{booking}/cancel",
        {"reason": "Rain"},
        "svc_booking_list",
        {"page_id": "{booking_page}", "upcoming": False},
        '"status": "cancelled"',
    ),
    "svc_menu_update_item": (
        "/app/menu/{menu}/items/{item}/switch",
        {"sold_out": "true"},
        "svc_menu_items",
        {"menu_id": "{menu}"},
        '"sold_out": true',
    ),
    "svc_reviews_approve": (
        "/app/reviews/{review_page}/items/{testimonial}/act",
        {"action": "approve"},
        "svc_reviews_list",
        {"page_id": "{review_page}"},
        '"status": "approved"',
    ),
    "svc_links_add": (
        "/app/links/{link_page}/add/link",
        {"title": "By hand", "url": "example.com"},
        "svc_links_pages",
        {},
        '"By hand"',
    ),
    "svc_certs_issue": (
        "/app/certs/{cert_template}/issue",
        {"step": "save", "csv": "Hanna Hand", "_once": "a"},
        "svc_certs_list",
        {"q": "Hanna"},
        "Hanna Hand",
    ),
    "svc_event_add_session": (
        "/app/event/{event}/sessions",
        {"title": "By hand", "start_time": "17:00"},
        "svc_event_get",
        {"id": "{event}"},
        "By hand",
    ),
    "svc_seat_add_guests": (
        "/app/seat/{chart}/guests",
        {"new0-name": "Hanna Hand"},
        "svc_seat_guests",
        {"event_id": "{chart}", "q": "hanna"},
        "Hanna Hand",
    ),
    "svc_seat_assign": (
        "/app/seat/{chart}/act",
        {"act": "move", "guest": "{guest}", "table": "{seat_table}"},
        "svc_seat_tables",
        {"event_id": "{chart}"},
        '{"id": "{guest}"',
    ),
    "svc_support_open": (
        "/app/support",
        {"subject": "By hand", "message": "How?"},
        "svc_support_tickets",
        {},
        "By hand",
    ),
}


def filled(value: Any, made: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: filled(one, made) for name, one in value.items()}
    return re.sub(r"\{(\w+)\}", lambda found: made[found[1]], value) if isinstance(value, str) else value


def value_at(data: Any, path: str) -> str:
    for part in path.split("."):
        data = data[int(part)] if part.isdigit() else data[part]
    return str(data)


def test_every_tool_of_the_contract_has_an_entry() -> None:
    assert sorted([*READ, *DONE]) == sorted(CONTRACT)


@pytest.mark.parametrize("name", READ)
def test_a_page_shows_what_the_tool_returns(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    path, parts = READ[name]
    told = api.run(name, **SAMPLES[name](made))
    answer = sign_in_browser(api.account.owner).get(filled(path, made))
    assert answer.status_code == 200, answer
    page = unescape(answer.content.decode())
    if name == "svc_booking_availability":  # formatted for people
        told["times"] = [one[11:16] for one in told["times"]]
    assert [(part, value_at(told, part)) for part in parts if value_at(told, part) not in page] == []


@pytest.mark.parametrize("name", DONE)
def test_a_form_does_what_the_tool_does(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    path, form, read, arguments, expected = _page_and_call(name, made)
    browser: Client = sign_in_browser(api.account.owner)
    assert expected not in json.dumps(api.run(read, **arguments), ensure_ascii=False)
    answer = browser.post(path, form)
    assert answer.status_code in (200, 302, 303), answer.content.decode()
    assert expected in json.dumps(api.run(read, **arguments), ensure_ascii=False)


def _page_and_call(name: str, made: dict[str, str]) -> tuple[str, dict[str, Any], str, dict[str, Any], str]:
    path, form, read, arguments, expected = DONE[name]
    return filled(path, made), filled(form, made), read, filled(arguments, made), filled(expected, made)
