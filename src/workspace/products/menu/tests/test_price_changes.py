"""Changes of many prices at once: previous and new prices, rounding, exclusions, and undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.products.menu.models import Item
from workspace.products.menu.tests.test_guest_page import items, page
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db


@pytest.fixture
def menu_data(api: Api) -> Any:
    return make_menu(api)


def prices(answer: Any) -> dict[str, tuple[float, float]]:
    return {f"{row['item']} {row['variant']}".strip(): (row["price_before"], row["price"]) for row in answer["prices"]}


def test_a_percentage_applies_to_variants_too_and_is_rounded_as_requested(api: Api, menu_data: Any) -> None:
    answer = api.run("svc_menu_change_prices", menu_id=menu_data["menu"]["id"], percent=5, round_to=0.1)
    assert prices(answer) == {
        "Tomato soup": (6.5, 6.8),
        "Prawns in garlic": (12.0, 12.6),
        "Margherita": (11.9, 12.5),
        "Margherita Small": (9.5, 10.0),
        "Margherita Large": (14.0, 14.7),
    }
    assert (answer["changed"], answer["without_price"]) == (5, ["Catch of the day"])
    pizza = api.run("svc_menu_items", menu_id=menu_data["menu"]["id"])["items"][2]
    assert (pizza["price"], pizza["add_ons"]) == (12.5, [{"name": "Olives", "price": 1.5}])


def test_a_price_change_can_be_previewed_and_undone(api: Api, menu_data: Any) -> None:
    before = api.run("svc_menu_items", menu_id=menu_data["menu"]["id"])["items"]
    arguments = {"menu_id": menu_data["menu"]["id"], "percent": 5, "round_to": 0.1}
    preview = api.run("svc_menu_change_prices", **arguments, dry_run=True)
    assert api.run("svc_menu_items", menu_id=menu_data["menu"]["id"])["items"] == before
    assert prices(api.run("svc_menu_change_prices", **arguments)) == prices(preview)
    api.run("svc_undo")
    assert api.run("svc_menu_items", menu_id=menu_data["menu"]["id"])["items"] == before


def test_the_text_contains_every_price_before_and_after(api: Api, menu_data: Any) -> None:
    arguments = {"menu_id": menu_data["menu"]["id"], "amount": -0.5, "section_ids": [menu_data["sections"][1]["id"]]}
    _, body = api.post("call", {"name": "svc_menu_change_prices", "arguments": arguments})
    for words in (
        "Margherita $11.90 → $11.40",
        "Margherita, Small $9.50 → $9.00",
        "wording instead of a price for “Catch of the day”",
    ):
        assert words in body["text"]
    assert "Tomato soup" not in body["text"]


def test_only_the_selected_prices_change(api: Api, menu_data: Any) -> None:
    soup = menu_data["items"][0]["id"]
    answer = api.run("svc_menu_change_prices", menu_id=menu_data["menu"]["id"], amount=1, item_ids=[soup])
    assert prices(answer) == {"Tomato soup": (6.5, 7.5)}
    both = {"item_ids": [soup], "section_ids": [menu_data["sections"][1]["id"]]}
    answer = api.run("svc_menu_change_prices", menu_id=menu_data["menu"]["id"], amount=1, **both)
    assert set(prices(answer)) == {"Tomato soup", "Margherita", "Margherita Small", "Margherita Large"}


def test_a_price_halfway_between_two_steps_is_rounded_up(api: Api, menu_data: Any) -> None:
    dish = save_item(api, menu_data["menu"]["id"], section="Mains", name="Stew", price=10.5)
    answer = api.run(
        "svc_menu_change_prices", menu_id=menu_data["menu"]["id"], percent=0, round_to=1, item_ids=[dish["id"]]
    )
    assert prices(answer) == {"Stew": (10.5, 11.0)}
    again = api.run(
        "svc_menu_change_prices", menu_id=menu_data["menu"]["id"], percent=0, round_to=1, item_ids=[dish["id"]]
    )
    assert (again["changed"], again["unchanged"], again["change"]) == (0, 1, None)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({}, "percent"),
        ({"percent": 5, "amount": 1}, "percent"),
        ({"percent": -101}, "percent"),
        ({"percent": -100}, "percent"),
        ({"percent": "five"}, "percent"),
        ({"amount": -12}, "amount"),
        ({"amount": 0.001}, "amount"),
        ({"amount": 9_999_999}, "amount"),
        ({"percent": 5, "round_to": 0}, "round_to"),
        ({"percent": 5, "round_to": 0.005}, "round_to"),
        ({"percent": 5, "round_to": -1}, "round_to"),
        ({"percent": 5, "item_ids": ["item_no"]}, "item_ids.0"),
        ({"percent": 5, "section_ids": ["sec_no"]}, "section_ids.0"),
    ],
)
def test_invalid_price_changes_are_refused_and_change_nothing(
    given: dict[str, Any], path: str, api: Api, menu_data: Any
) -> None:
    before = list(Item.objects.order_by("pk").values())
    body = api.refuse("svc_menu_change_prices", menu_id=menu_data["menu"]["id"], **given)
    assert (body["error"], body["issues"][0]["path"]) == ("invalid_input", path)
    assert list(Item.objects.order_by("pk").values()) == before


def test_three_or_three_hundred_prices_take_the_same_number_of_queries(api: Api, menu_data: Any) -> None:
    menu = menu_data["menu"]["id"]

    def queries() -> int:
        with CaptureQueriesContext(connection) as seen:
            api.run("svc_menu_change_prices", menu_id=menu, amount=1)
        return len(seen)

    few = queries()
    variants = [{"name": "Small", "price": 4}]
    more = [{"section": "Wine", "name": str(n), "price": 5, "variants": variants[: n % 2]} for n in range(150)]
    api.run("svc_menu_save_items", menu_id=menu, items=more)
    assert queries() == few
    with CaptureQueriesContext(connection) as seen:
        api.run("svc_undo")
    assert len(seen) < 45


@pytest.mark.parametrize(
    ("fields", "shown", "in_short"),
    [
        ({"price": 8, "price_from": True}, "from $8.00", "from $8.00"),
        ({"variants": [{"name": "S", "price": 8}, {"name": "L", "price": 9}]}, "S$8.00L$9.00", "from $8.00"),
        ({"variants": [{"name": "Glass", "price": 8}]}, "Glass$8.00", "$8.00"),
        ({"price": 8, "price_from": True, "price_note": "ask us"}, "ask us", "ask us"),
        ({}, "", ""),
    ],
)
def test_a_from_price_is_shown_as_such(
    fields: dict[str, Any], shown: str, in_short: str, api: Api, menu_data: Any
) -> None:
    dish = save_item(api, menu_data["menu"]["id"], section="Mains", name="Wine", **fields)
    assert dish["price_text"] == in_short
    result = page(menu_data["menu"]["slug"])
    assert result.dishes["Wine"]["text"].startswith(f"Wine | {shown}".strip())
    if "price_note" not in fields and fields.get("price_from"):
        assert items(result.json_ld)["Wine"]["offers"] == [
            {
                "@type": "AggregateOffer",
                "lowPrice": "8.00",
                "priceCurrency": "USD",
                "availability": "https://schema.org/InStock",
            }
        ]
