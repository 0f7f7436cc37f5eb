"""Duplicating a menu's content."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from workspace.lib import clock
from workspace.lib.money import currency_decimals
from workspace.products.menu.domain.queries import sections_for
from workspace.products.menu.domain.sections_and_items import PLAIN_FIELDS
from workspace.products.menu.models import KIND, Choice, Item, Menu
from workspace.products.menu.rules.section_and_item_fields import NewItem, NewSection
from workspace.products.menu.rules.translations import Translations


def copy_sections(menu: Menu, codes: Collection[str]) -> list[NewSection]:
    """Return the sections with their dishes in the format that `svc_menu_create` accepts.

    Photos are included if the plan includes them, and translations if their language is among `codes`.
    """
    return [
        {
            "name": section.name,
            "description": section.description,
            "hours": section.hours,  # type: ignore[typeddict-item]  # validated when they were stored
            "hidden": section.hidden,
            "translations": _filter_translations(section.translations, codes),
            "items": [_copy_item(item, menu, codes) for item in section.items.all()],
        }
        for section in sections_for(menu)
    ]


def _copy_item(item: Item, menu: Menu, codes: Collection[str]) -> NewItem:
    made: dict[str, Any] = {
        **{name: getattr(item, name) for name in PLAIN_FIELDS},
        "price": "" if item.price_minor is None else _to_decimal(item.price_minor, menu.currency),
        "dietary_tags": item.tags,
        "variants": _copy_choices(item.variants, menu.currency, codes),
        "add_ons": _copy_choices(item.add_ons, menu.currency, codes),
        "translations": _filter_translations(item.translations, codes),
    }
    if item.is_sold_out(clock.now()):
        made |= {"sold_out": True, "sold_out_until": clock.to_iso(item.sold_out_until) if item.sold_out_until else ""}
    if item.photo_id and menu.account.limits(KIND).photos:
        made["photo_id"] = item.photo_id
    return made  # type: ignore[return-value]


def _copy_choices(choices: Sequence[Choice], currency: str, codes: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "name": choice["name"],
            "price": _to_decimal(choice["minor"], currency),
            "translations": _filter_translations(choice.get("translations", {}), codes),
        }
        for choice in choices
    ]


def _filter_translations(translations: Translations, codes: Collection[str]) -> dict[str, Any]:
    return {code: words for code, words in translations.items() if code in codes}


def _to_decimal(minor: int, currency: str) -> Decimal:
    return Decimal(minor).scaleb(-currency_decimals(currency))
