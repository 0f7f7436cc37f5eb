"""The brand page: a single screen, saved by the tool, with a preview that is updated with the form."""

from __future__ import annotations

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from workspace.brand.fonts import FONT_PAIRS
from workspace.brand.models import Brand
from workspace.products.card.models import Card
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db
PAGE = "/app/account/brand"


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def _logo() -> SimpleUploadedFile:
    out = io.BytesIO()
    Image.new("RGB", (40, 20), "red").save(out, "PNG")
    return SimpleUploadedFile("logo.png", out.getvalue(), "image/png")


def test_everything_is_saved_from_one_screen(api: Api, owner: Client) -> None:
    assert owner.get(PAGE).status_code == 200
    given = {
        "business_name": "Corner Café",
        "slogan": "Bread",
        "colors": ["#8a1538", ""],
        "fonts": "warm",
        "logo": _logo(),
    }
    assert owner.post(PAGE, given).status_code == 303
    brand = Brand.for_account(api.account)
    assert (brand.slogan, brand.colors, brand.fonts, bool(brand.logo_id)) == ("Bread", ["#8a1538"], "warm", True)
    owner.post(PAGE, {"colors": ["", ""], "_has": "colors", "logo_id": ""})
    assert api.run("svc_brand_get")["colors"] == []
    assert api.run("svc_brand_get")["logo_id"] is None


def test_errors_are_shown_at_their_fields_and_the_input_is_preserved(owner: Client) -> None:
    answer = owner.post(PAGE, {"slogan": "Bread", "colors": ["#8a1538", "yellowish"]})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Enter a color as #rrggbb" in html and 'value="yellowish"' in html and 'value="Bread"' in html
    assert not Brand.objects.exists()


def test_the_preview_shows_a_sample_while_there_is_no_page(owner: Client) -> None:
    shown = owner.post(f"{PAGE}/preview", {"slogan": "Bread since 1921", "colors": ["#8a1538"], "fonts": "warm"})
    html = shown.content.decode()
    assert "Bread since 1921" in html and "/styles/8a1538-own-warm-soft." in html
    assert not Brand.objects.exists()
    assert shown["X-Frame-Options"] == "SAMEORIGIN" and "frame-ancestors 'self'" in shown["Content-Security-Policy"]


def test_the_preview_is_a_real_page_with_the_entered_brand_and_counts_no_visit(api: Api, owner: Client) -> None:
    card = api.run("svc_card_create", full_name="Olive Owner")
    html = owner.post(f"{PAGE}/preview", {"colors": ["#8a1538", "red"], "fonts": "warm"}).content.decode()
    assert "Olive Owner" in html and re.search(r"/styles/[^.]+-warm-", html), "what is wrong is left out"
    assert api.run("svc_card_get", card_id=card["id"])["views"] == 0
    assert "/styles/17604b-own-system" in Client().get(f"/c/{Card.objects.get().slug}").content.decode()


def test_a_selected_picture_is_previewed_before_it_is_saved(api: Api, owner: Client) -> None:
    taken = owner.post("/app/pictures", {"_picture": "logo", "logo": _logo()}).content.decode()
    [(argument, id)] = re.findall(r'type="hidden" name="(\w+)" value="(\w+)"', taken)
    assert argument == "logo_id" and 'src="data:image/' in taken
    card = api.run("svc_card_create", full_name="Ada")["id"]
    for page in (f"{PAGE}/preview", f"/app/card/{card}/preview"):
        seen = owner.post(page, {"logo_id": id, "fonts": "warm"}).content.decode()
        assert "data:image/" in seen and id not in seen, page
    assert not Brand.objects.exists() and api.account.uploads.get().use_count == 0, "nothing is saved by looking"
    owner.post(PAGE, {"logo_id": id})
    assert Brand.objects.get().logo_id == id
    seen = owner.post(f"{PAGE}/preview", {"logo_id": id, "slogan": "Bread"}).content.decode()
    assert f"/pictures/{id}/" in seen and "data:image/" not in seen, "what is used has an address"


def test_an_invalid_picture_is_reported_at_its_field(owner: Client) -> None:
    for sent in ({"logo": SimpleUploadedFile("a.png", b"no picture")}, {}):
        answer = owner.post("/app/pictures", {"_picture": "logo", **sent})
        assert answer.status_code == 422 and "field-error" in answer.content.decode()


def test_fonts_are_shown_in_their_own_typeface(owner: Client) -> None:
    page = owner.get(PAGE).content.decode()
    [address] = re.findall(r'href="(/styles/faces[^"]+)"', page)
    answer = Client().get(address)
    css = answer.content.decode()
    assert "immutable" in answer["Cache-Control"] and ":root" not in css
    for key, pair in FONT_PAIRS.items():
        assert f'class="face-{key}"' in page and f".face-{key} b{{font-family:{pair.head}}}" in css
