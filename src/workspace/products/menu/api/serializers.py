"""Serializers of menus, sections and items, which all answers use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Annotated, NotRequired

from django.conf import settings
from django.utils.translation import gettext
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.analytics.queries import load_totals
from workspace.lib import clock
from workspace.lib.money import format_amount as amount
from workspace.lib.money import to_wire_number
from workspace.lib.weekly_hours import Window, format_hours
from workspace.products.menu.domain.menu_languages import count_untranslated, languages_for
from workspace.products.menu.models import KIND, Choice, Item, Menu, Section
from workspace.publishing.models.visit import VIEW_EVENT
from workspace.publishing.serializers import ItemSummary, ItemUrls, build_row, item_summary, item_urls
from workspace.storage.files.images import image_url

PriceFormatter = Callable[[int, str], str]  # formats an amount in minor units of a currency
TranslationData = dict[str, dict[str, str]]  # by language, then by field
WindowData = TypedDict("WindowData", {"days": list[str], "from": str, "until": str})


class MenuSummary(ItemSummary):
    restaurant_name: str
    item_count: int
    views: int
    live: bool
    currency: str


class MenuDetail(MenuSummary, ItemUrls):
    print_url: str
    address: str
    intro: str
    theme: str
    logo_id: str | None
    hours: list[WindowData]
    hours_text: str
    served_now: bool
    sold_out_resets_at: str
    languages: Annotated[
        list[str],
        Field(description="Language codes, with the original language first. The brand's languages if none are set."),
    ]
    translations: TranslationData
    untranslated: Annotated[
        dict[str, int], Field(description="Number of untranslated sections and items, by language.")
    ]
    is_food: Annotated[bool, Field(description="Whether diets and allergens are shown. If false, it is a price list.")]
    unchecked_count: Annotated[int, Field(description="Number of items whose allergens are not marked as checked.")]


class Limits(TypedDict):
    """The limits of the plan. Null means unlimited. `sections` and `items` are per menu."""

    menus: int | None
    sections: int
    items: int
    photos: bool


class SectionData(TypedDict):
    id: str
    name: str
    translations: TranslationData
    public_url: Annotated[str, Field(description="Link to this section of the menu.")]
    description: str
    hours: list[WindowData]
    hours_text: str
    served_now: bool
    hidden: bool
    item_count: int


class ChoiceData(TypedDict):
    name: str
    price: float
    translations: NotRequired[TranslationData]


class ItemData(TypedDict):
    id: str
    section_id: str
    section: str
    name: str
    description: str
    price: float | None
    price_from: bool
    price_note: str
    price_text: Annotated[str, Field(description="Price as shown to guests, with variants in short form.")]
    dietary_tags: list[str]
    allergens: dict[str, str]
    allergens_checked: bool
    sold_out: bool
    sold_out_until: str | None
    hidden: bool
    translations: TranslationData
    variants: list[ChoiceData]
    add_ons: list[ChoiceData]
    photo_id: str | None
    photo_url: str | None
    warnings: list[str]


def menu_summaries(menus: Iterable[Menu]) -> list[MenuSummary]:
    menus = list(menus)
    tallies = load_totals([menu.publication_id for menu in menus], VIEW_EVENT)
    return [_menu_summary(menu, tallies[menu.publication_id].total) for menu in menus]


def menu_detail(menu: Menu, sections: Sequence[Section]) -> MenuDetail:
    """Return a menu with data on its sections and items, as returned by `sections_for`."""
    items = [item for section in sections for item in section.items.all()]
    return {
        **menu_summaries([menu])[0],
        **item_urls(menu),
        "print_url": f"{menu.public_url}/print",
        "address": menu.address,
        "intro": menu.intro,
        "theme": menu.theme,
        "logo_id": menu.logo_id,
        "hours": _window_data(menu.hours),
        "hours_text": format_hours(menu.hours),
        "served_now": menu.is_served(clock.now()),
        "sold_out_resets_at": menu.sold_out_resets_at,
        "languages": languages_for(menu),
        "translations": menu.translations,
        "untranslated": count_untranslated(menu, sections, items),
        "is_food": menu.is_food,
        "unchecked_count": sum(not item.allergens_checked for item in items),
    }


def _menu_summary(menu: Menu, views: int) -> MenuSummary:
    return {
        **item_summary(menu),
        "restaurant_name": menu.restaurant_name,
        "item_count": menu.item_count,  # type: ignore[attr-defined]  # annotated by menus_of
        "views": views,
        "live": menu.publication.paused_at is None,
        "currency": menu.currency,
    }


def limits_for(account: Account) -> Limits:
    plan = account.limits(KIND)
    return {"menus": plan.menus, "sections": plan.sections, "items": plan.items, "photos": plan.photos}


def section_data(section: Section, items: int, now: datetime) -> SectionData:
    return {
        "id": section.pk,
        "name": section.name,
        "translations": section.translations,
        "public_url": f"{section.menu.public_url}#{section.pk}",
        "description": section.description,
        "hours": _window_data(section.hours),
        "hours_text": format_hours(section.hours),
        "served_now": section.is_served(now),
        "hidden": section.hidden,
        "item_count": items,
    }


def item_data(item: Item, now: datetime) -> ItemData:
    """Return an item as data. Its `section` and the section's `menu` must be loaded."""
    sold_out = item.is_sold_out(now)
    currency = item.section.menu.currency
    values = {
        "section": item.section.name,
        "price": to_wire_number(item.price_minor, currency),
        "price_text": format_short_price(item, currency),
        "dietary_tags": item.tags,
        "sold_out": sold_out,
        "sold_out_until": clock.to_iso(item.sold_out_until) if sold_out else None,
        "variants": _choice_data(item.variants, currency),
        "add_ons": _choice_data(item.add_ons, currency),
        "photo_url": f"{settings.BASE_URL}{image_url(item.photo_id, 768)}" if item.photo_id else None,
    }
    return build_row(ItemData, item, values)


def format_price(item: Item, currency: str, format_amount: PriceFormatter = amount) -> str:
    """Format the price of an item: its note or amount, with `from` if that is set, or an empty string."""
    if item.price_note or item.price_minor is None:
        return item.price_note
    price = format_amount(item.price_minor, currency)
    return _format_from(price) if item.price_from else price


def format_short_price(item: Item, currency: str, format_amount: PriceFormatter = amount) -> str:
    """Format the price without its variants. If only variants have prices, format the lowest one with `from`."""
    own = format_price(item, currency, format_amount)
    if own or not item.variants:
        return own
    prices = [choice["minor"] for choice in item.variants]
    lowest = format_amount(min(prices), currency)
    return _format_from(lowest) if len(set(prices)) > 1 else lowest


def _format_from(price: str) -> str:
    return gettext("from {price}").format(price=price)


def _choice_data(choices: Sequence[Choice], currency: str) -> list[ChoiceData]:
    results: list[ChoiceData] = []
    for choice in choices:
        row: ChoiceData = {"name": choice["name"], "price": to_wire_number(choice["minor"], currency) or 0.0}
        if words := choice.get("translations"):
            row["translations"] = words
        results.append(row)
    return results


def _window_data(hours: Sequence[Window]) -> list[WindowData]:
    return [{"days": window["days"], "from": window["from"], "until": window["until"]} for window in hours]
