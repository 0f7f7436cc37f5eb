"""The demo account's cards, and the remaining data of cards after the account is closed."""

from __future__ import annotations

import pytest

from workspace.accounts import account_deletion
from workspace.products.card.hooks import demo
from workspace.products.card.models import Card, Lead
from workspace.testing.api import Api
from workspace.testing.guest_browser import Guest

pytestmark = pytest.mark.django_db


def test_the_demo_has_cards_with_visits_and_leads(api: Api) -> None:
    demo.fill_account(api.account)
    items = api.run("svc_card_list")["items"]
    assert [item["full_name"] for item in items] == ["Marta Lindqvist", "Tomás Riedel"]
    assert all(item["views"] > item["contact_saves"] > 0 for item in items)
    assert [item["lead_count"] for item in items] == [4, 1]
    assert Guest().get(f"/c/{items[0]['slug']}").status_code == 200
    assert Guest().get(f"/c/{items[0]['slug']}.vcf").status_code == 200


def test_closing_an_account_deletes_its_cards_images_and_leads(api: Api) -> None:
    demo.fill_account(api.account)
    slug = api.run("svc_card_list")["items"][0]["slug"]
    account_deletion.purge_account(api.account)
    assert not Card.objects.exists() and not Lead.objects.exists()
    assert Guest().get(f"/c/{slug}").status_code == 410
    assert Guest().get(f"/c/{slug}.vcf").status_code == 410
