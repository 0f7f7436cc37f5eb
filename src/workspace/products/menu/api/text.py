"""Menus, sections and items in words: who sees the text of an answer alone is told all that the data holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from workspace.lib.money import amount_of, minor_of, shown
from workspace.lib.text import counted, escape_markdown
from workspace.products.menu.api.serializers import ChoiceRow, ItemRow, Limits, MenuRow, MenuWhole, SectionRow
from workspace.products.menu.rules.food import CONTAINS, MAY_CONTAIN, joined
from workspace.products.menu.rules.translations import told
from workspace.publishing.serializers import public_facts

MOST_NAMES = 6


def menu_line(row: MenuRow) -> str:
    states = [row["state"], "asks for a password" if row["has_password"] else "", _until(row["expires_at"], "expires")]
    items = counted(row["item_count"], "item")
    return (
        f"**{escape_markdown(row['restaurant_name'])}** {row['public_url']} ({items} in "
        f"{row['currency']}, {counted(row['views'], 'view')}, {', '.join(filter(None, states))}, "
        f"made {row['created_at']}, changed {row['updated_at']}) `{row['id']}`"
    )


def menu_facts(found: MenuWhole) -> dict[str, Any]:
    return {
        **public_facts(found),
        "QR code": f"{found['png_url']}, {found['svg_url']}",
        "to print, with all allergens": found["print_url"],
        "earlier slugs": ", ".join(slug for slug in found["slugs"] if slug != found["slug"]),
        "items": found["item_count"],
        "views": found["views"],
        "currency": found["currency"],
        "welcome": escape_markdown(found["intro"]),
        "restaurant's address": escape_markdown(found["address"]),
        "theme": found["theme"],
        "logo": found["logo_id"],
        "served": f"{found['hours_text'] or 'always'}{', now' if found['served_now'] else ', not now'}",
        "sold-out dishes come back at": found["sold_out_resets_at"],
        "languages": ", ".join(found["languages"]),
        "welcome in further languages": escape_markdown(told(found["translations"])),
        "sections and items that lack words": ", ".join(f"{n} in {code}" for code, n in found["untranslated"].items()),
        "allergens not checked yet": f"{found['unchecked_count']} of {found['item_count']} items"
        if found["is_food"]
        else "",
    }


def limits_line(limits: Limits) -> str:
    menus = "any number of menus" if limits["menus"] is None else counted(limits["menus"], "menu")
    photos = "with photos" if limits["photos"] else "without photos"
    return f"Your plan holds {menus}, on each {limits['sections']} sections and {limits['items']} items, {photos}."


def section_line(row: SectionRow) -> str:
    facts = [
        counted(row["item_count"], "item"),
        row["hours_text"] and f"{row['hours_text']}, {'served' if row['served_now'] else 'not served'} now",
        "hidden" if row["hidden"] else "",
    ]
    about = f" “{escape_markdown(row['description'])}”" if row["description"] else ""
    if row["translations"]:
        facts.append(escape_markdown(told(row["translations"])))
    said = ", ".join(filter(None, facts))
    return f"**{escape_markdown(row['name'])}** ({said}){about} {row['public_url']} `{row['id']}`"


def item_line(row: ItemRow, currency: str, *, section: bool = False) -> str:
    """`section`: whether it says where it stands, as it must when it stands alone."""
    parts = [
        f"in {escape_markdown(row['section'])} `{row['section_id']}`" if section else "",
        _priced(row, currency),
        _chosen(row["variants"], currency),
        f"extras {_chosen(row['add_ons'], currency, '+')}" if row["add_ons"] else "",
        f"“{escape_markdown(row['description'])}”" if row["description"] else "",
        ", ".join(row["dietary_tags"]),
        declared(row["allergens"], row["allergens_checked"]),
        f"sold out{_until(row['sold_out_until'], ' until')}" if row["sold_out"] else "",
        "hidden" if row["hidden"] else "",
        escape_markdown(told(row["translations"], [*row["variants"], *row["add_ons"]])),
        f"photo {row['photo_url']} ({row['photo_id']})" if row["photo_id"] else "",
    ]
    return f"**{escape_markdown(row['name'])}** {'; '.join(filter(None, parts))} `{row['id']}`"


def declared(allergens: dict[str, str], checked: bool) -> str:
    """What is said of the allergens, in the words that tools take."""
    named = [
        f"{state} {', '.join(key for key, said in allergens.items() if said == state)}"
        for state in (CONTAINS, MAY_CONTAIN)
        if state in allergens.values()
    ]
    rest = "checked: none of the other allergens" if named else "checked: none of the 14 allergens"
    return "; ".join([*named, rest] if checked else named or ["allergens not declared"])


def with_warnings(text: str, warnings: Sequence[str]) -> str:
    if not warnings:
        return text
    return "\n".join([text, "", "Please look at:", *[f"- {escape_markdown(line)}" for line in warnings]])


def names_of(names: Iterable[str]) -> str:
    """`“Soup”, “Stew” and 7 more`."""
    said = [f"“{escape_markdown(name)}”" for name in names]
    return joined(said if len(said) <= MOST_NAMES else [*said[: MOST_NAMES - 1], f"{len(said) - MOST_NAMES + 1} more"])


def _priced(row: ItemRow, currency: str) -> str:
    """The price as guests read it, and the one behind a note."""
    if row["price"] is None:
        return escape_markdown(row["price_note"])
    price = f"{'from ' if row['price_from'] else ''}{_amount(row['price'], currency)}"
    return f"“{escape_markdown(row['price_note'])}” in place of {price}" if row["price_note"] else price


def _chosen(choices: Sequence[ChoiceRow], currency: str, sign: str = "") -> str:
    return ", ".join(f"{escape_markdown(one['name'])} {sign}{_amount(one['price'], currency)}" for one in choices)


def _amount(price: float, currency: str) -> str:
    return shown(minor_of(amount_of(price), currency), currency)


def _until(moment: str | None, word: str) -> str:
    return f"{word} {moment}" if moment else ""
