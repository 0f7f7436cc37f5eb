"""Export of a menu as a table, for spreadsheets and for allergen inspections."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from workspace.products.menu.rules.diets_and_allergens import ALLERGENS
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
    result = table(api, menu, "allergens")
    assert (result["Tomato soup"]["celery"], result["Tomato soup"]["nuts"]) == ("contains", "may contain")
    assert {key: result["Rice"][key] for key in ALLERGENS if result["Rice"][key]} == {"gluten": "free"}
    assert {result["Salt"][key] for key in ALLERGENS} == {"free"}


def test_the_dishes_are_listed_with_all_fields(api: Api) -> None:
    made: Any = make_menu(api)
    menu, soup = made["menu"]["id"], made["items"][0]["id"]
    save_item(api, menu, id=soup, name="=Soup", price=8, price_from=True, hidden=True, sold_out=True)
    result = table(api, menu, "items")
    assert "'=Soup" in result, "no spreadsheet runs it"
    row = result["'=Soup"]
    lines = ["section", "price", "price_from", "dietary_tags", "allergens", "hidden", "sold_out", "id"]
    assert [row[name] for name in lines] == [
        "Starters",
        "8.00",
        "yes",
        "vegan",
        "nuts:may_contain celery:contains",
        "yes",
        "yes",
        soup,
    ]
    assert (result["Margherita"]["variants"], result["Margherita"]["add_ons"]) == (
        "Small 9.50; Large 14.00",
        "Olives 1.50",
    )
    assert result["Catch of the day"]["price_note"] == "market price"
