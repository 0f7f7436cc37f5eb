"""The languages of a menu, and missing translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from workspace.brand.models import Brand
from workspace.lib.errors import Issue
from workspace.lib.languages import language_name
from workspace.lib.messages import Message
from workspace.products.menu import messages
from workspace.products.menu.models import Item, Menu, Section
from workspace.products.menu.rules.translations import FIELDS, untranslated_fields
from workspace.storage.database.compiled_function import compile_once


def languages_for(menu: Menu) -> list[str]:
    """Return the menu's languages, the original one first, or an empty list if none is known."""
    return list(menu.languages or Brand.for_account(menu.account).languages)


def further_languages(menu: Menu) -> list[str]:
    return languages_for(menu)[1:]


def visible_languages(menu: Menu) -> list[str]:
    """Return the languages that guests can choose: the original one and those with at least one translation.

    Return an empty list if there is no choice. If the menu has several languages, run a few queries.
    """
    codes = languages_for(menu)
    if len(codes) < 2:
        return codes if menu.languages else []
    existing = {*menu.translations}
    for held in (*_section_translations.fetch(menu), *_item_translations.fetch(menu)):
        existing |= held.keys()
    return [codes[0], *(code for code in codes[1:] if code in existing)]


@compile_once
def _section_translations(menu: Menu) -> QuerySet[Section, dict[str, Any]]:
    return menu.sections.filter(hidden=False).order_by().values_list("translations", flat=True)


@compile_once
def _item_translations(menu: Menu) -> QuerySet[Item, dict[str, Any]]:
    items = Item.objects.filter(section__menu=menu, section__hidden=False, section__binned_at=None, hidden=False)
    return items.exclude(translations={}).order_by().values_list("translations", flat=True)


def check_languages(
    menu: Menu, fields: Mapping[str, Any], path_prefix: str, issues: list[Issue], part: Item | Section | None = None
) -> None:
    """Add an issue for each language that is not a language of the menu.

    `part` is the section or item to change. Languages in which it already has translations are allowed.
    """
    further = {*further_languages(menu), *(_used_languages(part) if part is not None else ())}
    words = [(path_prefix, fields)]
    for name in ("variants", "add_ons"):
        words += [(f"{path_prefix}{name}.{number}.", item) for number, item in enumerate(fields.get(name, []))]
    for path, item in words:
        unknown = [code for code in item.get("translations", {}) if code not in further]
        issues.extend(Issue(f"{path}translations.{code}", _format_refusal(menu, code)) for code in unknown)


def _used_languages(part: Item | Section) -> Iterator[str]:
    yield from part.translations
    for choice in (*getattr(part, "variants", ()), *getattr(part, "add_ons", ())):
        yield from choice.get("translations", {})


def _format_refusal(menu: Menu, code: str) -> Message:
    is_original = code in languages_for(menu)[:1]
    text = messages.LANGUAGE_IS_ORIGINAL if is_original else messages.LANGUAGE_NOT_ON_MENU
    return text(language=language_name(code))


def count_untranslated(menu: Menu, sections: Iterable[Section], items: Iterable[Item]) -> dict[str, int]:
    """Return the number of sections and dishes with missing translations, keyed by language."""
    further = further_languages(menu)
    if not further:
        return {}
    parts = [
        *({name: getattr(section, name) for name in (*FIELDS[:2], "translations")} for section in sections),
        *({name: getattr(item, name) for name in (*FIELDS, "translations")} for item in items),
    ]
    return {code: sum(bool(untranslated_fields(part, code)) for part in parts) for code in further}
