"""Menus, sections and items as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Annotated, NotRequired

from django.conf import settings
from django.utils.translation import gettext
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import totals
from workspace.lib import clock
from workspace.lib.money import number_of
from workspace.lib.money import shown as amount
from workspace.lib.weekly_hours import Window, in_words
from workspace.products.menu.domain.menu_languages import languages_of, untranslated
from workspace.products.menu.models import KIND, Choice, Item, Menu, Section
from workspace.publishing.models.visit import VIEW
from workspace.publishing.serializers import Addresses, PublishedRow, addresses_of, published_row
from workspace.storage.files.images import picture_url

Written = Callable[[int, str], str]  # an amount in minor units of a currency, in words
TranslationRows = dict[str, dict[str, str]]  # by language, then by field
WindowRow = TypedDict("WindowRow", {"days": list[str], "from": str, "until": str})


class MenuRow(PublishedRow):
    restaurant_name: str
    item_count: int
    views: int
    live: bool
    currency: str


class MenuWhole(MenuRow, Addresses):
    print_url: str
    address: str
    intro: str
    theme: str
    logo_id: str | None
    hours: list[WindowRow]
    hours_text: str
    served_now: bool
    sold_out_resets_at: str
    languages: Annotated[
        list[str], Field(description="The one that it is written in first; the brand's while none is set")
    ]
    translations: TranslationRows
    untranslated: Annotated[dict[str, int], Field(description="Sections and dishes lacking words, by language")]
    is_food: Annotated[
        bool, Field(description="Whether guests are told of diets and allergens: else it is a price list")
    ]
    unchecked_count: Annotated[int, Field(description="Dishes of which the allergens are not said to be checked")]


class Limits(TypedDict):
    """What the plan holds; null is no limit. Sections and items are of one menu."""

    menus: int | None
    sections: int
    items: int
    photos: bool


class SectionRow(TypedDict):
    id: str
    name: str
    translations: TranslationRows
    public_url: Annotated[str, Field(description="The menu, opened at this section")]
    description: str
    hours: list[WindowRow]
    hours_text: str
    served_now: bool
    hidden: bool
    item_count: int


class ChoiceRow(TypedDict):
    name: str
    price: float
    translations: NotRequired[TranslationRows]


class ItemRow(TypedDict):
    id: str
    section_id: str
    section: str
    name: str
    description: str
    price: float | None
    price_from: bool
    price_note: str
    price_text: Annotated[str, Field(description="The price as guests read it, its variants' in short")]
    dietary_tags: list[str]
    allergens: dict[str, str]
    allergens_checked: bool
    sold_out: bool
    sold_out_until: str | None
    hidden: bool
    translations: TranslationRows
    variants: list[ChoiceRow]
    add_ons: list[ChoiceRow]
    photo_id: str | None
    photo_url: str | None
    warnings: list[str]


def menu_rows(menus: Iterable[Menu]) -> list[MenuRow]:
    menus = list(menus)
    tallies = totals([menu.publication_id for menu in menus], VIEW)
    return [_menu_row(menu, tallies[menu.publication_id].total) for menu in menus]


def menu_whole(menu: Menu) -> MenuWhole:
    return {
        **menu_rows([menu])[0],
        **addresses_of(menu),
        "print_url": f"{menu.public_url}/print",
        "address": menu.address,
        "intro": menu.intro,
        "theme": menu.theme,
        "logo_id": menu.logo_id,
        "hours": _windows(menu.hours),
        "hours_text": in_words(menu.hours),
        "served_now": menu.is_served(clock.now()),
        "sold_out_resets_at": menu.sold_out_resets_at,
        "languages": languages_of(menu),
        "translations": menu.translations,
        "untranslated": untranslated(menu),
        "is_food": menu.is_food,
        "unchecked_count": menu.items().filter(allergens_checked=False).count(),
    }


def _menu_row(menu: Menu, views: int) -> MenuRow:
    return {
        **published_row(menu),
        "restaurant_name": menu.restaurant_name,
        "item_count": menu.item_count,  # type: ignore[attr-defined]  # annotated by menus_of
        "views": views,
        "live": menu.publication.paused_at is None,
        "currency": menu.currency,
    }


def limits_of(account: Account) -> Limits:
    plan = account.limits(KIND)
    return {"menus": plan.menus, "sections": plan.sections, "items": plan.items, "photos": plan.photos}


def section_row(section: Section, items: int, now: datetime) -> SectionRow:
    return {
        "id": section.pk,
        "name": section.name,
        "translations": section.translations,
        "public_url": f"{section.menu.public_url}#{section.pk}",
        "description": section.description,
        "hours": _windows(section.hours),
        "hours_text": in_words(section.hours),
        "served_now": section.is_served(now),
        "hidden": section.hidden,
        "item_count": items,
    }


def item_row(item: Item, now: datetime) -> ItemRow:
    """`item` knows its section, and this its menu."""
    sold_out = item.is_sold_out(now)
    currency = item.section.menu.currency
    return {
        "id": item.pk,
        "section_id": item.section_id,
        "section": item.section.name,
        "name": item.name,
        "description": item.description,
        "price": number_of(item.price_minor, currency),
        "price_from": item.price_from,
        "price_note": item.price_note,
        "price_text": price_in_short(item, currency),
        "dietary_tags": item.tags,
        "allergens": item.allergens,
        "allergens_checked": item.allergens_checked,
        "sold_out": sold_out,
        "sold_out_until": clock.iso(item.sold_out_until) if sold_out else None,
        "hidden": item.hidden,
        "translations": item.translations,
        "variants": _choices(item.variants, currency),
        "add_ons": _choices(item.add_ons, currency),
        "photo_id": item.photo_id,
        "photo_url": f"{settings.BASE_URL}{picture_url(item.photo_id, 768)}" if item.photo_id else None,
        "warnings": item.warnings,
    }


def price_of(item: Item, currency: str, written: Written = amount) -> str:
    """An item's own price in words: its note, or `from €8.00`; empty for none."""
    if item.price_note or item.price_minor is None:
        return item.price_note
    price = written(item.price_minor, currency)
    return _from(price) if item.price_from else price


def price_in_short(item: Item, currency: str, written: Written = amount) -> str:
    """The same where its variants are not shown beside it: `from` the lowest of them, where they alone have prices."""
    own = price_of(item, currency, written)
    if own or not item.variants:
        return own
    prices = [choice["minor"] for choice in item.variants]
    lowest = written(min(prices), currency)
    return _from(lowest) if len(set(prices)) > 1 else lowest


def _from(price: str) -> str:
    return gettext("from {price}").format(price=price)


def _choices(choices: Sequence[Choice], currency: str) -> list[ChoiceRow]:
    found: list[ChoiceRow] = []
    for choice in choices:
        row: ChoiceRow = {"name": choice["name"], "price": number_of(choice["minor"], currency) or 0.0}
        if words := choice.get("translations"):
            row["translations"] = words
        found.append(row)
    return found


def _windows(hours: Sequence[Window]) -> list[WindowRow]:
    return [{"days": window["days"], "from": window["from"], "until": window["until"]} for window in hours]
