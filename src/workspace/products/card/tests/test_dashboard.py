"""The owner's pages: they open, forms call their tools, and cards of other accounts are not found."""

from __future__ import annotations

import io
import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client
from PIL import Image

from workspace.products.card.models import Card, Lead
from workspace.testing.api import Api, make_account, make_api
from workspace.testing.guest_browser import Guest
from workspace.testing.samples.card import SAMPLES, make_card, submit_lead

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


@pytest.fixture
def card(api: Api) -> dict[str, Any]:
    made: dict[str, Any] = api.run("svc_card_create", **SAMPLES["svc_card_create"]({}))
    return made


def picture(name: str = "me.png", side: int = 300) -> io.BytesIO:
    out = io.BytesIO()
    Image.new("RGB", (side, side), "navy").save(out, "PNG")
    file = io.BytesIO(out.getvalue())
    file.name = name
    return file


def text(response: Any) -> str:
    return str(response.content.decode())


PAGES = ("", "/look", "/share", "/leads", "/results", "/results?days=7", "/settings", "/preview", "/delete", "?made")


def test_every_page_opens_with_and_without_leads(owner: Client, card: dict[str, Any]) -> None:
    for path in ("/app/card/new", "/app/card", *(f"/app/card/{card['id']}{page}" for page in PAGES)):
        assert owner.get(path).status_code == 200, path
    Guest().get(f"/c/{card['slug']}")
    lead = submit_lead(card["id"], note="<b>Hello</b>")
    for page in (*PAGES, f"/leads/{lead}/remove"):
        response = owner.get(f"/app/card/{card['id']}{page}")
        assert response.status_code == 200, page
        assert "<b>Hello" not in text(response)


def test_an_account_without_cards_sees_what_to_do(owner: Client) -> None:
    html = text(owner.get("/app/card"))
    assert "No cards yet" in html and "/app/card/new" in html
    assert "Create your business card" in text(owner.get("/app"))


def test_a_card_is_created_with_its_links(owner: Client) -> None:
    fields = {"full_name": "Ann Lee", "links.0.url": "example.com", "links.1.url": "", "lead_capture": "true"}
    response = owner.post("/app/card/new", fields | {"_has": ["links", "lead_capture"]})
    card = Card.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/app/card/{card.pk}?made")
    assert card.links == [{"url": "https://example.com", "label": "example.com"}]
    assert card.lead_capture is True


def test_a_card_is_created_in_its_color_with_the_defaults_of_the_tools(owner: Client) -> None:
    html = text(owner.get("/app/card/new"))
    assert 'name="color"' in html and 'value="Corner Café"' in html
    owner.post("/app/card/new", {"full_name": "Ann Lee", "color": "#8a1538", "_has": ["links", "lead_capture"]})
    stored = Card.objects.get()
    assert (stored.color, stored.lead_capture) == ("#8a1538", False)
    assert owner.post("/app/card/new", {"full_name": "Ann Lee", "color": "red"}).status_code == 422


def test_more_numbers_and_a_corrected_name_are_saved(owner: Client, card: dict[str, Any]) -> None:
    path = f"/app/card/{card['id']}"
    fields = {
        "full_name": "Jane Doe",
        "name_prefix": "Dr.",
        "more_phones.0.number": "+43 1 9",
        "more_phones.0.label": "Fax",
        "more_phones.1.number": "",
        "more_emails.0.email": "x@example.com",
        "_has": ["more_phones", "more_emails"],
    }
    assert owner.post(path, fields).status_code == 303
    stored = Card.objects.get()
    assert stored.more_phones == [{"number": "+43 1 9", "label": "Fax"}]
    assert stored.more_emails == [{"email": "x@example.com", "label": ""}]
    assert (stored.name.prefix, stored.name.given, stored.name.family) == ("Dr.", "Jane", "Doe")
    html = text(owner.get(path))
    assert "Name in contacts: Dr. Jane <b>Doe</b>" in html
    assert 'value="+43 1 9"' in html and 'value="Fax"' in html and 'value="Dr."' in html
    assert owner.post(path, {**fields, "more_phones.0.number": "call"}).status_code == 422
    owner.post(path, {"full_name": "Jane Doe", "_has": ["more_phones", "more_emails"]})
    assert Card.objects.get().more_phones == []


def test_a_password_and_an_expiry_are_set_and_removed(owner: Client, card: dict[str, Any]) -> None:
    base, page = f"/app/card/{card['id']}", f"/c/{card['slug']}"
    sent = owner.post(
        f"{base}/settings", {"slug": card["slug"], "expires_at": "2999-01-01T10:00", "password": "secret"}
    )
    assert sent.status_code == 303
    assert "password" in text(Guest().get(page)) and "Jane Doe" not in text(Guest().get(page))
    html = text(owner.get(f"{base}/settings"))
    assert 'value="2999-01-01T10:00"' in html and "secret" not in html and "Expires 1 Jan 2999" in html
    owner.post(f"{base}/settings", {"slug": card["slug"], "expires_at": "", "password": ""})
    assert "Jane Doe" not in text(Guest().get(page)), "an empty field keeps the password"
    owner.post(f"{base}/password/remove")
    assert "Jane Doe" in text(Guest().get(page))
    assert Card.objects.get().publication.expires_at is None


def test_errors_are_shown_at_their_fields(owner: Client) -> None:
    answer = owner.post("/app/card/new", {"full_name": "", "email": "nobody", "links.0.url": "ftp://x"})
    assert answer.status_code == 422
    html = text(answer)
    for words in ("Fill in this field", "Enter a valid email address", "Only http and https"):
        assert words in html
    assert not Card.objects.exists()
    opened = re.findall(r'<details class="panel fold" open><summary><h2>([\w ]+)', html)
    assert opened == ["Name and title", "Contact details", "Links"], "sections with errors are expanded"


def test_further_links_are_suggested_for_sites_that_are_not_used_yet(owner: Client, card: dict[str, Any]) -> None:
    html = text(owner.get(f"/app/card/{card['id']}"))
    offered = re.findall(r'<summary class="btn"[^>]*><svg.*?</svg>([\w -]+)</summary>', html)
    assert offered[-6:] == ["LinkedIn", "WhatsApp", "Facebook", "YouTube", "TikTok", "Link"]
    eight = {f"links.{n}.url": f"example.com/{n}" for n in range(8)}
    owner.post(f"/app/card/{card['id']}", {"full_name": "Ann", **eight, "_has": ["links"]})
    assert "You’ve added the maximum of 8 links." in text(owner.get(f"/app/card/{card['id']}"))


def test_details_are_edited_and_links_removed(owner: Client, card: dict[str, Any]) -> None:
    fields = {"full_name": "Jane Doe", "title": "", "bio": "New", "consent_text": card["consent_text"]}
    sent = owner.post(f"/app/card/{card['id']}", fields | {"_has": ["links", "lead_capture"]})
    assert sent.status_code == 303
    stored = Card.objects.get()
    assert (stored.title, stored.bio, stored.links, stored.lead_capture, stored.company) == (
        "",
        "New",
        [],
        False,
        "Corner Café",
    )
    assert stored.consent_text == "", "our words stay ours when nobody touched them"


def test_a_photo_is_added_and_removed(owner: Client, card: dict[str, Any]) -> None:
    path = f"/app/card/{card['id']}/look"
    fields = {"theme": "bold", "color": "#8a1538", "photo_id": "", "logo_id": ""}
    assert owner.post(path, {**fields, "photo": picture()}).status_code == 303
    stored = Card.objects.get()
    assert (stored.theme, stored.color, stored.photo is not None, stored.logo) == ("bold", "#8a1538", True, None)
    assert owner.post(path, {**fields, "photo_id": [stored.photo_id, ""]}).status_code == 303
    assert Card.objects.get().photo is None


def test_an_invalid_image_is_reported_and_the_form_retains_its_values(owner: Client, card: dict[str, Any]) -> None:
    bad = io.BytesIO(b"<svg onload=alert(1)>")
    bad.name = "me.png"
    fields = {"theme": "bold", "color": "#8a1538", "photo_id": "", "logo_id": "", "photo": bad}
    answer = owner.post(f"/app/card/{card['id']}/look", fields)
    assert answer.status_code == 422
    assert "Choose a PNG, JPEG, WebP or GIF" in text(answer) and 'value="bold" checked' in text(answer)
    assert Card.objects.get().theme == "classic"


@pytest.mark.parametrize("fields", [{}, {"color": "red", "theme": "x"}, {"color": "#123456", "photo_id": "nothing\0"}])
def test_the_preview_accepts_any_form_values(fields: dict[str, str], owner: Client, card: dict[str, Any]) -> None:
    answer = owner.post(f"/app/card/{card['id']}/preview", fields)
    assert answer.status_code == 200
    assert "Jane Doe" in text(answer)
    assert ("123456-" in text(answer)) is (fields.get("color") == "#123456")
    assert Card.objects.get().color == card["color"], "nothing is saved"


def test_a_card_is_paused_resumed_moved_and_deleted(owner: Client, card: dict[str, Any]) -> None:
    base = f"/app/card/{card['id']}"
    assert owner.post(f"{base}/state", {"on": "no"}).status_code == 303
    assert Guest().get(f"/c/{card['slug']}").status_code == 404
    assert 'aria-checked="false"' in text(owner.get(base))
    assert owner.post(f"{base}/state", {"on": "yes"}).status_code == 303
    assert owner.post(f"{base}/settings", {"slug": "jane-doe"}).status_code == 303
    assert Guest().get("/c/jane-doe").status_code == 200
    assert "Earlier addresses that still work" in text(owner.get(f"{base}/settings"))
    assert owner.post(f"{base}/settings", {"slug": "a b"}).status_code == 422
    assert owner.get(f"{base}/state").status_code == 405
    assert owner.post(f"{base}/delete").status_code == 303
    assert not Card.objects.exists()


def test_leads_are_listed_exported_and_removed(owner: Client, card: dict[str, Any]) -> None:
    lead = submit_lead(card["id"], name="=Gus", phone="+43 1 555", note="Call")
    html = text(owner.get(f"/app/card/{card['id']}/leads"))
    assert "=Gus" in html and "tel:+431555" in html and "Call" in html
    links = re.findall(r'href="(/files/card/export[^"]+)"', html)
    assert len(links) == 3, "as a table, as a workbook and as contacts"
    for link in links:
        export = owner.get(unescape(link))
        assert export.status_code == 200 and ("format=xlsx" in link or "=Gus" in text(export))
    assert owner.post(f"/app/card/{card['id']}/leads/{lead}/remove").status_code == 303
    assert not Lead.objects.exists()


def test_times_are_in_the_accounts_zone() -> None:
    account = make_account(time_zone="Asia/Kolkata")
    client = Client()
    client.force_login(account.owner)
    lead = submit_lead(make_card(make_api(account))["id"])
    Lead.objects.filter(pk=lead).update(created_at=datetime(2026, 3, 1, 20, 0, tzinfo=UTC))
    base = f"/app/card/{Card.objects.get().pk}"
    assert "2 Mar 2026, 01:30" in text(client.get(f"{base}/leads"))


def test_the_form_shows_the_limit_of_the_plan() -> None:
    account = make_account(card="free")
    client = Client()
    client.force_login(account.owner)
    for number in range(2):
        make_card(make_api(account), number)
    assert "2 of 2 used on your plan" in text(client.get("/app/card"))
    answer = client.post("/app/card/new", {"full_name": "One More"})
    assert answer.status_code == 422 and "larger plan" in text(answer)
    assert "ask the administrator of this service for a larger plan" in text(client.get("/app/card/new"))


def test_a_card_of_another_account_is_not_found(owner: Client, stranger: Api) -> None:
    other = make_card(stranger)
    lead = submit_lead(other["id"])
    for page in ("", "/look", "/share", "/leads", "/results", "/settings", "/preview", "/delete"):
        assert owner.get(f"/app/card/{other['id']}{page}").status_code == 404, page
    for page in ("/state", "/delete", "/preview", f"/leads/{lead}/remove"):
        assert owner.post(f"/app/card/{other['id']}{page}").status_code == 404, page
    assert stranger.run("svc_card_get", card_id=other["id"])["state"] == "live"
    assert Lead.objects.count() == 1


@pytest.mark.parametrize("id", ["nothing", "a%00b", "x" * 100, "%F0%9F%98%80"])
def test_an_invalid_id_is_not_found(id: str, owner: Client) -> None:
    for page in ("", "/leads", "/look", "/share"):
        assert owner.get(f"/app/card/{id}{page}").status_code == 404
    assert owner.post(f"/app/card/{id}/state").status_code == 404


def test_pages_require_sign_in(card: dict[str, Any]) -> None:
    for path in ("/app/card", "/app/card/new", f"/files/card/export?kind=leads&card_id={card['id']}"):
        assert Client().get(path).status_code == 302
