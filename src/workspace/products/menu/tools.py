"""QR menus as tools: menus themselves. Their sections and items stand in `section_tools.py` and `item_tools.py`."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account, Upload
from workspace.products.menu.arguments import (
    Address,
    ClockOrNone,
    Hours,
    NewSections,
    RestaurantName,
    Theme,
    UploadId,
    Words,
    stored_hours,
)
from workspace.products.menu.making import check_menus, make_sections, reprice
from workspace.products.menu.models import KIND, THEMES, Menu
from workspace.products.menu.rows import (
    ItemRow,
    MenuRow,
    MenuWhole,
    SectionRow,
    item_line,
    item_row,
    menu_line,
    menu_of,
    menu_rows,
    menu_whole,
    menus_of,
    section_row,
    sections_of,
)
from workspace.publishing.arguments import Slug
from workspace.publishing.models import Publication
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer, Listing, facts, listing
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.money import Currency
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.tool import Toolbox
from workspace.toolkit.types import Id

tools = Toolbox("menu", "QR menus")

Live = Annotated[bool, Field(description="Whether guests see it; otherwise a friendly page says that it is away")]
ResetAt = Annotated[
    ClockOrNone, Field(description="HH:MM at which sold-out items come back, in your time zone; empty for never")
]


@tools.tool("svc_menu_list", title="List menus", reads=True)
def list_menus(account: Account) -> Answer[Listing[MenuRow]]:
    """Your menus, newest first, with restaurant name, public link, item count, views and whether guests see them."""
    rows = menu_rows(menus_of(account))
    return listing(rows, total=len(rows), offset=0, noun="menus", line=menu_line)


class MenuItems(Listing[ItemRow]):
    """`items` are all of the menu's, in order; each names its section."""

    sections: list[SectionRow]
    menu: MenuWhole
    warnings: Annotated[list[str], Field(description="Diet tags that contradict an allergen")]


@tools.tool("svc_menu_items", title="What is on a menu", reads=True)
def menu_items(account: Account, menu_id: Id) -> Answer[MenuItems]:
    """Every section and item of a menu with ids, prices, dietary tags, allergens, sold-out and hidden flags, and the
    menu's own settings. An allergen that is not named is not declared, which never means that a dish is free of it."""
    menu = menu_of(account, menu_id)
    return Answer(*_whole(menu))


@tools.tool("svc_menu_create", title="Create a menu")
def create(
    account: Account,
    restaurant_name: RestaurantName,
    currency: Currency = "USD",
    address: Address = "",
    intro: Words = "",
    theme: Theme = THEMES[0],
    sections: NewSections | None = None,
    slug: Slug | None = None,
    logo_id: UploadId = "",
    hours: Hours | None = None,
    sold_out_resets_at: ResetAt = "",
    live: Live = True,
) -> Answer[MenuItems]:
    """Make a menu in one call: with its sections, and in each its items with prices, dietary tags, allergens, variants
    and add-ons. The answer has its public link, the QR code to print (svg_url, png_url) and every id. Counts against
    the plan's number of menus."""
    check_menus(account)
    menu = Menu.objects.create(
        account=account,
        publication=Publication.open(account, KIND, slug or None),
        restaurant_name=restaurant_name,
        currency=currency,
        address=address,
        intro=intro,
        theme=theme,
        logo=Upload.claim(account, logo_id, "logo_id") if logo_id else None,
        hours=stored_hours(hours or []),
        sold_out_resets_at=sold_out_resets_at,
    )
    if sections:
        make_sections(menu, sections)
    menu.go_live(live)
    data, text = _whole(menu_of(account, menu.pk))
    return Answer(data, f"Created. {text}")


class Imported(TypedDict):
    menu: MenuWhole
    sections: list[SectionRow]
    items: list[ItemRow]
    warnings: list[str]


@tools.tool("svc_menu_import", title="Add many sections and items")
def import_sections(account: Account, menu_id: Id, sections: NewSections) -> Answer[Imported]:
    """Put sections with their items at the end of a menu, all in one step. One wrong entry refuses them all, named at
    its place. The answer has what was added."""
    menu = menu_of(account, menu_id)
    if not sections:
        raise InvalidInput.at("sections", "Give at least one section")
    made = {section.pk for section in make_sections(menu, sections)}
    menu.bump()
    data, _ = _whole(menu_of(account, menu_id))
    added: Imported = {
        "menu": data["menu"],
        "sections": [row for row in data["sections"] if row["id"] in made],
        "items": [row for row in data["items"] if row["section_id"] in made],
        "warnings": [line for row in data["items"] if row["section_id"] in made for line in row["warnings"]],
    }
    head = f"Added {len(added['sections'])} sections with {len(added['items'])} items."
    return Answer(added, _with_warnings(head, added["warnings"]))


@tools.tool("svc_menu_edit_menu", title="Edit a menu", idempotent=True)
def edit(
    account: Account,
    menu_id: Id,
    restaurant_name: RestaurantName | None = None,
    currency: Currency | None = None,
    address: Address | None = None,
    intro: Words | None = None,
    theme: Theme | None = None,
    slug: Slug | None = None,
    logo_id: UploadId | None = None,
    hours: Hours | None = None,
    sold_out_resets_at: ResetAt | None = None,
    live: Live | None = None,
) -> Answer[MenuWhole]:
    """Change what a menu says of the restaurant, its look, its address, its hours, or whether guests see it. Only what
    is given changes; an empty text or list clears. Another slug leaves the old one working. Another currency keeps the
    numbers as they are."""
    menu = menu_of(account, menu_id)
    given: dict[str, Any] = {
        "restaurant_name": restaurant_name,
        "currency": currency,
        "address": address,
        "intro": intro,
        "theme": theme,
        "hours": None if hours is None else stored_hours(hours),
        "sold_out_resets_at": sold_out_resets_at,
    }
    fields = {name: value for name, value in given.items() if value is not None}
    if currency is not None and currency != menu.currency:
        reprice(menu, currency)
    if fields:
        menu.change(**fields)
    if logo_id is not None and logo_id != (menu.logo_id or ""):
        menu.wear(Upload.claim(account, logo_id, "logo_id") if logo_id else None)
    if slug is not None and slug.lower() != menu.publication.slug:
        menu.publication.move(slug)
        menu.bump()
    if live is not None and live != (menu.publication.paused_at is None):
        menu.go_live(live)
    found = menu_whole(menu_of(account, menu_id))
    return Answer(found, _facts(found))


class Deleted(TypedDict):
    id: str
    deleted: bool


@tools.tool("svc_menu_delete_menu", title="Delete a menu", destructive=True)
def delete(account: Account, menu_id: Id) -> Answer[Deleted]:
    """Delete a menu for good, with its sections and items. Printed codes then say that it is gone; its address is never
    given to another menu. To take it away for a while, use svc_menu_edit_menu with live=false."""
    menu = menu_of(account, menu_id)
    name = menu.restaurant_name
    menu.remove()
    return Answer({"id": menu_id, "deleted": True}, f"Deleted the menu of {escape_markdown(name)}")


def _whole(menu: Menu) -> tuple[MenuItems, str]:
    now = clock.now()
    sections = sections_of(menu)
    found = menu_whole(menu)
    items = [item_row(item, section, now) for section in sections for item in section.items.all()]
    data: MenuItems = {
        "total": len(items),
        "count": len(items),
        "offset": 0,
        "has_more": False,
        "items": items,
        "sections": [section_row(section, len(section.items.all()), now) for section in sections],
        "menu": found,
        "warnings": [line for item in items for line in item["warnings"]],
    }
    lines = [_facts(found)]
    for section in data["sections"]:
        lines += ["", f"**{escape_markdown(section['name'])}** {section['hours_text']} `{section['id']}`"]
        own = [row for row in items if row["section_id"] == section["id"]]
        lines += [f"- {item_line(row, menu.currency)}" for row in own]
    return data, _with_warnings("\n".join(lines), data["warnings"])


def _facts(found: MenuWhole) -> str:
    pairs = {
        "id": found["id"],
        "public link": found["public_link"],
        "QR code": found["svg_url"],
        "state": found["state"],
        "items": found["item_count"],
        "views": found["views"],
        "currency": found["currency"],
    }
    return facts(escape_markdown(found["restaurant_name"]), pairs)


def _with_warnings(text: str, warnings: list[str]) -> str:
    if not warnings:
        return text
    return "\n".join([text, "", "Please look at:", *[f"- {escape_markdown(line)}" for line in warnings]])
