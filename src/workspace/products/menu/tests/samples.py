"""What the tests across all tools need to know of this product: `SAMPLES` are each tool's arguments, made from what
`make` returns; `LISTS` tells for each list how to make one more row."""

from __future__ import annotations

from typing import Any

from workspace.testing import Api

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
    """The answer of svc_menu_create: a menu with two sections of two items."""
    menu: dict[str, Any] = api.run("svc_menu_create", restaurant_name=f"Trattoria {number}", sections=DINNER)
    return menu


def make(api: Api) -> dict[str, str]:
    """One thing of every kind that ids name: {name in SAMPLES: id}."""
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


def _item(made: dict[str, str]) -> dict[str, str]:
    return {"menu_id": made["menu"], "item_id": made["item"]}


def _section(made: dict[str, str]) -> dict[str, str]:
    return {"menu_id": made["menu"], "section_id": made["section"]}


LUNCH = [{"days": ["mon", "tue"], "from": "11:30", "until": "14:30"}]
SAMPLES = {
    "svc_menu_list": lambda made: {},
    "svc_menu_items": lambda made: {"menu_id": made["menu"]},
    "svc_menu_create": lambda made: {"restaurant_name": "Bistro", "currency": "EUR", "sections": DINNER},
    "svc_menu_import": lambda made: {"menu_id": made["menu"], "sections": DINNER},
    "svc_menu_edit_menu": lambda made: {"menu_id": made["menu"], "intro": "Since 1974", "hours": LUNCH, "live": False},
    "svc_menu_delete_menu": lambda made: {"menu_id": made["menu"]},
    "svc_menu_stats": lambda made: {"menu_id": made["menu"], "days": 7},
    "svc_menu_add_section": lambda made: {"menu_id": made["menu"], "name": "Drinks", "hours": LUNCH},
    "svc_menu_edit_section": lambda made: {**_section(made), "name": "Small plates", "hidden": True},
    "svc_menu_delete_section": _section,
    "svc_menu_order_sections": lambda made: {
        "menu_id": made["menu"],
        "section_ids": [made["other_section"], made["section"]],
    },
    "svc_menu_update_item": lambda made: {**_item(made), "price": 7.2, "sold_out": True},
    "svc_menu_edit_item": lambda made: {
        **_item(made),
        "price": "",
        "dietary_tags": ["vegan"],
        "allergens": {"milk": "contains", "eggs": "not_declared"},
        "variants": [{"name": "Large", "price": 9}],
        "sold_out_until": "2037-01-01T06:00",
    },
    "svc_menu_add_item": lambda made: {**_section(made), "name": "Bread", "price": 3.5},
    "svc_menu_delete_item": _item,
    "svc_menu_order_items": lambda made: {**_section(made), "item_ids": [made["other_item"], made["item"]]},
    "svc_menu_move_item": lambda made: {**_item(made), "section_id": made["other_section"], "position": 1},
}


def _longer(api: Api, number: int) -> None:
    oldest = api.run("svc_menu_list")["items"][-1]["id"]
    api.run("svc_menu_import", menu_id=oldest, sections=[{"name": f"More {number}", "items": [{"name": "Bread"}]}])


# Whole lists without pages answer with the same number of queries too, so they stand here as well.
LISTS = {"svc_menu_list": make_menu, "svc_menu_items": _longer}

# what stands for each part of an address: a name in what `make` returns, or a text of its own
ADDRESSES = {"id": "menu", "section": "section", "item": "item"}
