"""Demo data: the menu of a café with some weeks of views. It is the same each time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pydantic import TypeAdapter

from workspace.accounts import demo
from workspace.accounts.models import Account
from workspace.analytics.demo_traffic import DemoTraffic, save_visits
from workspace.analytics.ingest import IncomingVisit
from workspace.lib import clock
from workspace.products.menu.domain.sections_and_items import create_items, create_sections
from workspace.products.menu.hooks.demo_translations import LANGUAGES, translate_fields
from workspace.products.menu.models import Menu
from workspace.products.menu.rules.section_and_item_fields import NewItem, NewSection
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.tools.object_parser import Issues

DAYS = 45
HOUR_WEIGHTS = (0, 0, 0, 0, 0, 0, 0, 2, 7, 8, 6, 10, 22, 18, 7, 6, 6, 8, 14, 16, 10, 5, 1, 0)
WEEKDAY_WEIGHTS = (0.7, 0.8, 0.9, 1.0, 1.3, 1.6, 1.2)
CITIES = (("Vienna", 60), ("Graz", 14), ("Linz", 9), ("Salzburg", 6), ("Innsbruck", 4))
GUESTS = DemoTraffic(
    devices=(("phone", 93), ("tablet", 4), ("desktop", 3)),
    places=tuple(((city, "Austria"), share) for city, share in CITIES),
)


def _build_dish(
    name: str, price: float | None, about: str, tags: str = "", contains: str = "", **more: Any
) -> dict[str, Any]:
    """Build a dish whose allergens are checked.

    `tags` and `contains` are words separated by spaces. `more` can have photo (the name of a picture), may (words), and
    any field of NewItem.
    """
    states = dict.fromkeys(contains.split(), "contains") | dict.fromkeys(more.pop("may", "").split(), "may_contain")
    return {
        "name": name,
        **({} if price is None else {"price": price}),
        "description": about,
        "dietary_tags": tags.split(),
        "allergens": states,
        "allergens_checked": True,
        "photo_id": more.pop("photo"),
        **more,
    }


def _build_choices(**prices: float) -> list[dict[str, Any]]:
    return [{"name": name.replace("_", " "), "price": price} for name, price in prices.items()]


EVERY_MORNING = {"days": [], "from": "07:30", "until": "11:30"}
WEEKDAY_NOON = {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "11:30", "until": "14:30"}
VEGETARIAN = "vegetarian"
SECTIONS: list[dict[str, Any]] = [
    {
        "name": "Breakfast",
        "hours": [EVERY_MORNING],
        "items": [
            _build_dish(
                "Morgenrot breakfast",
                11.9,
                "Butter croissant, soft-boiled egg, apricot jam, a small coffee",
                VEGETARIAN,
                "gluten milk eggs",
                photo="breakfast",
            ),
            _build_dish(
                "Pancakes", 8.9, "Maple syrup, butter, blueberries", VEGETARIAN, "gluten eggs milk", photo="pancakes"
            ),
            _build_dish("Warm waffle", 7.8, "Butter and strawberries", VEGETARIAN, "gluten eggs milk", photo="waffle"),
            _build_dish(
                "Avocado bread", 9.4, "Our sourdough, lemon, chilli", "vegan", "gluten", may="sesame", photo="avocado"
            ),
            _build_dish(
                "Fried eggs in the pan", 8.2, "Two eggs, chives, black bread", VEGETARIAN, "gluten eggs", photo="eggs"
            ),
        ],
    },
    {
        "name": "Lunch of the day",
        "description": "With a small salad. Changes every week.",
        "hours": [WEEKDAY_NOON],
        "items": [
            _build_dish(
                "Bean and carrot stew", 9.9, "Slowly cooked, with bread", "vegan", "gluten celery", photo="stew"
            ),
            _build_dish(
                "Vegetable curry",
                11.5,
                "Coconut milk, basmati rice",
                "vegan gluten_free",
                "",
                may="nuts",
                photo="curry",
            ),
        ],
    },
    {
        "name": "Small plates",
        "items": [
            _build_dish(
                "Garden salad", 8.5, "Leaves, tomatoes, olive oil", "vegan gluten_free", "mustard", photo="salad"
            ),
            _build_dish("Pretzel", 4.2, "Fresh from the oven, with butter", VEGETARIAN, "gluten milk", photo="pretzel"),
            _build_dish(
                "Mountain cheese", 12.8, "Three cheeses, grapes", "vegetarian gluten_free", "milk", photo="cheese"
            ),
            _build_dish("Falafel", 8.9, "Chickpeas, herbs, tahini", "vegan", "sesame", may="gluten", photo="falafel"),
            _build_dish(
                "Club sandwich", 11.2, "Ham, cheese, tomato, egg", "", "gluten eggs milk mustard", photo="sandwich"
            ),
        ],
    },
    {
        "name": "Mains",
        "items": [
            _build_dish(
                "Morgenrot burger",
                14.9,
                "Beef from the region, Alpine cheese, fries",
                "",
                "gluten milk eggs mustard sesame",
                add_ons=_build_choices(Bacon=2.0, Extra_cheese=1.5),
                photo="burger",
            ),
            _build_dish("Spaghetti pomodoro", 11.9, "San Marzano, basil, olives", "vegan", "gluten", photo="pasta"),
            _build_dish(
                "Paella",
                16.8,
                "Peppers, peas, saffron",
                "vegan gluten_free",
                "",
                may="celery",
                variants=_build_choices(For_one=16.8, For_two=31),
                photo="paella",
            ),
            _build_dish(
                "Catch of the day",
                None,
                "Ask us for today’s catch",
                "",
                "crustaceans",
                price_note="market price",
                allergens_checked=False,
                photo="prawns",
            ),
            _build_dish(
                "Stuffed flatbread",
                12.4,
                "Chicken, lettuce, yoghurt sauce",
                "",
                "gluten milk",
                sold_out=True,
                photo="flatbread",
            ),
        ],
    },
    {
        "name": "Cakes and sweets",
        "items": [
            _build_dish(
                "Strawberry cake", 5.9, "Sponge, vanilla cream", VEGETARIAN, "gluten eggs milk", photo="strawberry-cake"
            ),
            _build_dish("Apple pie", 5.4, "Warm, with cinnamon", "vegan", "gluten", may="nuts", photo="apple-pie"),
            _build_dish("Crème caramel", 5.2, "", "vegetarian gluten_free", "eggs milk", photo="creme-caramel"),
            _build_dish(
                "Chocolate doughnut", 3.2, "Glazed this morning", VEGETARIAN, "gluten eggs milk soy", photo="doughnut"
            ),
            _build_dish(
                "Ice cream",
                6.4,
                "Three scoops: vanilla, chocolate, strawberry",
                VEGETARIAN,
                "milk eggs",
                may="nuts",
                photo="ice-cream",
            ),
        ],
    },
    {
        "name": "Drinks",
        "items": [
            _build_dish(
                "Melange",
                4.6,
                "Espresso, steamed milk, foam, a cookie",
                VEGETARIAN,
                "milk gluten",
                add_ons=_build_choices(Oat_milk=0.5, Extra_shot=1.2),
                photo="melange",
            ),
            _build_dish("Pot of tea", 4.8, "Assam, green or mountain herbs", "vegan", "", photo="tea"),
            _build_dish("Orange spritz", 6.9, "Prosecco, orange, lime", "vegan", "sulphites", photo="spritz"),
            _build_dish(
                "Zweigelt",
                None,
                "Red, Burgenland",
                "",
                "sulphites",
                variants=_build_choices(Glass=5.2, Bottle=29),
                photo="wine",
            ),
            _build_dish("Lager from the tap", 4.4, "Half a litre", "vegan", "gluten", photo="beer"),
        ],
    },
]


def fill_account(account: Account) -> None:
    """Fill an account that has no menus. Call it once."""
    intro = "All day long, from the first coffee to the last glass."
    menu = Menu.open(
        account,
        restaurant_name=account.name,
        currency="EUR",
        address="Lindengasse 7, 1070 Vienna",
        intro=intro,
        languages=["en", *LANGUAGES],
        translations=translate_fields({"intro": intro}, "intro"),
        sold_out_resets_at="05:00",
    )
    sections = TypeAdapter(list[NewSection]).validate_python([_with_translations(section) for section in SECTIONS])
    made = create_sections(menu, sections)
    create_items(
        [
            ("", section, _with_photo(account, item))
            for section, new_section in zip(made, sections, strict=True)
            for item in new_section["items"]
        ],
        menu,
        Issues(),
    )
    save_visits(_generate_views(menu))


def _with_translations(section: dict[str, Any]) -> dict[str, Any]:
    """Return the section with translations into the menu's additional languages."""
    items = [
        {
            **dish,
            **{
                kind: [{**item, "translations": translate_fields(item, "name")} for item in dish[kind]]
                for kind in ("variants", "add_ons")
                if kind in dish
            },
            "translations": translate_fields(dish, "name", "description", "price_note"),
        }
        for dish in section["items"]
    ]
    return {**section, "items": items, "translations": translate_fields(section, "name", "description")}


def _with_photo(account: Account, dish: NewItem) -> dict[str, Any]:
    """Return the dish with an upload in place of the name of its picture."""
    return {**dish, "photo_id": demo.create_image(account, dish["photo_id"])}


def _generate_views(menu: Menu) -> Iterator[IncomingVisit]:
    random = Random(1970)  # noqa: S311 - the same café every time
    now = clock.now().astimezone(menu.account.zone)
    Menu.objects.filter(pk=menu.pk).update(created_at=now - timedelta(days=DAYS))
    for ago in range(DAYS, -1, -1):
        day = now - timedelta(days=ago)
        for number in range(
            round(34 * WEEKDAY_WEIGHTS[day.weekday()] * random.uniform(0.7, 1.3) * demo.growth_factor(DAYS - ago))
        ):
            hour = random.choices(range(24), HOUR_WEIGHTS)[0]
            at = day.replace(hour=hour, minute=random.randrange(60), second=random.randrange(60))
            if at < now:
                yield IncomingVisit(
                    menu.publication_id, VIEW_EVENT, "", _to_utc(at), GUESTS.create_visitor(f"{ago} {number}", random)
                )


def _to_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)
