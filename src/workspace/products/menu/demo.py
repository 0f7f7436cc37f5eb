"""A café's menu with some weeks of views, the same at every filling, so that a new installation has something to look
at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pydantic import TypeAdapter

from workspace.accounts.models import Account
from workspace.products.menu.arguments import NewSection
from workspace.products.menu.models import Menu
from workspace.products.menu.saving import Issues, make_items, make_sections
from workspace.publishing.counting import Arrival, enter
from workspace.publishing.guest_page import VIEW
from workspace.publishing.visitor import Visitor, digest
from workspace.toolkit import clock

DAYS = 45
BATCH = 500
HOURS = (0, 0, 0, 0, 0, 0, 0, 2, 7, 8, 6, 10, 22, 18, 7, 6, 6, 8, 14, 16, 10, 5, 1, 0)
WEEKDAYS = (0.7, 0.8, 0.9, 1.0, 1.3, 1.6, 1.2)
DEVICES = (("phone", 93), ("tablet", 4), ("desktop", 3))
CITIES = (("Vienna", 60), ("Graz", 14), ("Linz", 9), ("Salzburg", 6), ("Innsbruck", 4))


def _dish(
    name: str, price: float | None, about: str, tags: str = "", contains: str = "", **more: Any
) -> dict[str, Any]:
    """`tags` and `contains` are words; more: may (words), and anything of NewItem. Its kitchen has checked them all."""
    states = dict.fromkeys(contains.split(), "contains") | dict.fromkeys(more.pop("may", "").split(), "may_contain")
    return {
        "name": name,
        **({} if price is None else {"price": price}),
        "description": about,
        "dietary_tags": tags.split(),
        "allergens": states,
        "allergens_checked": True,
        **more,
    }


def _choices(**prices: float) -> list[dict[str, Any]]:
    return [{"name": name.replace("_", " "), "price": price} for name, price in prices.items()]


EVERY_DAY = {"days": [], "from": "07:30", "until": "11:30"}
WEEKDAY_NOON = {"days": ["mon", "tue", "wed", "thu", "fri"], "from": "11:30", "until": "14:30"}
SECTIONS: list[dict[str, Any]] = [
    {
        "name": "Breakfast",
        "hours": [EVERY_DAY],
        "items": [
            _dish(
                "Morgenrot breakfast",
                11.9,
                "Two rolls, butter, apricot jam, soft-boiled egg, a small coffee",
                "vegetarian",
                "gluten milk eggs",
            ),
            _dish("Porridge", 6.8, "Oats in almond milk, stewed apple, cinnamon", "vegan", "gluten nuts", may="sesame"),
            _dish("Scrambled eggs", 8.4, "Three eggs, chives, black bread", "vegetarian", "gluten eggs milk"),
        ],
    },
    {
        "name": "Lunch of the day",
        "description": "With a small salad. Changes every week.",
        "hours": [WEEKDAY_NOON],
        "items": [
            _dish("Lentil stew", 9.9, "Beluga lentils, root vegetables, bread dumplings", "vegan", "gluten celery"),
            _dish("Chicken schnitzel", 11.5, "Potato salad, lemon", "", "gluten eggs mustard", may="milk"),
        ],
    },
    {
        "name": "Small plates",
        "items": [
            _dish("Tomato soup", 6.5, "Basil oil, toasted seeds", "vegan gluten_free", "celery", may="sesame"),
            _dish(
                "Beef tartare",
                14.8,
                "Hand-cut, capers, egg yolk, toast",
                "",
                "gluten eggs mustard",
                add_ons=_choices(Truffle=4.5, Extra_toast=1.8),
            ),
            _dish("Smoked trout", 12.9, "Horseradish cream, beetroot, dill", "pescatarian gluten_free", "fish milk"),
            _dish(
                "Goat's cheese from the oven", 10.9, "Honey, thyme, walnuts", "vegetarian", "milk nuts", may="gluten"
            ),
        ],
    },
    {
        "name": "Mains",
        "items": [
            _dish("Käsespätzle", 13.9, "Mountain cheese, fried onions, green salad", "vegetarian", "gluten eggs milk"),
            _dish("Wild mushroom risotto", 15.4, "Parmesan on the side", "gluten_free", "milk", may="celery"),
            _dish(
                "Catch of the day",
                None,
                "Please ask us what came in",
                "",
                "fish",
                price_note="market price",
                allergens_checked=False,
            ),
            _dish(
                "Wiener schnitzel",
                22.5,
                "Veal, parsley potatoes, cranberries",
                "",
                "gluten eggs",
                may="milk",
                variants=_choices(Small=17.9, Regular=22.5),
                sold_out=True,
            ),
        ],
    },
    {
        "name": "Cakes",
        "items": [
            _dish("Sachertorte", 6.2, "With whipped cream", "vegetarian", "gluten eggs milk", may="nuts"),
            _dish("Apple strudel", 5.8, "Warm, with vanilla sauce", "vegetarian", "gluten milk eggs", may="nuts"),
            _dish("Chocolate cake", 5.9, "Without flour, with raspberries", "vegan gluten_free", "nuts soy"),
        ],
    },
    {
        "name": "Drinks",
        "items": [
            _dish(
                "Melange",
                4.6,
                "Espresso, steamed milk, foam",
                "vegetarian",
                "milk",
                add_ons=_choices(Oat_milk=0.5, Extra_shot=1.2),
            ),
            _dish("Filter coffee", None, "From a roaster round the corner", "", variants=_choices(Cup=3.4, Pot=6.5)),
            _dish("Elderflower spritz", 6.9, "Prosecco, elderflower, mint", "vegan", "sulphites"),
            _dish("Grüner Veltliner", None, "Kamptal", "", "sulphites", variants=_choices(Glass=5.2, Bottle=29)),
        ],
    },
]


def fill(account: Account) -> None:
    """Called once, for an account without menus."""
    menu = Menu.open(
        account,
        restaurant_name=account.name,
        currency="EUR",
        address="Lindengasse 7, 1070 Vienna",
        intro="All day long, from the first coffee to the last glass.",
        theme="terracotta",
        sold_out_resets_at="05:00",
    )
    given = TypeAdapter(list[NewSection]).validate_python(SECTIONS)
    made = make_sections(menu, given)
    make_items(
        [("", section, item) for section, one in zip(made, given, strict=True) for item in one["items"]],
        menu,
        Issues(),
    )
    arrivals = sorted(_views(menu), key=lambda arrival: arrival.at)
    for start in range(0, len(arrivals), BATCH):
        enter(arrivals[start : start + BATCH])


def _views(menu: Menu) -> Iterator[Arrival]:
    chance = Random(1970)  # noqa: S311 - the same café every time
    now = clock.now().astimezone(menu.account.zone)
    Menu.objects.filter(pk=menu.pk).update(created_at=now - timedelta(days=DAYS))
    for ago in range(DAYS, -1, -1):
        day = now - timedelta(days=ago)
        for number in range(round(34 * WEEKDAYS[day.weekday()] * chance.uniform(0.7, 1.3))):
            hour = chance.choices(range(24), HOURS)[0]
            at = day.replace(hour=hour, minute=chance.randrange(60), second=chance.randrange(60))
            if at < now:
                yield Arrival(menu.publication_id, VIEW, "", _utc(at), _guest(f"{ago} {number}", chance))


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _guest(name: str, chance: Random) -> Visitor:
    device = chance.choices([name for name, _ in DEVICES], [share for _, share in DEVICES])[0]
    city = chance.choices([name for name, _ in CITIES], [share for _, share in CITIES])[0]
    return Visitor(False, device, city, "Austria", "", digest("demo", name))
