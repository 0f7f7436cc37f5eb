"""Export of a menu as a table, for spreadsheets and for allergen inspections."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from workspace.products.menu.rules.food import ALLERGENS
from workspace.testing.api import Api
from workspace.testing.samples.menu import make_menu, save_item

pytestmark = pytest.mark.django_db


def table(api: Api, menu: str, kind: str) -> dict[str, dict[str, str]]:
    """Return the rows of the downloaded file, by dish."""
    url = api.run("svc_menu_export", menu_id=menu, kind=kind)["file_url"]
    text = api.client.get(url).content.decode("utf-8-sig")
    return {row["name"]: row for row in csv.DictReader(io.StringIO(text))}


def test_the_allergen_table_distinguishes_declared_from_unknown(api: Api) -> None:
    menu = make_menu(api)["menu"]["id"]
    save_item(api, menu, section="Mains", name="Rice", dietary_tags=["gluten_free"])
    save_item(api, menu, section="Mains", name="Salt", allergens_checked=True)
    found = table(api, menu, "allergens")
    assert (found["Tomato soup"]["celery"], found["Tomato soup"]["nuts"]) == ("contains", "may contain")
    assert {key: found["Rice"][key] for key in ALLERGENS if found["Rice"][key]} == {"gluten": "free"}
    assert {found["Salt"][key] for key in ALLERGENS} == {"free"}


def test_the_dishes_are_listed_with_all_fields(api: Api) -> None:
    made: Any = make_menu(api)
    menu, soup = made["menu"]["id"], made["items"][0]["id"]
    save_item(api, menu, id=soup, name="=Soup", price=8, price_from=True, hidden=True, sold_out=True)
    found = table(api, menu, "items")
    assert "'=Soup" in found, "no spreadsheet runs it"
    row = found["'=Soup"]
    told = ["section", "price", "price_from", "dietary_tags", "allergens", "hidden", "sold_out", "id"]
    assert [row[name] for name in told] == [
        "Starters",
        "8.00",
        "yes",
        "vegan",
        "nuts:may_contain celery:contains",
        "yes",
        "yes",
        soup,
    ]
    assert (found["Margherita"]["variants"], found["Margherita"]["add_ons"]) == (
        "Small 9.50; Large 14.00",
        "Olives 1.50",
    )
    assert found["Catch of the day"]["price_note"] == "market price"
