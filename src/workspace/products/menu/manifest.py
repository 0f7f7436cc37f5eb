"""Menus: what a restaurant serves, on the phone of whoever scans the code on the table."""

from __future__ import annotations

from dataclasses import dataclass

from workspace.accounts.plans import Plan
from workspace.products.menu.api import part_tools, price_tools, stats_tools, tools
from workspace.products.menu.domain import starter_sections
from workspace.products.menu.hooks import demo, live_block, starter
from workspace.products.menu.hooks.takeout import CARRIED
from workspace.products.menu.models import KIND, Item, Menu, Section
from workspace.publishing.manifest import Group, Manifest
from workspace.publishing.privacy import part, thing
from workspace.tools.tool import tools_in


@dataclass(frozen=True, slots=True)
class MenuLimits:
    """`items` and `sections` are of one menu; a page of more would be slow on a phone, whatever the plan. None is
    unlimited."""

    menus: int | None
    items: int
    sections: int
    photos: bool
    history_days: int


PRODUCT = Manifest(
    key=KIND,
    word="menu",
    title="QR menus",
    noun="menu",
    label="Menus",
    short="Menus",
    about="A menu or a price list on the guest's phone",
    path="/m/",
    icon="menu_card",
    group=Group.FOUND,
    trades=tuple(starter_sections.SECTIONS),
    plans={
        "free": Plan(0, MenuLimits(menus=1, items=60, sections=20, photos=False, history_days=30)),
        "pro": Plan(9, MenuLimits(menus=None, items=500, sections=60, photos=True, history_days=400)),
    },
    carried=CARRIED,
    tools=tools_in(tools, part_tools, price_tools, stats_tools),
    things=[Menu],
    personal=[
        thing(Menu, "menu", home="/app/menu"),
        part(Section, "menu", "menu section", page=lambda section: f"/app/menu/{section.menu_id}"),
        part(Item, "section__menu", "dish", page=lambda dish: f"/app/menu/{dish.section.menu_id}"),
    ],
    searched=(
        "restaurant_name",
        "address",
        "intro",
        "sections__name",
        "sections__items__name",
        "sections__items__description",
    ),
    first_step="Show your menu or your prices",
    demo=demo.fill,
    example=starter.example,
    live=(live_block.TITLE, live_block.block),
)
