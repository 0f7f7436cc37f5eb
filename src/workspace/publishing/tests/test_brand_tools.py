"""Tools of the brand, and validation of their arguments."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Upload
from workspace.brand.models import Brand
from workspace.testing.api import Api
from workspace.testing.pictures import picture

pytestmark = pytest.mark.django_db


def test_an_account_has_a_default_brand_and_reading_it_writes_nothing(api: Api) -> None:
    found = api.run("svc_brand_get")
    assert (found["colors"], found["fonts"], found["corners"]) == ([], "system", "soft")
    assert found["by_day"]["contrast"] >= 4.5 <= found["by_night"]["contrast"]
    assert not Brand.objects.exists()


def test_given_fields_change_and_others_stay(api: Api) -> None:
    api.run("svc_brand_edit", business_name="Corner Café", colors=["#FFDD00", "17604b"], fonts="warm")
    hours = [{"days": ["mon"], "from": "08:00", "until": "18:00"}]
    found = api.run("svc_brand_edit", corners="round", hours=hours, languages=["de", "EN"])
    assert (found["business_name"], found["colors"], found["fonts"]) == ("Corner Café", ["#ffdd00", "#17604b"], "warm")
    assert (found["corners"], found["hours_text"], found["languages"]) == ("round", "Mon 08:00–18:00", ["de", "en"])
    assert found["by_day"]["color"] != "#ffdd00", "yellow cannot be read on paper"
    assert found["by_day"]["contrast"] >= 4.5


def test_undo_restores_a_change_with_its_images(api: Api) -> None:
    logo, other = (api.run("svc_upload_file", content=picture())["upload_id"] for _ in range(2))
    api.run("svc_brand_edit", logo_id=logo, slogan="Bread since 1921")
    first = Brand.objects.get().version
    change = api.run("svc_brand_edit", logo_id=other, slogan="")["change"]
    assert change["before"][api.account.pk] == {"logo_id": logo, "slogan": "Bread since 1921"}
    assert _uses(logo, other) == [0, 1]
    api.run("svc_undo", change_id=change["id"])
    found = api.run("svc_brand_get")
    assert (found["logo_id"], found["slogan"]) == (logo, "Bread since 1921")
    assert _uses(logo, other) == [1, 0]
    assert Brand.objects.get().version == first, "the same brand draws the same pages"


def _uses(*ids: str) -> list[int]:
    uses = dict(Upload.objects.values_list("pk", "use_count"))
    return [uses[id] for id in ids]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"colors": ["red"]}, "colors.0"),
        ({"colors": ["#111111", "#22222"]}, "colors.1"),
        ({"colors": ["#111111"] * 3}, "colors"),
        ({"fonts": "comic"}, "fonts"),
        ({"corners": "wavy"}, "corners"),
        ({"phone": "call me"}, "phone"),
        ({"hours": [{"from": "08:00", "until": "25:00"}]}, "hours.0.until"),
        ({"languages": ["de", "english please"]}, "languages.1"),
        ({"logo_id": "upl_nothing"}, "logo_id"),
        ({"qr_style_from": "qr_nothing"}, "qr_style_from"),
        ({"business_name": " "}, "business_name"),
    ],
)
def test_invalid_input_is_reported_at_its_path_and_changes_nothing(api: Api, given: dict[str, Any], path: str) -> None:
    status, answer = api.post("brand/edit", {"slogan": "New", **given})
    assert (status, [issue["path"] for issue in answer["issues"]]) == (400, [path])
    assert api.run("svc_brand_get")["slogan"] == ""


def test_qr_codes_can_copy_the_style_of_a_code_only(api: Api) -> None:
    code = api.run("svc_qr_create", name="Door", target_url="https://example.com")
    card = api.run("svc_card_create", full_name="Olive Owner")
    assert api.run("svc_brand_edit", qr_style_from=code["slug"])["qr_style_from"] == code["id"]
    assert api.post("brand/edit", {"qr_style_from": card["id"]})[0] == 400
    assert api.run("svc_brand_edit", qr_style_from="")["qr_style_from"] == ""


def test_trade_country_and_currency_belong_to_the_account(api: Api) -> None:
    found = api.run("svc_account_edit", trade="cafe", country="at", currency="eur")
    assert (found["trade"], found["country"], found["currency"]) == ("cafe", "AT", "EUR")
    assert api.run("svc_account_edit")["trade"] == "cafe"


def test_an_unknown_page_uses_the_default_brand(api: Api, client: Client) -> None:
    api.run("svc_brand_edit", colors=["#8a1538"])
    assert "/styles/17604b-own-system-soft." in client.get("/c/nothing-here").content.decode()
