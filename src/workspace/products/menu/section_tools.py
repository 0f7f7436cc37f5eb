"""Sections of a menu as tools."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.menu.arguments import Hours, Ids, SectionName, Words, stored_hours
from workspace.products.menu.making import check_room
from workspace.products.menu.models import Menu, Section
from workspace.products.menu.rows import SectionRow, menu_of, section_of, section_row
from workspace.products.menu.tools import Deleted, tools
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id


@tools.tool("svc_menu_add_section", title="Add a section")
def add_section(
    account: Account, menu_id: Id, name: SectionName, description: Words = "", hours: Hours | None = None
) -> Answer[SectionRow]:
    """Add an empty section at the end of a menu. With hours it is offered at these times only. For several sections
    with their items, use svc_menu_import."""
    menu = menu_of(account, menu_id)
    check_room(menu, sections=1)
    section = menu.sections.create(
        name=name, description=description, hours=stored_hours(hours or []), position=menu.next_position()
    )
    menu.bump()
    return _told(menu, section.pk, "Added")


@tools.tool("svc_menu_edit_section", title="Edit a section", idempotent=True)
def edit_section(
    account: Account,
    menu_id: Id,
    section_id: Id,
    name: SectionName | None = None,
    description: Words | None = None,
    hours: Hours | None = None,
    hidden: bool | None = None,
) -> Answer[SectionRow]:
    """Change a section's name, description or hours, or hide it with all that is in it. Only what is given changes; an
    empty list of hours means always."""
    menu = menu_of(account, menu_id)
    section = section_of(menu, section_id)
    given = {
        "name": name,
        "description": description,
        "hours": None if hours is None else stored_hours(hours),
        "hidden": hidden,
    }
    fields = {field: value for field, value in given.items() if value is not None}
    if fields:
        section.change(**fields)
    return _told(menu, section_id, "Changed")


@tools.tool("svc_menu_delete_section", title="Delete a section", destructive=True)
def delete_section(account: Account, menu_id: Id, section_id: Id) -> Answer[Deleted]:
    """Delete a section with all items in it, for good. To take it off for a while, hide it with
    svc_menu_edit_section."""
    section = section_of(menu_of(account, menu_id), section_id)
    name, count = section.name, section.items.count()
    section.remove()
    return Answer({"id": section_id, "deleted": True}, f"Deleted “{escape_markdown(name)}” with {count} items")


class Ordered(TypedDict):
    ids: list[str]


@tools.tool("svc_menu_order_sections", title="Order the sections", idempotent=True)
def order_sections(
    account: Account, menu_id: Id, section_ids: Annotated[Ids, Field(description="All sections, in the order wanted")]
) -> Answer[Ordered]:
    """Put a menu's sections into an order. Name every section once."""
    menu = menu_of(account, menu_id)
    check_whole(section_ids, [section.pk for section in menu.sections.all()], "section_ids", "section of this menu")
    menu.arrange(section_ids)
    return Answer({"ids": section_ids}, f"The {len(section_ids)} sections stand in this order now")


def check_whole(given: list[str], present: list[str], path: str, noun: str) -> None:
    """Raises InvalidInput at the path unless `given` names each of `present` once."""
    if sorted(given) != sorted(present):
        raise InvalidInput.at(path, f"Name every {noun} once, {len(present)} in all")


def _told(menu: Menu, id: str, verb: str) -> Answer[SectionRow]:
    section: Section = section_of(menu, id)
    row = section_row(section, section.items.count(), clock.now())
    when = f", {row['hours_text']}" if row["hours_text"] else ""
    hidden = ", hidden" if row["hidden"] else ""
    return Answer(row, f"{verb} “{escape_markdown(row['name'])}” ({row['item_count']} items{when}{hidden}) `{id}`")
