"""The manifest of menus: dishes and prices for guests who scan a QR code at the table."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.owner_translation import owner_gettext_lazy, owner_gettext_noop
from workspace.products.menu.api import price_tools, section_and_item_tools, stats_tools, tools
from workspace.products.menu.domain import starter_sections
from workspace.products.menu.hooks import demo, live_block, starter_content
from workspace.products.menu.hooks.takeout import TAKEOUT_TABLES
from workspace.products.menu.hooks.today import TODAY_SOURCE
from workspace.products.menu.models import KIND, Item, Menu, Section
from workspace.publishing.manifest import Manifest, ProductGroup, SearchCommand
from workspace.publishing.privacy import item_table, part_table
from workspace.tools.tool import tools_from_modules


@dataclass(frozen=True, slots=True)
class MenuLimits:
    """The limits of a plan. None means unlimited.

    `items` and `sections` are per menu. Every plan limits them, because longer pages would be slow on phones.
    """

    menus: int | None
    items: int
    sections: int
    photos: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    slug="menu",
    title=owner_gettext_noop("QR menus"),
    noun="menu",
    label=owner_gettext_noop("Menus"),
    short=owner_gettext_noop("Menus"),
    summary="A menu or price list on your guests’ phones",
    public_prefix="/m/",
    icon="menu_card",
    group=ProductGroup.VISIBILITY,
    trades=tuple(starter_sections.SECTIONS),
    tab_places={"cafe": 1, "restaurant": 1, "salon": 3},
    plans={
        "free": Plan(0, MenuLimits(menus=1, items=60, sections=20, photos=False, history_days=30)),
        "pro": Plan(9, MenuLimits(menus=None, items=500, sections=60, photos=True, history_days=400)),
    },
    takeout=TAKEOUT_TABLES,
    tools=tools_from_modules(tools, section_and_item_tools, price_tools, stats_tools),
    models=[Menu],
    privacy=[
        item_table(Menu, "menu", dashboard_path="/app/menu"),
        part_table(Section, "menu", "menu section", page=lambda section: f"/app/menu/{section.menu_id}"),
        part_table(Item, "section__menu", "dish", page=lambda dish: f"/app/menu/{dish.section.menu_id}"),
    ],
    search_fields=(
        "restaurant_name",
        "address",
        "intro",
        "sections__name",
        "sections__items__name",
        "sections__items__description",
    ),
    first_task=owner_gettext_lazy("Create a menu"),
    search_words="restaurant food drinks dishes allergens price list prices sold out daily special",
    commands=[
        SearchCommand(owner_gettext_lazy("Create a menu"), None, "new make restaurant price list"),
        SearchCommand(
            owner_gettext_lazy("Edit dishes and prices"), "", "menu items sections allergens sold out photos"
        ),
        SearchCommand(owner_gettext_lazy("Print a menu QR code"), "share", "poster table tent download"),
    ],
    demo=demo.fill_account,
    starter=starter_content.starter_for,
    live_block=(live_block.TITLE, live_block.build_block),
    today=TODAY_SOURCE,
)
