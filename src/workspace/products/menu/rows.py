"""Menus, sections and items as data, the same in every answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Prefetch, QuerySet
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.models.item import Choice
from workspace.publishing.guest_page import VIEW
from workspace.publishing.pictures import picture_url
from workspace.publishing.statistics import totals
from workspace.toolkit import clock
from workspace.toolkit.errors import NotFound
from workspace.toolkit.hours import Window, in_words, is_within
from workspace.toolkit.money import decimals_of, number_of
from workspace.toolkit.text import escape_markdown

WindowRow = TypedDict("WindowRow", {"days": list[str], "from": str, "until": str})


class MenuRow(TypedDict):
    id: str
    restaurant_name: str
    public_link: str
    slug: str
    item_count: int
    views: int
    live: bool
    state: str
    currency: str
    svg_url: str
    png_url: str
    print_url: str
    created_at: str | None
    updated_at: str | None


class MenuWhole(MenuRow):
    address: str
    intro: str
    theme: str
    logo_id: str | None
    hours: list[WindowRow]
    served_now: bool
    sold_out_resets_at: str
    slugs: list[str]


class SectionRow(TypedDict):
    id: str
    name: str
    description: str
    hours: list[WindowRow]
    hours_text: str
    served_now: bool
    hidden: bool
    item_count: int


class ChoiceRow(TypedDict):
    name: str
    price: float


class ItemRow(TypedDict):
    id: str
    section_id: str
    section: str
    name: str
    description: str
    price: float | None
    price_note: str
    dietary_tags: list[str]
    allergens: dict[str, str]
    sold_out: bool
    sold_out_until: str | None
    hidden: bool
    variants: list[ChoiceRow]
    add_ons: list[ChoiceRow]
    photo_id: str | None
    photo_url: str | None
    warnings: list[str]


def menus_of(account: Account) -> QuerySet[Menu]:
    """The account's menus with all that a row shows: two queries, however many there are."""
    found = account.menus.select_related("publication", "account").prefetch_related("publication__addresses")
    # said here, since an aggregate takes the model's own order away
    return found.annotate(item_count=Count("sections__items")).order_by("-id")


def menu_of(account: Account, id: str) -> Menu:
    """Raises NotFound for a menu that there is not, or that is another account's."""
    menu = menus_of(account).filter(pk=id).first()
    if menu is None:
        raise NotFound("There is no such menu: svc_menu_list shows yours with their ids")
    return menu


def section_of(menu: Menu, id: str) -> Section:
    section = menu.sections.filter(pk=id).first()
    if section is None:
        raise NotFound("There is no such section on this menu: svc_menu_items shows them with their ids")
    section.menu = menu
    return section


def item_of(menu: Menu, id: str) -> Item:
    item = Item.objects.select_related("section", "photo").filter(section__menu=menu, pk=id).first()
    if item is None:
        raise NotFound("There is no such item on this menu: svc_menu_items shows them with their ids")
    item.section.menu = menu
    return item


def sections_of(menu: Menu) -> list[Section]:
    """The sections in order, each with its `items` in order: two queries."""
    sections = list(menu.sections.prefetch_related(Prefetch("items", Item.objects.order_by("position", "id"))))
    for section in sections:
        section.menu = menu
    return sections


def menu_rows(menus: Iterable[Menu]) -> list[MenuRow]:
    menus = list(menus)
    tallies = totals([menu.publication_id for menu in menus], VIEW)
    return [_menu_row(menu, tallies[menu.publication_id].total) for menu in menus]


def menu_whole(menu: Menu) -> MenuWhole:
    return {
        **menu_rows([menu])[0],
        "address": menu.address,
        "intro": menu.intro,
        "theme": menu.theme,
        "logo_id": menu.logo_id,
        "hours": _windows(menu.hours),
        "served_now": menu.is_served(clock.now()),
        "sold_out_resets_at": menu.sold_out_resets_at,
        "slugs": [address.slug for address in sorted(menu.publication.addresses.all(), key=lambda a: -a.pk)],
    }


def _menu_row(menu: Menu, views: int) -> MenuRow:
    publication = menu.publication
    link = f"{settings.BASE_URL}/m/{publication.slug}"
    return {
        "id": menu.pk,
        "restaurant_name": menu.restaurant_name,
        "public_link": link,
        "slug": publication.slug,
        "item_count": menu.item_count,  # type: ignore[attr-defined]  # annotated by menus_of
        "views": views,
        "live": menu.live,
        "state": publication.state.value,
        "currency": menu.currency,
        "svg_url": f"{link}.svg",
        "png_url": f"{link}.png",
        "print_url": f"{link}/print",
        "created_at": clock.iso(menu.created_at),
        "updated_at": clock.iso(menu.updated_at),
    }


def section_row(section: Section, items: int, now: datetime) -> SectionRow:
    return {
        "id": section.pk,
        "name": section.name,
        "description": section.description,
        "hours": _windows(section.hours),
        "hours_text": in_words(section.hours),
        "served_now": is_within(section.hours, now, section.menu.account.zone),
        "hidden": section.hidden,
        "item_count": items,
    }


def item_row(item: Item, section: Section, now: datetime) -> ItemRow:
    sold_out = item.is_sold_out(now)
    currency = section.menu.currency
    return {
        "id": item.pk,
        "section_id": section.pk,
        "section": section.name,
        "name": item.name,
        "description": item.description,
        "price": number_of(item.price_minor, currency),
        "price_note": item.price_note,
        "dietary_tags": item.tags,
        "allergens": item.allergens,
        "sold_out": sold_out,
        "sold_out_until": clock.iso(item.sold_out_until) if sold_out else None,
        "hidden": item.hidden,
        "variants": _choices(item.variants, currency),
        "add_ons": _choices(item.add_ons, currency),
        "photo_id": item.photo_id,
        "photo_url": f"{settings.BASE_URL}{picture_url(item.photo_id, 768)}" if item.photo_id else None,
        "warnings": item.warnings,
    }


def _choices(choices: Sequence[Choice], currency: str) -> list[ChoiceRow]:
    return [{"name": choice["name"], "price": number_of(choice["minor"], currency) or 0.0} for choice in choices]


def _windows(hours: Sequence[Window]) -> list[WindowRow]:
    return [{"days": window["days"], "from": window["from"], "until": window["until"]} for window in hours]


def menu_line(row: MenuRow) -> str:
    state = "" if row["live"] else f", {'not live' if row['state'] == 'paused' else row['state']}"
    return (
        f"**{escape_markdown(row['restaurant_name'])}** {row['public_link']} "
        f"({row['item_count']} items, {row['views']} views{state}) `{row['id']}`"
    )


def item_line(row: ItemRow, currency: str) -> str:
    price = escape_markdown(row["price_note"])
    if not price and row["price"] is not None:
        price = f"{currency} {row['price']:.{decimals_of(currency)}f}"
    marks = [*row["dietary_tags"], *(word for word in ("sold_out", "hidden") if row[word])]
    more = f" ({', '.join(marks).replace('_', ' ')})" if marks else ""
    return f"**{escape_markdown(row['name'])}** {price}{more} `{row['id']}`"
