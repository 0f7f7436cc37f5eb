"""Operations on one or many sections and items, with few queries.

Call them with the account locked, so that parallel calls cannot exceed limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from workspace.accounts.models import Upload
from workspace.lib import clock, money
from workspace.lib.errors import InvalidInputError, Issue
from workspace.lib.messages import Message
from workspace.products.menu import messages
from workspace.products.menu.domain import menu_languages
from workspace.products.menu.models import Choice, Item, Menu, Section, claim_photos
from workspace.products.menu.rules.section_and_item_fields import ItemFields
from workspace.publishing import positions
from workspace.publishing.shared_item_arguments import parse_future_moment
from workspace.storage import journal
from workspace.storage.database.columns import TEXT, argument_columns
from workspace.tools.object_parser import Issues

PartInput = Mapping[str, Any]
Part = TypeVar("Part", Section, Item)
_CONVERTED_FIELDS = ("variants", "add_ons", "sold_out_until")
# the fields of an item that are stored as they are given, and those among them that are texts
PLAIN_FIELDS = ("name", *argument_columns(Item, ItemFields, skip=_CONVERTED_FIELDS))
TEXT_FIELDS = ("name", *argument_columns(Item, ItemFields, kinds=TEXT))


@dataclass(frozen=True, slots=True)
class PartChanges(Generic[Part]):
    """The changes that a list requests, by the paths of the entries (`items.3.`). Entries without an id are new."""

    new: list[tuple[str, dict[str, Any]]]
    changed: list[tuple[str, Part, dict[str, Any]]]
    deleted: list[Part]


def classify_changes(
    existing: Mapping[str, Part],
    items: Sequence[PartInput],
    remove: Sequence[str],
    missing_message: Message,
    issues: Issues,
) -> PartChanges[Part]:
    """Sort the entries into new, changed and deleted.

    `existing` are the existing parts by id. `missing_message` is the message for unknown ids.
    """
    part_changes: PartChanges[Part] = PartChanges([], [], [])
    seen: set[str] = set()
    for number, item in enumerate(items):
        at, fields = f"items.{number}.", dict(item)
        id = fields.pop("id", None)
        if id is None:
            part_changes.new.append((at, fields))
            if "name" not in fields:
                issues.append(Issue(f"{at}name", messages.NAME_OR_ID_NEEDED))
        elif id in seen:
            issues.append(Issue(f"{at}id", messages.ENTRY_REPEATED))
        elif id in existing:
            part_changes.changed.append((at, existing[id], fields))
        else:
            issues.append(Issue(f"{at}id", missing_message))
        seen.add(id or "")
    for number, id in enumerate(dict.fromkeys(remove)):
        if id in seen:
            issues.append(Issue(f"remove.{number}", messages.ENTRY_IS_SAVED))
        elif id in existing:
            part_changes.deleted.append(existing[id])
        else:
            issues.append(Issue(f"remove.{number}", missing_message))
    return part_changes


def build_item_fields(
    menu: Menu, fields: PartInput, path_prefix: str, issues: Issues, item: Item | None = None
) -> dict[str, Any]:
    """Return the given fields of an item in their stored form, except the photo.

    `item` is the item to change, if it exists.
    """
    result = {name: fields[name] for name in PLAIN_FIELDS if name in fields}
    menu_languages.check_languages(menu, fields, path_prefix, issues, item)
    if "dietary_tags" in fields:
        result["tags"] = fields["dietary_tags"]
    with issues.collect_errors():
        if "price" in fields:
            result["price_minor"] = to_minor_units(
                menu, fields["price"] if fields["price"] != "" else None, f"{path_prefix}price"
            )
    for name in ("variants", "add_ons"):
        if name in fields:
            result[name] = _parse_choices(menu, fields[name], f"{path_prefix}{name}", issues)
    with issues.collect_errors():
        result |= _sold_out_fields(menu, fields, path_prefix, item)
    return result


def create_items(
    requested: Sequence[tuple[str, Section, PartInput]], menu: Menu, issues: Issues, is_journaled: bool = True
) -> list[Item]:
    """Create items at the end of their sections. Raise InvalidInputError if there are any `issues`.

    `requested` contains the path (`items.3.`), the section and the fields of each item.
    """
    if requested:
        menu.check_part_limits(items=len(requested))
    photos: dict[str, Upload] = {}
    with issues.collect_errors():
        photo_requests = [
            (fields["photo_id"], f"{at}photo_id") for at, _, fields in requested if fields.get("photo_id")
        ]
        photos = claim_photos(menu.account, photo_requests)
    places: dict[str, int] = {}
    for item in menu.items():
        places[item.section_id] = max(places.get(item.section_id, 0), item.position + 1)
    items = []
    for at, section, values in requested:
        fields = build_item_fields(menu, values, at, issues)
        place = places.get(section.pk, 0)
        places[section.pk] = place + 1
        items.append(Item(section=section, position=place, photo=photos.get(values.get("photo_id", "")), **fields))
    issues.raise_if_any()
    Item.objects.bulk_create(items)
    if is_journaled:
        journal.record_new_rows(*items)
    return items


def create_menu_content(
    menu: Menu,
    sections: Sequence[PartInput],
    issues: Issues,
    *,
    allergens_checked: bool = False,
    is_journaled: bool = True,
) -> None:
    """Create sections and items from the format that `svc_menu_create` accepts.

    `allergens_checked` is the default for items. Raise InvalidInputError if there are any `issues`.
    """
    for number, entry in enumerate(sections):
        menu_languages.check_languages(menu, entry, f"sections.{number}.", issues)
    made = create_sections(menu, sections, is_journaled)
    requested = [
        (
            f"sections.{number}.items.{place}.",
            section,
            {**({"allergens_checked": True} if allergens_checked else {}), **item},
        )
        for number, (section, entry) in enumerate(zip(made, sections, strict=True))
        for place, item in enumerate(entry.get("items", []))
    ]
    create_items(requested, menu, issues, is_journaled)


def create_sections(menu: Menu, requested: Sequence[PartInput], is_journaled: bool = True) -> list[Section]:
    """Create sections without items after the existing ones. `is_journaled` says whether the journal records them."""
    menu.check_part_limits(sections=len(requested))
    first = positions.next_position(menu.sections.all())
    sections = [
        Section(menu=menu, position=first + number, **{name: item[name] for name in item if name != "items"})
        for number, item in enumerate(requested)
    ]
    Section.objects.bulk_create(sections)
    if is_journaled:
        journal.record_new_rows(*sections)
    return sections


def to_minor_units(menu: Menu, amount: Decimal | None, path: str) -> int | None:
    """Convert a price to minor units.

    Raise InvalidInputError at the path if the amount has more decimals than the menu's currency.
    """
    try:
        return None if amount is None else money.to_minor_units(amount, menu.currency)
    except ValueError as problem:
        raise InvalidInputError.at_path(path, str(problem)) from None


def _parse_choices(menu: Menu, choices: Sequence[Any], path: str, issues: Issues) -> list[Choice]:
    results: list[Choice] = []
    for number, choice in enumerate(choices):
        with issues.collect_errors():
            minor = to_minor_units(menu, choice["price"], f"{path}.{number}.price")
            stored: Choice = {"name": choice["name"], "minor": minor or 0}
            if choice.get("translations"):
                stored["translations"] = choice["translations"]
            results.append(stored)
    return results


def _sold_out_fields(menu: Menu, fields: PartInput, path_prefix: str, item: Item | None) -> dict[str, Any]:
    """Return the fields about being sold out. A time without a state means that the item is sold out."""
    sold_out, until = fields.get("sold_out"), fields.get("sold_out_until")
    if until:
        path = f"{path_prefix}sold_out_until"
        if sold_out is False:
            raise InvalidInputError.at_path(path, messages.NOT_SOLD_OUT)
        return {"marked_sold_out": True, "sold_out_until": parse_future_moment(until, menu.account.zone, path)}
    if sold_out is None:
        lasting = until is not None and item is not None and item.is_sold_out(clock.now())
        return {"sold_out_until": None} if lasting else {}
    default = menu.next_sold_out_reset() if until is None else None
    return {"marked_sold_out": sold_out, "sold_out_until": default if sold_out else None}


def convert_prices(menu: Menu, currency: str) -> None:
    """Change the currency of all prices. The numbers stay the same.

    Raise InvalidInputError if a price has more decimals than the new currency.
    """

    def moved(choices: Sequence[Choice]) -> list[Choice]:
        return [
            {**choice, "minor": money.relabel_currency(choice["minor"], menu.currency, currency)} for choice in choices
        ]

    changes: list[tuple[Item, dict[str, Any]]] = []
    for item in menu.items():
        item.section.menu = menu
        try:
            minor = item.price_minor
            price = None if minor is None else money.relabel_currency(minor, menu.currency, currency)
            fields = {"price_minor": price, "variants": moved(item.variants), "add_ons": moved(item.add_ons)}
        except ValueError as problem:
            raise InvalidInputError.at_path(
                "currency", messages.PRICE_DOES_NOT_FIT(name=item.name, problem=problem)
            ) from None
        changes.append((item, fields))
    journal.update_rows(changes)
