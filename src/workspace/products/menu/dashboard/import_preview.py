"""An imported menu: as arguments of tools, and as its preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from workspace.lib import money
from workspace.products.menu.dashboard.import_edits import has_plain_price
from workspace.products.menu.domain.importer import allergen_codes
from workspace.products.menu.domain.importer.allergen_codes import CODE_LISTS, CodeMeanings
from workspace.products.menu.domain.importer.draft import DraftDish, MenuDraft
from workspace.products.menu.domain.importer.legend_parser import NO_ALLERGEN
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, CONTAINS, MAY_CONTAIN
from workspace.publishing.diets import DIETS


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """An item for `svc_menu_save_items`, with its line number."""

    number: int
    entry: dict[str, Any]


def build_entries(
    draft: MenuDraft, existing_rows: Mapping[str, Mapping[str, Any]], fallback_section: str
) -> list[ImportEntry]:
    """Build the items to save. `existing_rows` are existing dishes by id; unchanged fields are left out."""
    entries = []
    for dish in draft.dishes:
        row = existing_rows.get(dish.id)
        section = dish.section or fallback_section
        if row is None:
            about = draft.about.get(dish.section)
            more = {"section_description": about} if about else {}
            entries.append(ImportEntry(dish.number, {"section": section, **more, **_omit_empty_fields(dish)}))
        elif changes := _find_changed_fields(dish, row, section):
            entries.append(ImportEntry(dish.number, {"id": dish.id, **changes}))
    return entries


def build_sections(draft: MenuDraft, fallback_section: str) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Build the sections for `svc_menu_create`. Also return the line number of each dish, keyed by its path."""
    sections: dict[str, dict[str, Any]] = {}
    places: dict[str, int] = {}
    for dish in draft.dishes:
        name = dish.section or fallback_section
        about = draft.about.get(dish.section)
        made = {"name": name, **({"description": about} if about else {}), "items": []}
        section = sections.setdefault(name.casefold(), made)
        at = list(sections).index(name.casefold())
        places[f"sections.{at}.items.{len(section['items'])}"] = dish.number
        section["items"].append(_omit_empty_fields(dish))
    return list(sections.values()), places


def present_sections(
    draft: MenuDraft,
    existing_rows: Mapping[str, Mapping[str, Any]],
    fallback_section: str,
    currency: str,
    existing_sections: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Prepare the sections with their dishes. `existing_sections` are the names of the menu's existing sections."""
    known = {name.casefold() for name in existing_sections}
    sections: dict[str, dict[str, Any]] = {}
    for dish in draft.dishes:
        name = dish.section or fallback_section
        first = {"name": name, "is_new": name.casefold() not in known, "dishes": []}
        section = sections.setdefault(name.casefold(), {**first, "about": draft.about.get(dish.section, "")})
        row = existing_rows.get(dish.id)
        state = "new" if row is None else "changed" if _find_changed_fields(dish, row, name) else "same"
        section["dishes"].append({**_present_dish(dish, row or {}, currency), "state": state})
    return list(sections.values())


def resolve_allergen_codes(draft: MenuDraft, posted: Mapping[str, str]) -> dict[str, Any]:
    """Return the questions about allergen codes and their answers. Apply the codes once all are answered."""
    codes = allergen_codes.list_codes(draft)
    if not codes:
        return {}
    own = {code: draft.legend[code] for code in codes if code in draft.legend}
    own |= {code: text for code in codes if (text := posted.get(f"letter.{code}", "")) in (*ALLERGENS, NO_ALLERGEN)}
    chosen = posted.get("letters", "")
    meaning = CodeMeanings(chosen, own)
    left = [code for code in codes if not meaning.get_meaning(code)]
    questions = {
        "codes": [(code, own.get(code, "")) for code in codes],
        "named": ", ".join(codes),
        "count": allergen_codes.count_dishes_with_codes(draft),
        "lists": [(name, words, name == chosen) for name, (words, _) in CODE_LISTS.items()],
        "left": ", ".join(left) if left != codes else "",
        "open": bool(left),
        "allergens": [(key, allergen.label) for key, allergen in ALLERGENS.items()],
    }
    if not left:
        allergen_codes.apply_codes(draft, meaning)
    return questions


def _omit_empty_fields(dish: DraftDish) -> dict[str, Any]:
    """Return the fields of a new dish that are not empty."""
    fields = {**dish.fields, "translations": _merge_translations({}, dish.fields.get("translations", {}))}
    return {name: value for name, value in fields.items() if value not in ("", [], {}, False)}


def _find_changed_fields(dish: DraftDish, row: Mapping[str, Any], section: str) -> dict[str, Any]:
    fields = dict(dish.fields)
    if "translations" in fields:
        fields["translations"] = _merge_translations(row["translations"], fields["translations"])
    result = {name: value for name, value in fields.items() if _normalize(value) != _normalize(row[name])}
    for name in ("variants", "add_ons"):
        if name in result:  # a table has no translations of their names
            words = {item["name"]: item["translations"] for item in row[name] if "translations" in item}
            result[name] = [
                item | ({"translations": words[item["name"]]} if item["name"] in words else {}) for item in result[name]
            ]
    return {**result, "section": section} if section.casefold() != row["section"].casefold() else result


def _merge_translations(
    existing: Mapping[str, Mapping[str, str]], fields: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Merge the translations in a table with existing ones in languages without columns in the table."""
    both = {code: {**existing.get(code, {}), **fields.get(code, {})} for code in (*existing, *fields)}
    filled = {code: {name: text for name, text in words.items() if text} for code, words in both.items()}
    return {code: words for code, words in filled.items() if words}


def _normalize(value: Any) -> Any:
    """Normalize a value, so that input can be compared with answers of tools."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [(item["name"], float(item["price"])) for item in value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and value.replace(".", "", 1).isdigit():
        return repr(float(value))
    return value or None


def _present_dish(dish: DraftDish, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    now = {**row, **dish.fields}
    declared = now.get("allergens") or {}
    contains, may = (
        ", ".join(ALLERGENS[key].name for key, text in declared.items() if text == state)
        for state in (CONTAINS, MAY_CONTAIN)
    )
    facts = [
        *(DIETS[key].label for key in now.get("dietary_tags") or ()),
        gettext("contains %(allergens)s") % {"allergens": contains} if contains else "",
        gettext("may contain %(allergens)s") % {"allergens": may} if may else "",
        gettext("starting price") if now.get("price_from") else "",
        gettext("sold out") if now.get("sold_out") else "",
        gettext("hidden") if now.get("hidden") else "",
    ]
    return {
        "number": dish.number,
        "name": now.get("name", ""),
        "has_plain_price": has_plain_price(now),
        "amount": _format_decimal(now["price"], currency) if now.get("price") not in (None, "") else "",
        "description": now.get("description", ""),
        "price": _format_price(now, currency),
        "variants": _format_choices(now.get("variants"), currency),
        "add_ons": _format_choices(now.get("add_ons"), currency),
        "facts": " · ".join(filter(None, facts)),
    }


def _format_price(now: Mapping[str, Any], currency: str) -> str:
    if now.get("price_note") or now.get("price") in (None, ""):
        return str(now.get("price_note") or "")
    amount = _format_amount(now["price"], currency)
    return gettext("from %(price)s") % {"price": amount} if now.get("price_from") else amount


def _format_choices(choices: Sequence[Mapping[str, Any]] | None, currency: str) -> str:
    return ", ".join(f"{choice['name']} {_format_amount(choice['price'], currency)}" for choice in choices or ())


def _format_decimal(price: Any, currency: str) -> str:
    return money.format_decimal(money.to_minor_units(money.parse_wire_amount(price), currency), currency)


def _format_amount(price: Any, currency: str) -> str:
    return money.format_amount(money.to_minor_units(money.parse_wire_amount(price), currency), currency)
