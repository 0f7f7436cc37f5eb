"""Menus, sections and items as text, which contains everything that the data contains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workspace.lib.money import format_amount, parse_wire_amount, to_minor_units
from workspace.lib.text import escape_markdown, format_count
from workspace.products.menu.api.serializers import ChoiceData, ItemData, Limits, MenuDetail, MenuSummary, SectionData
from workspace.products.menu.rules.diets_and_allergens import CONTAINS, MAY_CONTAIN, join_names
from workspace.products.menu.rules.translations import format_translations
from workspace.publishing.serializers import public_facts

MAX_NAMES = 6


def format_menu(row: MenuSummary) -> str:
    states = [
        row["state"],
        "password-protected" if row["has_password"] else "",
        _format_until(row["expires_at"], "expires"),
    ]
    items = format_count(row["item_count"], "item")
    return (
        f"**{escape_markdown(row['restaurant_name'])}** {row['public_url']} ({items} in "
        f"{row['currency']}, {format_count(row['views'], 'view')}, {', '.join(filter(None, states))}, "
        f"created {row['created_at']}, changed {row['updated_at']}) `{row['id']}`"
    )


def menu_facts(menu: MenuDetail) -> dict[str, Any]:
    return {
        **public_facts(menu),
        "QR code": f"{menu['png_url']}, {menu['svg_url']}",
        "print page with allergens": menu["print_url"],
        "earlier slugs": ", ".join(slug for slug in menu["slugs"] if slug != menu["slug"]),
        "items": menu["item_count"],
        "views": menu["views"],
        "currency": menu["currency"],
        "welcome text": escape_markdown(menu["intro"]),
        "business address": escape_markdown(menu["address"]),
        "theme": menu["theme"],
        "logo": menu["logo_id"],
        "served": f"{menu['hours_text'] or 'always'}{', now' if menu['served_now'] else ', not now'}",
        "sold out resets at": menu["sold_out_resets_at"],
        "languages": ", ".join(menu["languages"]),
        "welcome text translations": escape_markdown(format_translations(menu["translations"])),
        "untranslated sections and items": ", ".join(f"{n} in {code}" for code, n in menu["untranslated"].items()),
        "allergens not checked": f"{menu['unchecked_count']} of {menu['item_count']} items" if menu["is_food"] else "",
    }


def format_limits(limits: Limits) -> str:
    menus = "unlimited menus" if limits["menus"] is None else format_count(limits["menus"], "menu")
    photos = "with photos" if limits["photos"] else "without photos"
    return f"Your plan includes {menus}, each with {limits['sections']} sections and {limits['items']} items, {photos}."


def format_section(row: SectionData) -> str:
    facts = [
        format_count(row["item_count"], "item"),
        row["hours_text"] and f"{row['hours_text']}, {'served' if row['served_now'] else 'not available'} now",
        "hidden" if row["hidden"] else "",
    ]
    about = f" “{escape_markdown(row['description'])}”" if row["description"] else ""
    if row["translations"]:
        facts.append(escape_markdown(format_translations(row["translations"])))
    text = ", ".join(filter(None, facts))
    return f"**{escape_markdown(row['name'])}** ({text}){about} {row['public_url']} `{row['id']}`"


def format_item(row: ItemData, currency: str, *, section: bool = False) -> str:
    """Format an item. `section` says whether to name its section, as is necessary if the item is shown alone."""
    parts = [
        f"in {escape_markdown(row['section'])} `{row['section_id']}`" if section else "",
        _format_price(row, currency),
        _format_choices(row["variants"], currency),
        f"extras {_format_choices(row['add_ons'], currency, '+')}" if row["add_ons"] else "",
        f"“{escape_markdown(row['description'])}”" if row["description"] else "",
        ", ".join(row["dietary_tags"]),
        format_allergens(row["allergens"], row["allergens_checked"]),
        f"sold out{_format_until(row['sold_out_until'], ' until')}" if row["sold_out"] else "",
        "hidden" if row["hidden"] else "",
        escape_markdown(format_translations(row["translations"], [*row["variants"], *row["add_ons"]])),
        f"photo {row['photo_url']} ({row['photo_id']})" if row["photo_id"] else "",
    ]
    return f"**{escape_markdown(row['name'])}** {'; '.join(filter(None, parts))} `{row['id']}`"


def format_allergens(allergens: dict[str, str], checked: bool) -> str:
    """Format the allergens as the values that the tools accept."""
    named = [
        f"{state} {', '.join(key for key, allergen in allergens.items() if allergen == state)}"
        for state in (CONTAINS, MAY_CONTAIN)
        if state in allergens.values()
    ]
    rest = "checked: none of the other allergens" if named else "checked: none of the 14 allergens"
    return "; ".join([*named, rest] if checked else named or ["allergens not declared"])


def with_warnings(text: str, warnings: Sequence[str]) -> str:
    if not warnings:
        return text
    return "\n".join([text, "", "Warnings:", *[f"- {escape_markdown(line)}" for line in warnings]])


def format_names(names: Iterable[str]) -> str:
    """Format names, such as `“Soup”, “Stew” and 7 more`."""
    texts = [f"“{escape_markdown(name)}”" for name in names]
    return join_names(
        texts if len(texts) <= MAX_NAMES else [*texts[: MAX_NAMES - 1], f"{len(texts) - MAX_NAMES + 1} more"]
    )


def _format_price(row: ItemData, currency: str) -> str:
    """Format the price as guests see it, followed by the price that a note replaces."""
    if row["price"] is None:
        return escape_markdown(row["price_note"])
    price = f"{'from ' if row['price_from'] else ''}{_format_amount(row['price'], currency)}"
    return f"“{escape_markdown(row['price_note'])}” instead of {price}" if row["price_note"] else price


def _format_choices(choices: Sequence[ChoiceData], currency: str, sign: str = "") -> str:
    return ", ".join(
        f"{escape_markdown(choice['name'])} {sign}{_format_amount(choice['price'], currency)}" for choice in choices
    )


def _format_amount(price: float, currency: str) -> str:
    return format_amount(to_minor_units(parse_wire_amount(price), currency), currency)


def _format_until(moment: str | None, word: str) -> str:
    return f"{word} {moment}" if moment else ""
