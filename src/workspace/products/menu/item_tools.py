"""Items of a menu as tools: what changes during service, and the rest."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from workspace.accounts.models import Account, Upload
from workspace.products.menu.arguments import (
    Allergens,
    Choices,
    ClearablePrice,
    Ids,
    ItemName,
    NewItem,
    Position,
    Price,
    PriceNote,
    Tags,
    UploadId,
    Words,
    stored_allergens,
    stored_tags,
)
from workspace.products.menu.making import check_photos, check_room, new_item, priced, stored_choices
from workspace.products.menu.models import Item, Menu
from workspace.products.menu.rows import ItemRow, item_line, item_of, item_row, menu_of, section_of
from workspace.products.menu.section_tools import Ordered, check_whole
from workspace.products.menu.tools import Deleted, tools
from workspace.publishing.arguments import moment
from workspace.toolkit import clock
from workspace.toolkit.answer import Answer
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.text import escape_markdown
from workspace.toolkit.types import Id, MomentText


@tools.tool("svc_menu_update_item", title="Update an item", idempotent=True)
def update_item(
    account: Account,
    menu_id: Id,
    item_id: Id,
    price: Price | None = None,
    sold_out: bool | None = None,
    hidden: bool | None = None,
    name: ItemName | None = None,
    description: Words | None = None,
    price_note: PriceNote | None = None,
) -> Answer[ItemRow]:
    """Change an item during service: price, sold out or there again, hidden or shown, name, description, the note that
    is shown instead of a price. Only the fields given change; guests see it on the next load. Where the menu says when
    sold-out items come back, they do so by themselves."""
    menu = menu_of(account, menu_id)
    item = item_of(menu, item_id)
    minor = priced(menu, price, "price")
    fields = _given(name=name, description=description, price_note=price_note, hidden=hidden, price_minor=minor)
    if sold_out is not None:
        fields |= {"marked_sold_out": sold_out, "sold_out_until": menu.sold_out_until() if sold_out else None}
    if fields:
        item.change(**fields)
    return _told(menu, item_id, "Changed")


@tools.tool("svc_menu_edit_item", title="Edit everything of an item", idempotent=True)
def edit_item(
    account: Account,
    menu_id: Id,
    item_id: Id,
    name: ItemName | None = None,
    description: Words | None = None,
    price: ClearablePrice | None = None,
    price_note: PriceNote | None = None,
    dietary_tags: Tags | None = None,
    allergens: Allergens | None = None,
    variants: Choices | None = None,
    add_ons: Choices | None = None,
    photo_id: UploadId | None = None,
    sold_out: bool | None = None,
    sold_out_until: Annotated[
        MomentText, Field(description="When it is there again by itself; empty for not by itself")
    ]
    | None = None,
    hidden: bool | None = None,
) -> Answer[ItemRow]:
    """Change anything of an item: diets, allergens, variants and add-ons with their prices, its photo, until when it is
    sold out. Only what is given changes, and lists are given whole; an empty text or list clears. A diet tag that
    contradicts a declared allergen is kept but not shown to guests, and named in `warnings`."""
    menu = menu_of(account, menu_id)
    item = item_of(menu, item_id)
    fields = _given(
        name=name,
        description=description,
        price_note=price_note,
        hidden=hidden,
        tags=None if dietary_tags is None else stored_tags(dietary_tags),
        allergens=None if allergens is None else stored_allergens(dict(allergens)),
        variants=None if variants is None else stored_choices(menu, variants, "variants"),
        add_ons=None if add_ons is None else stored_choices(menu, add_ons, "add_ons"),
    )
    if price is not None:
        fields["price_minor"] = priced(menu, None if isinstance(price, str) else price, "price")
    fields |= _sold_out(menu, item, sold_out, sold_out_until)
    if fields:
        item.change(**fields)
    if photo_id is not None and photo_id != (item.photo_id or ""):
        if photo_id:
            check_photos(account)
        item.wear(Upload.claim(account, photo_id, "photo_id") if photo_id else None)
    return _told(menu, item_id, "Changed")


@tools.tool("svc_menu_add_item", title="Add an item")
def add_item(
    account: Account,
    menu_id: Id,
    section_id: Id,
    name: ItemName,
    price: Price | None = None,
    description: Words = "",
    price_note: PriceNote = "",
    dietary_tags: Tags | None = None,
    allergens: Allergens | None = None,
    variants: Choices | None = None,
    add_ons: Choices | None = None,
    photo_id: UploadId = "",
    hidden: bool = False,
) -> Answer[ItemRow]:
    """Add a dish or drink at the end of a section. For many at once, use svc_menu_import."""
    menu = menu_of(account, menu_id)
    section = section_of(menu, section_id)
    check_room(menu, items=1)
    given = NewItem.model_construct(
        name=name,
        price=price,
        description=description,
        price_note=price_note,
        dietary_tags=dietary_tags or [],
        allergens=allergens or {},
        variants=variants or [],
        add_ons=add_ons or [],
        photo_id=photo_id,
        sold_out=False,
        hidden=hidden,
    )
    item = new_item(section, given, section.next_position())
    item.save(force_insert=True)
    menu.bump()
    return _told(menu, item.pk, "Added")


@tools.tool("svc_menu_delete_item", title="Delete an item", destructive=True)
def delete_item(account: Account, menu_id: Id, item_id: Id) -> Answer[Deleted]:
    """Delete an item for good. To take it off the menu for a while, hide it or mark it sold out with
    svc_menu_update_item."""
    item = item_of(menu_of(account, menu_id), item_id)
    name = item.name
    item.remove()
    return Answer({"id": item_id, "deleted": True}, f"Deleted “{escape_markdown(name)}”")


@tools.tool("svc_menu_order_items", title="Order the items of a section", idempotent=True)
def order_items(
    account: Account,
    menu_id: Id,
    section_id: Id,
    item_ids: Annotated[Ids, Field(description="All items of the section, in the order wanted")],
) -> Answer[Ordered]:
    """Put the items of a section into an order. Name every item once."""
    section = section_of(menu_of(account, menu_id), section_id)
    check_whole(item_ids, [item.pk for item in section.items.all()], "item_ids", "item of this section")
    section.arrange(item_ids)
    return Answer({"ids": item_ids}, f"The {len(item_ids)} items stand in this order now")


@tools.tool("svc_menu_move_item", title="Move an item", idempotent=True)
def move_item(
    account: Account, menu_id: Id, item_id: Id, section_id: Id, position: Position | None = None
) -> Answer[ItemRow]:
    """Move an item to a section of the same menu, or to another place in its own."""
    menu = menu_of(account, menu_id)
    item, section = item_of(menu, item_id), section_of(menu, section_id)
    others = [other.pk for other in section.items.all() if other.pk != item.pk]
    place = len(others) if position is None else min(position - 1, len(others))
    if item.section_id != section.pk:
        item.change(section=section)
    section.arrange([*others[:place], item.pk, *others[place:]])
    return _told(menu, item_id, "Moved")


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _sold_out(menu: Menu, item: Item, sold_out: bool | None, until: str | None) -> dict[str, Any]:
    """The fields that say until when an item is sold out; a time alone means that it is."""
    if until:
        if sold_out is False:
            raise InvalidInput.at("sold_out_until", "Only for an item that is sold out")
        return {
            "marked_sold_out": True,
            "sold_out_until": moment(until, menu.account.zone, "sold_out_until"),
        }
    if sold_out is None:
        return {"sold_out_until": None} if until is not None and item.is_sold_out(clock.now()) else {}
    default = menu.sold_out_until() if until is None else None
    return {"marked_sold_out": sold_out, "sold_out_until": default if sold_out else None}


def _told(menu: Menu, id: str, verb: str) -> Answer[ItemRow]:
    item = item_of(menu, id)
    row = item_row(item, item.section, clock.now())
    text = f"{verb}: {item_line(row, menu.currency)} in {escape_markdown(row['section'])}"
    return Answer(row, "\n".join([text, *[f"- Please look: {escape_markdown(line)}" for line in row["warnings"]]]))
