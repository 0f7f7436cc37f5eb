"""Tools for a menu's sections and items: changes during service, and saving them as lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Generic, TypeVar, Unpack

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.text import escape_markdown, format_count
from workspace.products.menu import messages
from workspace.products.menu.api.arguments import ItemOrder, Items, MenuId, SectionOrder, Sections, ServiceChanges
from workspace.products.menu.api.serializers import ItemData, SectionData, item_data, section_data
from workspace.products.menu.api.text import format_item, format_names, format_section, with_warnings
from workspace.products.menu.api.tools import box, delete_parts
from workspace.products.menu.domain import menu_languages
from workspace.products.menu.domain.queries import get_item, get_menu, items_for, sections_for
from workspace.products.menu.domain.sections_and_items import (
    build_item_fields,
    classify_changes,
    create_items,
    create_sections,
)
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.rules.limits import MAX_ITEMS
from workspace.publishing import positions
from workspace.storage import journal
from workspace.tools.answer import Answer
from workspace.tools.argument_types import Id
from workspace.tools.object_parser import Issues

R = TypeVar("R", SectionData, ItemData)
ItemId = Annotated[Id, Field(description="Item ID, from svc_menu_items.")]
RemovedIds = Annotated[
    list[Id], Field(max_length=MAX_ITEMS, description="IDs to delete. svc_undo restores them within 30 days.")
]


@box.tool(
    "svc_menu_update_item",
    title="Update a menu item",
    about="Update a menu item during service: price, sold out (86, out of stock), hidden, name, description or price "
    "note. Guests see it when they reload. If the menu has a reset time, sold-out items become available "
    "automatically. For other fields, use svc_menu_save_items.",
    short="Mark an item sold out, or change its price, name or visibility.",
    synonyms="86, eighty-six, unavailable, ran out, run out, no more, back in stock, out of stock, one dish, "
    "ausverkauft, aus, wieder verfügbar, preis eines gerichts, agotado, se acabó, ya no hay, precio del "
    "plato, hide dish, show dish again, price of one dish, dish is finished, gericht ausblenden, "
    "ocultar plato, cambiar el precio de un plato, preis ändern",
    idempotent=True,
)
def update_item(
    account: Account, menu_id: MenuId, item_id: ItemId, **fields: Unpack[ServiceChanges]
) -> Answer[ItemData]:
    menu = get_menu(account, menu_id)
    item = get_item(menu, item_id)
    issues = Issues()
    values = build_item_fields(menu, fields, "", issues, item)
    issues.raise_if_any()
    if journal.update_row(item, **values):
        menu.mark_changed()
    row = item_data(item, clock.now())
    text = f"{_change_verb()}: {format_item(row, menu.currency, section=True)}"
    return Answer(row, with_warnings(text, row["warnings"]))


class SaveResult(TypedDict, Generic[R]):
    """The result of saving a list.

    It has the numbers of created, changed and removed parts, and the current state of the first two.
    """

    added: int
    changed: int
    removed: int
    items: list[R]


@box.tool(
    "svc_menu_save_sections",
    title="Create, update and reorder menu sections",
    about="Create, update, hide, remove and reorder the sections of a menu. Entries without id are added at the end; "
    "entries with id are updated. A section with hours is only offered at those times. Removing a section also "
    "removes its items. For items, use svc_menu_save_items.",
    short="Create, update, remove or reorder sections of a menu.",
    synonyms="category, categories, breakfast, lunch, starters, desserts, heading, lunch hours only, kategorie, "
    "abschnitt, vorspeisen, mittagskarte, sección, categoría, entrantes, postres",
    idempotent=True,
)
def save_sections(
    account: Account,
    menu_id: MenuId,
    items: Sections | None = None,
    remove: RemovedIds | None = None,
    order: SectionOrder | None = None,
) -> Answer[SaveResult[SectionData]]:
    menu, issues = get_menu(account, menu_id), Issues()
    _check_not_empty(items, remove, order)
    present = {section.pk: section for section in sections_for(menu)}
    part_changes = classify_changes(present, items or [], remove or [], messages.SECTION_NOT_FOUND, issues)
    for at, fields in part_changes.new:
        menu_languages.check_languages(menu, fields, at, issues)
    for at, section, fields in part_changes.changed:
        menu_languages.check_languages(menu, fields, at, issues, section)
    issues.raise_if_any()
    delete_parts(part_changes.deleted)
    sections = create_sections(menu, [fields for _, fields in part_changes.new]) if part_changes.new else []
    changed = journal.update_rows((section, fields) for _, section, fields in part_changes.changed)
    if order is not None:
        rows = menu.sections.exclude(pk__in=[section.pk for section in sections])
        positions.reorder_parts(rows, order, path="order", noun="section of this menu")
    _mark_changed(menu)
    named = [*[section for _, section, _ in part_changes.changed], *sections]
    now = clock.now()
    results = [
        section_data(section, len(section.items.all()) if section.pk in present else 0, now) for section in named
    ]
    return _parts_answer(results, len(sections), len(changed), part_changes.deleted, "section", format_section)


@box.tool(
    "svc_menu_save_items",
    title="Create, update and reorder menu items",
    about="Create, update, move, remove and reorder up to 500 menu items. One invalid entry rejects all. A list "
    "replaces the whole list; an empty string or list clears a field. Dietary tags that contradict a declared "
    "allergen are saved but hidden from guests, and are listed in warnings.",
    short="Create, update, move, remove or reorder items of a menu.",
    synonyms="add dish, add dishes, new dish, daily special, declare allergens, vegan tag, variants, sizes, "
    "add-ons, extras, photo of dish, gericht hinzufügen, tagesgericht, allergene eintragen, añadir plato, plato "
    "del día, alérgenos, agregar platos",
    idempotent=True,
)
def save_items(
    account: Account,
    menu_id: MenuId,
    items: Items | None = None,
    remove: RemovedIds | None = None,
    order: ItemOrder | None = None,
) -> Answer[SaveResult[ItemData]]:
    menu, issues = get_menu(account, menu_id), Issues()
    _check_not_empty(items, remove, order)
    present = {item.pk: item for item in items_for(menu)}
    part_changes = classify_changes(present, items or [], remove or [], messages.ITEM_NOT_FOUND, issues)
    sections = _SectionResolver(menu, issues)
    for at, fields in part_changes.new:
        sections.check_section(at, fields, is_new=True)
    for at, _, fields in part_changes.changed:
        sections.check_section(at, fields)
    changes = [(item, build_item_fields(menu, fields, at, issues, item)) for at, item, fields in part_changes.changed]
    sections.create_missing()
    delete_parts(part_changes.deleted)
    new = [(at, sections.section_for(fields), fields) for at, fields in part_changes.new]
    made = create_items([(at, section, fields) for at, section, fields in new if section], menu, issues)
    sections.record_items(made)
    changed = set()
    for (at, item, fields), (_, stored) in zip(part_changes.changed, changes, strict=True):
        section = sections.section_for(fields)
        if section is not None and section.pk != item.section_id:
            stored |= {"section": section, "position": sections.next_position(section)}
        if fields.get("photo_id", item.photo_id or "") != (item.photo_id or ""):
            changed.add(item.pk)
            with issues.collect_errors():
                item.attach_image(fields["photo_id"], f"{at}photo_id")
    issues.raise_if_any()
    changed |= {item.pk for item in journal.update_rows(changes)}
    if order is not None:
        _reorder_items(menu, order, [item.pk for item in made])
    _mark_changed(menu)
    now = clock.now()
    results = [item_data(item, now) for item in [*[item for _, item, _ in part_changes.changed], *made]]
    line = partial(format_item, currency=menu.currency, section=True)
    answer = _parts_answer(results, len(made), len(changed), part_changes.deleted, "item", line)
    return Answer(answer.data, with_warnings(answer.text, [line for row in results for line in row["warnings"]]))


class _SectionResolver:
    """Finds the sections that items name, by id or name. Missing sections are created."""

    def __init__(self, menu: Menu, issues: Issues) -> None:
        self.menu, self.issues = menu, issues
        self.present = sections_for(menu)
        self.by_id = {section.pk: section for section in self.present}
        self.by_name = {section.name.casefold(): section for section in reversed(self.present)}
        self.missing: dict[str, dict[str, str]] = {}
        self.places = {
            section.pk: max((item.position for item in section.items.all()), default=-1) + 1 for section in self.present
        }

    def check_section(self, path: str, fields: dict[str, Any], *, is_new: bool = False) -> None:
        """Record the section that an entry names, or the problem with it."""
        if "section" in fields and "section_id" in fields:
            self.issues.append(Issue(f"{path}section", messages.SECTION_TWICE))
        elif "section_id" in fields and fields["section_id"] not in self.by_id:
            self.issues.append(Issue(f"{path}section_id", messages.SECTION_NOT_FOUND))
        elif "section" in fields and fields["section"].casefold() not in self.by_name:
            section = {"name": fields["section"], "description": fields.get("section_description", "")}
            self.missing.setdefault(fields["section"].casefold(), section)
        elif is_new and not {"section", "section_id"} & set(fields):
            if len(self.present) == 1:
                fields["section_id"] = self.present[0].pk
            else:
                self.issues.append(Issue(f"{path}section_id", messages.SECTION_NEEDED))

    def create_missing(self) -> None:
        if self.missing:
            sections = create_sections(self.menu, list(self.missing.values()))
            self.by_name |= {section.name.casefold(): section for section in sections}

    def section_for(self, fields: dict[str, Any]) -> Section | None:
        if "section_id" in fields:
            return self.by_id.get(fields["section_id"])
        return self.by_name.get(fields["section"].casefold()) if "section" in fields else None

    def record_items(self, items: Sequence[Item]) -> None:
        for item in items:
            self.places[item.section_id] = item.position + 1

    def next_position(self, section: Section) -> int:
        place = self.places.get(section.pk, 0)
        self.places[section.pk] = place + 1
        return place


def _reorder_items(menu: Menu, order: Sequence[str], created_ids: Sequence[str]) -> None:
    """Order the items of each section that the ids belong to.

    Items that were just created cannot be among the ids, because the caller does not know theirs.
    """
    at = dict(menu.items().values_list("pk", "section_id"))
    for number, id in enumerate(order):
        if id not in at:
            raise InvalidInputError.at_path(f"order.{number}", messages.ITEM_NOT_FOUND)
    for section in dict.fromkeys(at[id] for id in order):
        rows = Item.objects.filter(section_id=section).exclude(pk__in=created_ids)
        ids = [id for id in order if at[id] == section]
        positions.reorder_parts(rows, ids, path="order", noun="item of this section")


def _check_not_empty(items: object, remove: object, order: object) -> None:
    if items is None and remove is None and order is None:
        raise InvalidInputError.at_path("items", messages.NOTHING_TO_SAVE)


def _mark_changed(menu: Menu) -> None:
    if journal.has_changed():
        menu.mark_changed()


def _change_verb() -> str:
    return "Updated" if journal.has_changed() else "No changes"


def _parts_answer(
    results: list[R],
    added: int,
    changed: int,
    removed: Sequence[Item | Section],
    noun: str,
    format_row: Callable[[R], str],
) -> Answer[SaveResult[R]]:
    counts = {"added": added, "changed": changed, "removed": len(removed)}
    text = ", ".join(f"{act} {format_count(count, noun)}" for act, count in counts.items() if count)
    head = text[:1].upper() + text[1:] if text else "Order updated" if journal.has_changed() else "No changes"
    names = [row["name"] for row in results] + [part.name for part in removed]
    data: SaveResult[R] = {"added": added, "changed": changed, "removed": len(removed), "items": results}
    shown: list[str] = [f"- {format_row(row)}" for row in results]
    shown += [f"- removed {escape_markdown(part.name)} `{part.pk}`" for part in removed]
    return Answer(data, "\n".join([f"{head}: {format_names(names)}" if names else head, *shown]))
