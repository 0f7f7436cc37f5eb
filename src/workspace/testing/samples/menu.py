"""Samples of this product for the tests across all tools.

`SAMPLES` has the arguments for each tool, built from the result of `create_samples`. `LISTS` has a function for each
list that adds a row.
"""

from __future__ import annotations

from typing import Any

from workspace.testing.api import Api

DINNER: list[dict[str, Any]] = [
    {
        "name": "Starters",
        "items": [
            {
                "name": "Tomato soup",
                "price": 6.5,
                "description": "With basil oil",
                "dietary_tags": ["vegan"],
                "allergens": {"celery": "contains", "nuts": "may_contain"},
            },
            {"name": "Prawns in garlic", "price": 12, "allergens": {"crustaceans": "contains"}},
        ],
    },
    {
        "name": "Mains",
        "items": [
            {
                "name": "Margherita",
                "price": 11.9,
                "dietary_tags": ["vegetarian"],
                "allergens": {"gluten": "contains", "milk": "contains"},
                "variants": [{"name": "Small", "price": 9.5}, {"name": "Large", "price": 14}],
                "add_ons": [{"name": "Olives", "price": 1.5}],
            },
            {"name": "Catch of the day", "price_note": "market price", "allergens": {"fish": "contains"}},
        ],
    },
]


def make_menu(api: Api, number: int = 0) -> dict[str, Any]:
    """Return the answer of svc_menu_create: a menu with two sections of two items."""
    menu: dict[str, Any] = api.run("svc_menu_create", restaurant_name=f"Trattoria {number}", sections=DINNER)
    return menu


def save_item(api: Api, menu_id: str, **fields: Any) -> dict[str, Any]:
    """Create a dish or, with an `id`, change it. Return its current state."""
    [row] = api.run("svc_menu_save_items", menu_id=menu_id, items=[fields])["items"]
    return dict(row)


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to: {name in SAMPLES: id}."""
    made = make_menu(api)
    first, second = made["sections"]
    one, other = [item["id"] for item in made["items"] if item["section_id"] == first["id"]]
    return {
        "menu": made["menu"]["id"],
        "section": first["id"],
        "other_section": second["id"],
        "item": one,
        "other_item": other,
    }


LUNCH = [{"days": ["mon", "tue"], "from": "11:30", "until": "14:30"}]
SAMPLES = {
    "svc_menu_list": lambda made: {},
    "svc_menu_items": lambda made: {"menu_id": made["menu"]},
    "svc_menu_create": lambda made: {"restaurant_name": "Bistro", "currency": "EUR", "sections": DINNER},
    "svc_menu_edit": lambda made: {"menu_id": made["menu"], "intro": "Since 1974", "hours": LUNCH, "live": False},
    "svc_menu_delete": lambda made: {"ids": [made["menu"], made["other_section"], made["item"]]},
    "svc_menu_stats": lambda made: {"menu_id": made["menu"], "days": 7},
    "svc_menu_export": lambda made: {"menu_id": made["menu"], "kind": "allergens"},
    "svc_menu_change_prices": lambda made: {"menu_id": made["menu"], "percent": 5, "round_to": 0.1},
    "svc_menu_update_item": lambda made: {
        "menu_id": made["menu"],
        "item_id": made["item"],
        "price": 7.2,
        "sold_out": True,
    },
    "svc_menu_save_sections": lambda made: {
        "menu_id": made["menu"],
        "items": [{"name": "Drinks", "hours": LUNCH}, {"id": made["section"], "name": "Small plates", "hidden": True}],
        "order": [made["other_section"], made["section"]],
    },
    "svc_menu_save_items": lambda made: {
        "menu_id": made["menu"],
        "items": [
            {"name": "Bread", "price": 3.5, "section": "Sides"},
            {
                "id": made["item"],
                "section_id": made["other_section"],
                "price": "",
                "dietary_tags": ["vegan"],
                "allergens": {"milk": "contains", "eggs": "not_declared"},
                "allergens_checked": True,
                "variants": [{"name": "Large", "price": 9}],
                "sold_out_until": "2037-01-01T06:00",
            },
        ],
        "remove": [made["other_item"]],
    },
}


def _longer(api: Api, number: int) -> None:
    oldest = api.run("svc_menu_list")["items"][-1]["id"]
    api.run("svc_menu_save_items", menu_id=oldest, items=[{"section": f"More {number}", "name": "Bread"}])


# Complete lists without pagination must also run a constant number of queries, so they are included here.
LISTS = {"svc_menu_list": make_menu, "svc_menu_items": _longer}

# the value for each part of a URL: a name in the result of `create_samples`, or a literal string
ADDRESSES = {"id": "menu", "section": "section", "item": "item"}
