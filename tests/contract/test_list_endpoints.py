"""The list endpoints of the contract: each returns total, count, offset, has_more and items."""

from __future__ import annotations

import pytest

from workspace.interfaces.tool_catalog import CATALOG
from workspace.products import PRODUCT_NAMES
from workspace.support import tools as support
from workspace.testing.api import Api

ENVELOPE = {"total", "count", "offset", "has_more", "items"}
LISTS = """list_products qr_list card_list card_leads bid_list booking_pages booking_list menu_list menu_items
    reviews_list links_pages certs_templates certs_list event_list seat_charts seat_tables seat_guests forms_list
    form_responses waivers_list waiver_signatures support_tickets"""


@pytest.mark.parametrize("name", LISTS.split())
def test_a_list_endpoint_returns_its_position_and_its_items(name: str) -> None:
    assert set(CATALOG.by_name[f"svc_{name}"].output_schema["required"]) >= ENVELOPE


@pytest.mark.django_db
def test_the_products_are_one_page_of_items(api: Api) -> None:
    found = api.run("svc_list_products")
    count = len(PRODUCT_NAMES)
    assert count >= 12, "those of the contract, and what was added"
    assert [found[name] for name in ("total", "count", "offset", "has_more")] == [count, count, 0, False]
    assert found["items"] == found["products"] and len(found["items"]) == count


@pytest.mark.django_db
def test_tickets_are_one_page_of_items_and_all_are_counted(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(support, "MAX_TICKETS", 2)
    for number in range(3):
        last = api.run("svc_support_open", subject=f"Question {number}", message="How?")
        found = api.run("svc_support_tickets")
        assert found["items"] == found["tickets"]
    assert [found[name] for name in ("total", "count", "offset", "has_more")] == [3, 2, 0, True]
    one = api.run("svc_support_tickets", ticket_id=last["id"])
    assert [one[name] for name in ("total", "count", "offset", "has_more")] == [1, 1, 0, False]
    assert one["items"] == one["tickets"] and one["items"][0]["messages"]
