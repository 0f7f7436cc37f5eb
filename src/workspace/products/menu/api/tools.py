"""Tools for whole menus.

The tools for their content are in `section_and_item_tools.py`, those for prices in `price_tools.py`, and those for
views in `stats_tools.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Unpack

from pydantic import Field

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import escape_markdown, format_count
from workspace.products.menu import messages
from workspace.products.menu.api.arguments import (
    MenuChanges,
    MenuId,
    NewMenu,
    NewSections,
    ReplacedMenuId,
    RestaurantName,
)
from workspace.products.menu.api.serializers import (
    ItemData,
    Limits,
    MenuDetail,
    MenuSummary,
    SectionData,
    item_data,
    limits_for,
    menu_detail,
    menu_summaries,
    section_data,
)
from workspace.products.menu.api.text import (
    format_item,
    format_limits,
    format_menu,
    format_names,
    format_section,
    menu_facts,
    with_warnings,
)
from workspace.products.menu.domain import menu_languages
from workspace.products.menu.domain.duplication import copy_sections
from workspace.products.menu.domain.menu_languages import further_languages
from workspace.products.menu.domain.queries import get_menu, menus_for, sections_for
from workspace.products.menu.domain.sections_and_items import convert_prices, create_menu_content
from workspace.products.menu.models import KIND, Item, Menu, Section, default_currency
from workspace.products.menu.rules.section_and_item_fields import NewSection
from workspace.publishing.duplication import CopyOf, copy_fields
from workspace.publishing.serializers import DeletedItems, get_many_or_404
from workspace.publishing.shared_item_arguments import Ids
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, format_fact_list, listing_answer
from workspace.tools.object_parser import Issues
from workspace.tools.tool import Toolbox

box = Toolbox(KIND, "QR menus")


class MenuList(Page):
    items: list[MenuSummary]
    limits: Limits


@box.tool(
    "svc_menu_list",
    title="List menus",
    about="List menus, newest first, with restaurant name, public link, number of items, views and whether guests "
    "can see them. Also returns how many menus your plan allows.",
    short="List menus with public link, number of items and views.",
    synonyms="my menus, restaurant menus, menu link, speisekarten, meine speisekarte, cartas, mis menús",
    reads=True,
    columns="restaurant_name item_count views live slug",
)
def list_menus(account: Account) -> Answer[MenuList]:
    rows = menu_summaries(menus_for.fetch(account))
    answer = listing_answer(rows, total=len(rows), offset=0, noun="menus", line=format_menu)
    limits = limits_for(account)
    return Answer({**answer.data, "limits": limits}, f"{answer.text}\n\n{format_limits(limits)}")


class MenuItems(Page):
    """The items of a menu. `items` are all items in order, and each names its section."""

    items: list[ItemData]
    sections: list[SectionData]
    menu: MenuDetail
    limits: Limits
    warnings: Annotated[list[str], Field(description="Dietary tags that contradict a declared allergen.")]


@box.tool(
    "svc_menu_items",
    title="Get a menu with its items",
    about="Get all sections and items of a menu with prices, dietary tags, allergens, sold-out and hidden flags, and "
    "the menu's settings. An allergen that is not listed is undeclared. The item is free of it only if "
    "allergens_checked is true.",
    short="Get all sections and items of a menu with prices and allergens.",
    synonyms="view menu, show dishes, food, drinks, vegan dishes, gluten, nuts, what is on the menu, speisekarte "
    "anzeigen, gerichte, allergene, platos, alérgenos, ver la carta, qué hay en el menú, list "
    "allergens, allergens of a dish, gluten free dishes, which dishes, vegetarian, welche gerichte, qué "
    "platos",
    reads=True,
    columns="name section price sold_out id",
)
def list_items(account: Account, menu_id: MenuId) -> Answer[MenuItems]:
    return _items_answer(account, menu_id, "")


@box.tool(
    "svc_menu_create",
    title="Create a menu",
    about="Create a menu with sections and items (prices, dietary tags, allergens, variants, add-ons) in one call. "
    "Can also copy a menu, or replace one and keep its address and QR codes. Returns its link, QR code images "
    "and IDs. Counts toward your plan's limit.",
    short="Create, copy or replace a menu with sections and items.",
    synonyms="new menu, food menu, drinks menu, wine list, digital menu, price list, speisekarte erstellen, "
    "getränkekarte, karte, crear menú, carta, carta de vinos, carta digital",
)
def create(
    account: Account,
    restaurant_name: RestaurantName,
    sections: NewSections | None = None,
    copy_of: CopyOf | None = None,
    replaces: ReplacedMenuId | None = None,
    **fields: Unpack[NewMenu],
) -> Answer[MenuItems]:
    values: dict[str, Any] = dict(fields)
    if replaces is not None:
        if copy_of is not None:
            raise InvalidInputError.at_path("replaces", messages.REPLACES_AND_COPY)
        return _replace_menu(account, replaces, {**values, "restaurant_name": restaurant_name}, sections or [])
    Menu.check_quota(account)
    checked = values.pop("allergens_checked", False)
    model = get_menu(account, copy_of) if copy_of is not None else None
    usual = copy_fields(model) if model else {"currency": default_currency(account)}
    started = {**usual, **values, "restaurant_name": restaurant_name}
    menu, issues = Menu.open(account, **started), Issues()
    _check_languages(menu, values)
    if model is not None and sections is None:
        sections = copy_sections(model, further_languages(menu))
    if sections:
        # not in the journal: undoing the creation of the menu removes them, too
        create_menu_content(menu, sections, issues, allergens_checked=checked, is_journaled=False)
    issues.raise_if_any()
    return _items_answer(account, menu.pk, "Created")


def _replace_menu(
    account: Account, id: str, fields: dict[str, Any], sections: Sequence[NewSection]
) -> Answer[MenuItems]:
    """Replace the sections of a menu and update the given fields.

    The menu becomes live unless the arguments say otherwise, as for a new menu.
    """
    menu = get_menu(account, id)
    delete_parts(sections_for(menu))
    checked = fields.pop("allergens_checked", False)
    _update_menu(menu, {"live": True, **fields})
    create_menu_content(menu, sections, Issues(), allergens_checked=checked)
    menu.mark_changed()
    return _items_answer(account, menu.pk, "Replaced")


@box.tool(
    "svc_menu_edit",
    title="Update a menu",
    about="Update a menu's restaurant details, intro, design, hours, languages or slug. live=false takes it offline. "
    "Pass only the fields to change. An empty string or list clears a field. A new currency doesn't convert "
    "prices. To change prices, use svc_menu_change_prices.",
    short="Update a menu's details, design, hours, languages or slug.",
    synonyms="theme, opening hours, translate menu, language, currency, hide menu, take menu offline, speisekarte "
    "ändern, übersetzen, sprache, cambiar menú, traducir, idioma, ocultar menú",
    idempotent=True,
)
def edit(account: Account, menu_id: MenuId, **fields: Unpack[MenuChanges]) -> Answer[MenuDetail]:
    menu = get_menu(account, menu_id)
    _update_menu(menu, dict(fields))
    menu = get_menu(account, menu_id)
    result = menu_detail(menu, sections_for(menu))
    title = "Updated" if journal.has_changed() else "No changes to"
    return Answer(
        result,
        format_fact_list(f"{title} the menu of {escape_markdown(result['restaurant_name'])}", menu_facts(result)),
    )


def _update_menu(menu: Menu, fields: dict[str, Any]) -> None:
    if fields.get("currency", menu.currency) != menu.currency:
        convert_prices(menu, fields["currency"])
    checked = {name: fields.pop(name) for name in ("allergens_checked",) if name in fields}
    if checked and journal.update_rows((item, checked) for item in menu.items()):
        menu.mark_changed()
    before = menu.translations
    menu.edit(**fields)
    _check_languages(menu, fields, before)


def _check_languages(menu: Menu, fields: dict[str, Any], before: Collection[str] = ()) -> None:
    """Check the languages of the menu's own translations. Languages that it already has are allowed."""
    issues = Issues()
    words = {code: translation for code, translation in fields.get("translations", {}).items() if code not in before}
    menu_languages.check_languages(menu, {"translations": words}, "", issues)
    issues.raise_if_any()


@box.tool(
    "svc_menu_delete",
    title="Delete menus, sections or items",
    about="Delete menus, sections (with their items) or items. Guests who scan the QR code see that the menu no "
    "longer exists, and its address is never reused. To restore within 30 days, use svc_undo. To pause a menu, "
    "use svc_menu_edit with live=false, or hide sections or items.",
    short="Delete menus, sections or items. Restorable for 30 days.",
    synonyms="remove dish, take off the menu, remove section, löschen, gericht entfernen, eliminar plato, borrar "
    "menú, quitar plato",
    destructive=True,
)
def delete(
    account: Account,
    ids: Annotated[Ids, Field(description="IDs of menus, sections or items.")],
) -> Answer[DeletedItems]:
    menus = account.menus.select_related("account", "publication")
    sections = Section.objects.filter(menu__account=account, menu__binned_at=None)
    items = Item.objects.filter(section__menu__account=account, section__binned_at=None, section__menu__binned_at=None)
    found = get_many_or_404(
        ids,
        messages.MENU_OR_PART_NOT_FOUND,
        menus,
        sections.select_related("menu__account"),
        items.select_related("section__menu__account"),
    )
    whole = [item for item in found if isinstance(item, Menu)]
    parted = [item for item in found if isinstance(item, Section)]
    single = [item for item in found if isinstance(item, Item)]
    inside = Item.objects.filter(section__in=parted).count()
    delete_parts([*single, *parted])
    if whole:
        Menu.remove_many(whole)
    texts = [
        format_count(len(whole), "menu") if whole else "",
        f"{format_count(len(parted), 'section')} with {format_count(inside, 'item')} inside" if parted else "",
        format_count(len(single), "item") if single else "",
    ]
    lines = [f"- {escape_markdown(str(item))} `{item.pk}`" for item in found]
    text = "\n".join([f"Deleted {', '.join(filter(None, texts))}: {format_names(map(str, found))}", *lines])
    return Answer({"deleted": [{"id": item.pk, "title": str(item)} for item in found]}, text)


def delete_parts(parts: Sequence[Item | Section]) -> None:
    """Move items, and sections with their items, to the bin, and render their menus again."""
    now = clock.now()
    for kind in (Item, Section):
        journal.update_rows((part, {"binned_at": now}) for part in parts if isinstance(part, kind))
    menus = {part.menu if isinstance(part, Section) else part.section.menu for part in parts}
    if menus:
        Menu.mark_many_changed(sorted(menus, key=lambda menu: menu.pk))


def _items_answer(account: Account, id: str, title: str) -> Answer[MenuItems]:
    menu, now = get_menu(account, id), clock.now()
    sections = sections_for(menu)
    result, limits = menu_detail(menu, sections), limits_for(account)
    items = [item_data(item, now) for section in sections for item in section.items.all()]
    data: MenuItems = {
        "total": len(items),
        "count": len(items),
        "offset": 0,
        "has_more": False,
        "items": items,
        "sections": [section_data(section, len(section.items.all()), now) for section in sections],
        "menu": result,
        "limits": limits,
        "warnings": [line for item in items for line in item["warnings"]],
    }
    return Answer(data, lambda: _format_items(data, title))


def _format_items(data: MenuItems, title: str) -> str:
    menu, items = data["menu"], data["items"]
    name = f"the menu of {escape_markdown(menu['restaurant_name'])}"
    lines = [format_fact_list(f"{title} {name}" if title else name[:1].upper() + name[1:], menu_facts(menu))]
    for section in data["sections"]:
        lines += ["", format_section(section)]
        lines += [f"- {format_item(row, menu['currency'])}" for row in items if row["section_id"] == section["id"]]
    lines += ["", format_limits(data["limits"])]
    return with_warnings("\n".join(lines), data["warnings"])
