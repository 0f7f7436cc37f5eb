"""The guest page of a card."""

from __future__ import annotations

import re
from typing import Any

import pytest

from workspace.products.card.api.arguments import tel_url
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.card import SAMPLES, make_card

pytestmark = pytest.mark.django_db


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    return made


def test_the_page_shows_every_field_with_its_link(card: dict[str, Any]) -> None:
    html = Guest().get(f"/c/{card['slug']}").content.decode()
    for text in ("Jane Doe", "Baker", "Corner Café", "Bread since 1999.", "Our bread", "example.org", "1 Main Street"):
        assert text in html
    for address in (
        f"/c/{card['slug']}.vcf",
        "tel:+4312345678",
        "mailto:jane@example.com",
        "https://www.google.com/maps/dir/?api=1&amp;destination=1%20Main%20Street%2C%20Springfield",
        "https://example.com",
        "https://www.instagram.com/corner",
        f"/c/{card['slug']}/exchange",
        f"/c/{card['slug']}/mail",
        f"/c/{card['slug']}.svg",
    ):
        assert f'"{address}"' in html, address


def test_every_number_and_address_is_shown_with_its_label_and_the_first_is_called(api: Api) -> None:
    numbers = [{"number": "+43 1 2", "label": "Bakery"}, "+43 1 3"]
    addresses = [{"email": "orders@example.com", "label": "Orders"}]
    [card] = api.run("svc_card_save", items=[{"full_name": "Jane", "more_phones": numbers, "more_emails": addresses}])[
        "items"
    ]
    html = Guest().get(f"/c/{card['slug']}").content.decode()
    assert '<dt><bdi>Bakery</bdi></dt><dd><a href="tel:+4312">+43 1 2</a></dd>' in html
    assert '<dt><bdi>Phone</bdi></dt><dd><a href="tel:+4313">+43 1 3</a></dd>' in html
    assert '<dt><bdi>Orders</bdi></dt><dd><a href="mailto:orders@example.com">orders@example.com</a></dd>' in html
    acts = html[html.index('class="vc-acts"') : html.index("</ul>")]
    assert "tel:+4312" in acts and "mailto:orders@example.com" in acts


def test_empty_fields_are_not_shown(api: Api) -> None:
    html = Guest().get(f"/c/{make_card(api)['slug']}").content.decode().partition("<body>")[2]
    assert html
    for text in ("tel:", "mailto:", "Directions", "Website", "vc-links", "vc-facts", "vc-logo", "None"):
        assert text not in html


def test_texts_cannot_become_markup(api: Api) -> None:
    words = '<script>alert(1)</script>"><img src=x>'
    card = api.run("svc_card_create", full_name=words, bio=words, title=words, company=words, address=words)
    for path in ("", "/exchange", "/mail"):
        html = Guest().get(f"/c/{card['slug']}{path}").content.decode()
        assert "<script>" not in html and "<img src=x" not in html


def test_the_page_is_cached_by_its_etag_and_changes_at_the_next_load(api: Api, card: dict[str, Any]) -> None:
    guest, path = Guest(), f"/c/{card['slug']}"
    first = guest.get(path)
    again = guest.get(path, **{"if-none-match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert not first.cookies and first["Cache-Control"] == "no-cache"
    api.run("svc_card_edit", card_id=card["id"], title="Owner of the ovens")
    changed = guest.get(path, **{"if-none-match": first["ETag"]})
    assert changed.status_code == 200
    assert "Owner of the ovens" in changed.content.decode()


@pytest.mark.parametrize(
    "change",
    [{"color": "#8a1538"}, {"theme": "midnight"}, {"links": []}, {"lead_capture": False}, {"bio": ""}],
)
def test_every_change_of_a_card_changes_the_page(change: dict[str, Any], api: Api, card: dict[str, Any]) -> None:
    before = Guest().get(f"/c/{card['slug']}")
    api.run("svc_card_edit", card_id=card["id"], **change)
    assert Guest().get(f"/c/{card['slug']}")["ETag"] != before["ETag"]


def test_views_are_counted_for_people_and_not_for_bots(api: Api, card: dict[str, Any]) -> None:
    for guest in (Guest(), Guest(), Guest("WhatsApp/2.23"), Guest("curl/8.5")):
        assert guest.get(f"/c/{card['slug']}").status_code == 200
    Guest().client.head(f"/c/{card['slug']}")
    assert api.run("svc_card_get", card_id=card["id"])["views"] == 2
    assert api.run("svc_card_stats", card_id=card["id"])["bots"] == 2


def test_a_paused_card_names_the_business_and_can_be_resumed(api: Api, card: dict[str, Any]) -> None:
    api.run("svc_card_edit", card_id=card["id"], live=False)
    for path in ("", ".vcf", "/exchange", "/mail"):
        response = Guest().get(f"/c/{card['slug']}{path}")
        assert response.status_code == 404
        assert "Corner Café has paused" in response.content.decode()
        assert "jane@example.com" not in response.content.decode()
    api.run("svc_card_edit", card_id=card["id"], live=True)
    assert Guest().get(f"/c/{card['slug']}").status_code == 200


def test_a_deleted_card_is_gone_and_its_slug_stays_reserved(api: Api, stranger: Api, card: dict[str, Any]) -> None:
    api.run("svc_card_delete", ids=[card["id"]])
    for path in ("", ".vcf", ".svg", "/exchange", "/mail"):
        assert Guest().get(f"/c/{card['slug']}{path}").status_code == 410
    other = make_card(stranger)
    assert "already in use" in stranger.refuse("svc_card_edit", card_id=other["id"], slug=card["slug"])["message"]


def test_the_former_slug_still_works_after_a_change(api: Api, card: dict[str, Any]) -> None:
    moved = api.run("svc_card_edit", card_id=card["id"], slug="Jane-Doe")
    assert moved["public_url"].endswith("/c/jane-doe")
    assert moved["slugs"] == ["jane-doe", card["slug"]]
    for slug in ("jane-doe", "JANE-DOE", card["slug"]):
        assert Guest().get(f"/c/{slug}").status_code == 200
    assert Guest().get("/C/JANE-DOE").status_code == 200
    assert f'rel="canonical" href="{moved["public_url"]}"' in Guest().get(f"/c/{card['slug']}").content.decode()


STRANGE = ["nothing", "a%00b", "%F0%9F%98%80", "a%0Ab", "x" * 51, "..", "%2e%2e"]
PATHS = [f"/c/{slug}{end}" for slug in STRANGE for end in ("", ".vcf", ".svg", "/exchange", "/mail")]


@pytest.mark.parametrize("path", PATHS)
def test_an_unknown_address_returns_404(path: str) -> None:
    assert Guest().get(path).status_code == 404


def test_a_card_uses_the_brand_until_it_has_a_color(api: Api, card: dict[str, Any]) -> None:
    api.run("svc_brand_edit", colors=["#1d4ed8", "#f2b705"], corners="round")
    assert _style_id(card) == "1d4ed8-f2b705-system-round"
    api.run("svc_card_edit", card_id=card["id"], color="#8a1538")
    assert _style_id(card) == "8a1538-own-system-round"
    api.run("svc_card_edit", card_id=card["id"], color="", theme="midnight")
    assert _style_id(card) == "1d4ed8-f2b705-system-round-dark"


def _style_id(card: dict[str, Any]) -> str:
    html = Guest().get(f"/c/{card['slug']}").content.decode()
    [look] = re.findall(r'data-sheet="/styles/([^".]+)\.', html)
    return str(look)


def test_the_page_is_small(card: dict[str, Any]) -> None:
    html = Guest().get(f"/c/{card['slug']}").content
    assert len(re.sub(rb"<style.*?</style>", b"", html, flags=re.DOTALL)) < 12_000
    assert html.count(b"<script") == 1 and b" style=" not in html


def test_the_service_worker_is_in_the_folder_of_the_cards_in_either_case() -> None:
    for path in ("/c/sw.js", "/C/sw.js"):
        answer = Guest().get(path)
        assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
        assert answer["Cache-Control"] == "no-cache"


def test_a_prefetch_is_no_contact_save(api: Api, card: dict[str, Any]) -> None:
    Guest().get(f"/c/{card['slug']}.vcf", purpose="prefetch")
    Guest().get(f"/c/{card['slug']}", purpose="prefetch")
    stored = api.run("svc_card_get", card_id=card["id"])
    assert (stored["contact_saves"], stored["views"]) == (0, 0)


@pytest.mark.parametrize(
    ("typed", "dialled"),
    [
        ("+43 1 234 56 78", "tel:+4312345678"),
        ("+49 (0)30 123-456", "tel:+4930123456"),
        ("(555) 010-0199", "tel:5550100199"),
        ("555 0100 ext. 12", "tel:5550100;ext=12"),
        ("555-0100 x12", "tel:5550100;ext=12"),
        ("", ""),
    ],
)
def test_a_number_can_be_dialed_as_people_write_it(typed: str, dialled: str) -> None:
    assert tel_url(typed) == dialled


def test_the_lead_form_is_shown_on_pro_and_team_only() -> None:
    for plan, shown in (("free", False), ("pro", True), ("team", True)):
        api = make_api(make_account(card=plan))
        card = make_card(api)
        assert card["lead_capture"] is True, "the flag may be set on any plan"
        assert card["lead_form_shown"] is shown
        assert ("/exchange" in Guest().get(f"/c/{card['slug']}").content.decode()) is shown


def test_a_change_of_plan_shows_at_the_next_load(api: Api, card: dict[str, Any]) -> None:
    assert "/exchange" in Guest().get(f"/c/{card['slug']}").content.decode()
    api.account.chosen_plans = {"card": "free"}
    api.account.save()
    assert "/exchange" not in Guest().get(f"/c/{card['slug']}").content.decode()
