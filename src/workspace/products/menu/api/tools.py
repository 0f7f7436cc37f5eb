"""QR menus as tools: menus as wholes. What stands on them is changed in `part_tools.py`, prices in `price_tools.py`;
figures are in `figure_tools.py`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Unpack

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInput
from workspace.lib.text import counted, escape_markdown
from workspace.products.menu.api.arguments import InPlaceOf, MenuChanges, MenuId, NewMenu, NewSections, RestaurantName
from workspace.products.menu.api.serializers import (
    ItemRow,
    Limits,
    MenuRow,
    MenuWhole,
    SectionRow,
    item_row,
    limits_of,
    menu_rows,
    menu_whole,
    section_row,
)
from workspace.products.menu.api.text import (
    item_line,
    limits_line,
    menu_facts,
    menu_line,
    names_of,
    section_line,
    with_warnings,
)
from workspace.products.menu.domain import menu_languages
from workspace.products.menu.domain.duplication import sections_like
from workspace.products.menu.domain.menu_languages import further_of
from workspace.products.menu.domain.parts import fill, reprice
from workspace.products.menu.domain.queries import menu_of, menus_of, sections_of
from workspace.products.menu.models import KIND, Item, Menu, Section, usual_currency
from workspace.products.menu.rules.types import NewSection
from workspace.publishing.arguments import Ids
from workspace.publishing.duplication import Like, fields_like
from workspace.publishing.serializers import DeletedAll, several
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, facts, listing
from workspace.tools.object_parser import Issues
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "QR menus")


class Menus(Page):
    items: list[MenuRow]
    limits: Limits


@box.tool("svc_menu_list", title="List menus", reads=True, columns="restaurant_name item_count views live slug")
def list_menus(account: Account) -> Answer[Menus]:
    """Your menus, newest first, with restaurant name, public link, item count, views and whether guests see them; and
    how many your plan holds."""
    rows = menu_rows(menus_of(account))
    found = listing(rows, total=len(rows), offset=0, noun="menus", line=menu_line)
    limits = limits_of(account)
    return Answer({**found.data, "limits": limits}, f"{found.text}\n\n{limits_line(limits)}")


class MenuItems(Page):
    """`items` are all of the menu's, in order; each names its section."""

    items: list[ItemRow]
    sections: list[SectionRow]
    menu: MenuWhole
    limits: Limits
    warnings: Annotated[list[str], Field(description="Diet tags that contradict an allergen")]


@box.tool("svc_menu_items", title="What is on a menu", reads=True, columns="name section price sold_out id")
def menu_items(account: Account, menu_id: MenuId) -> Answer[MenuItems]:
    """Every section and item of a menu with ids, prices, dietary tags, allergens, sold-out and hidden flags, and the
    menu's own settings. An allergen that is not named is not declared, which never means that a dish is free of it,
    unless the dish says allergens_checked."""
    return _whole(account, menu_id, "")


@box.tool("svc_menu_create", title="Create a menu")
def create(
    account: Account,
    restaurant_name: RestaurantName,
    sections: NewSections | None = None,
    like: Like | None = None,
    in_place_of: InPlaceOf | None = None,
    **fields: Unpack[NewMenu],
) -> Answer[MenuItems]:
    """Make a menu in one call: with its sections, and in each its items with prices, dietary tags, allergens, variants
    and add-ons; or like another one; or in place of one that there is, whose address and printed codes it takes over.
    The answer has its public link, the QR code to print (svg_url, png_url) and every id. Counts against the plan's
    number of menus."""
    given: dict[str, Any] = dict(fields)
    if in_place_of is not None:
        if like is not None:
            raise InvalidInput.at("in_place_of", "Give this or like, not both")
        return _in_place_of(account, in_place_of, {**given, "restaurant_name": restaurant_name}, sections or [])
    Menu.check_room(account)
    checked = given.pop("allergens_checked", False)
    model = menu_of(account, like) if like is not None else None
    usual = fields_like(model) if model else {"currency": usual_currency(account)}
    begun = {**usual, **given, "restaurant_name": restaurant_name}
    menu, issues = Menu.open(account, **begun), Issues()
    _check_languages(menu, given)
    if model is not None and sections is None:
        sections = sections_like(model, further_of(menu))
    if sections:
        # what is made with the menu goes and comes with it: the journal needs no word of it
        fill(menu, sections, issues, checked=checked, noted=False)
    issues.refuse()
    return _whole(account, menu.pk, "Created")


def _in_place_of(account: Account, id: str, given: dict[str, Any], sections: Sequence[NewSection]) -> Answer[MenuItems]:
    """The sections of a menu, and what is given of it, for those that stand there. Guests see it, unless it says
    otherwise, as they see one that is made."""
    menu = menu_of(account, id)
    remove_parts(sections_of(menu))
    checked = given.pop("allergens_checked", False)
    _change(menu, {"live": True, **given})
    fill(menu, sections, Issues(), checked=checked)
    menu.touched()
    return _whole(account, menu.pk, "Wrote anew")


@box.tool("svc_menu_edit", title="Edit a menu", idempotent=True)
def edit(account: Account, menu_id: MenuId, **fields: Unpack[MenuChanges]) -> Answer[MenuWhole]:
    """Change what a menu says of the restaurant, its look, its address, its hours, or whether guests see it. Only what
    is given changes; an empty text or list clears. Another slug leaves the old one working. Another currency keeps the
    numbers as they are; svc_menu_change_prices changes prices."""
    menu = menu_of(account, menu_id)
    _change(menu, dict(fields))
    found = menu_whole(menu_of(account, menu_id))
    title = "Changed" if journal.has_changed() else "Nothing changed on"
    return Answer(found, facts(f"{title} the menu of {escape_markdown(found['restaurant_name'])}", menu_facts(found)))


def _change(menu: Menu, given: dict[str, Any]) -> None:
    if given.get("currency", menu.currency) != menu.currency:
        reprice(menu, given["currency"])
    checked = {name: given.pop(name) for name in ("allergens_checked",) if name in given}
    if checked and journal.change_many((item, checked) for item in menu.items()):
        menu.touched()
    before = menu.translations
    menu.edit(**given)
    _check_languages(menu, given, before)


def _check_languages(menu: Menu, given: dict[str, Any], before: Collection[str] = ()) -> None:
    """Of the menu's own words; it may keep those that it had."""
    issues = Issues()
    words = {code: said for code, said in given.get("translations", {}).items() if code not in before}
    menu_languages.check(menu, {"translations": words}, "", issues)
    issues.refuse()


@box.tool("svc_menu_delete", title="Delete menus, sections and items", destructive=True)
def delete(
    account: Account,
    ids: Annotated[Ids, Field(description="Of menus, sections, items; from svc_menu_list, svc_menu_items")],
) -> Answer[DeletedAll]:
    """Delete menus, sections and items, each with all that is in it. Whoever scans the code of a deleted menu is told
    that it is gone; its address is never given to another. For 30 days svc_undo brings all of it back. To take a menu
    away for a while, use svc_menu_edit with live=false; a dish or a section is hidden."""
    menus = account.menus.select_related("account", "publication")
    sections = Section.objects.filter(menu__account=account, menu__binned_at=None)
    items = Item.objects.filter(section__menu__account=account, section__binned_at=None, section__menu__binned_at=None)
    found = several(
        ids, NOTHING, menus, sections.select_related("menu__account"), items.select_related("section__menu__account")
    )
    whole = [one for one in found if isinstance(one, Menu)]
    parted = [one for one in found if isinstance(one, Section)]
    single = [one for one in found if isinstance(one, Item)]
    inside = Item.objects.filter(section__in=parted).count()
    remove_parts([*single, *parted])
    if whole:
        Menu.remove_many(whole)
    told = [
        counted(len(whole), "menu") if whole else "",
        f"{counted(len(parted), 'section')} with {counted(inside, 'item')} inside" if parted else "",
        counted(len(single), "item") if single else "",
    ]
    lines = [f"- {escape_markdown(str(one))} `{one.pk}`" for one in found]
    text = "\n".join([f"Deleted {', '.join(filter(None, told))}: {names_of(map(str, found))}", *lines])
    return Answer({"deleted": [{"id": one.pk, "title": str(one)} for one in found]}, text)


NOTHING = "There is no such menu, section or item: svc_menu_list and svc_menu_items show yours with their ids"


def remove_parts(parts: Sequence[Item | Section]) -> None:
    """Put sections, with what is in them, and items into the bin; their menus are drawn anew."""
    now = clock.now()
    for kind in (Item, Section):
        journal.change_many((part, {"binned_at": now}) for part in parts if isinstance(part, kind))
    menus = {part.menu if isinstance(part, Section) else part.section.menu for part in parts}
    if menus:
        Menu.touched_many(sorted(menus, key=lambda menu: menu.pk))


def _whole(account: Account, id: str, title: str) -> Answer[MenuItems]:
    menu, now = menu_of(account, id), clock.now()
    sections = sections_of(menu)
    found, limits = menu_whole(menu), limits_of(account)
    items = [item_row(item, now) for section in sections for item in section.items.all()]
    data: MenuItems = {
        "total": len(items),
        "count": len(items),
        "offset": 0,
        "has_more": False,
        "items": items,
        "sections": [section_row(section, len(section.items.all()), now) for section in sections],
        "menu": found,
        "limits": limits,
        "warnings": [line for item in items for line in item["warnings"]],
    }
    return Answer(data, lambda: _in_words(data, title))


def _in_words(data: MenuItems, title: str) -> str:
    menu, items = data["menu"], data["items"]
    name = f"the menu of {escape_markdown(menu['restaurant_name'])}"
    lines = [facts(f"{title} {name}" if title else name[:1].upper() + name[1:], menu_facts(menu))]
    for section in data["sections"]:
        lines += ["", section_line(section)]
        lines += [f"- {item_line(row, menu['currency'])}" for row in items if row["section_id"] == section["id"]]
    lines += ["", limits_line(data["limits"])]
    return with_warnings("\n".join(lines), data["warnings"])
