"""What was brought along, as the tools take it and as its preview shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace.lib import money
from workspace.products.menu.domain.importer import allergen_codes
from workspace.products.menu.domain.importer.allergen_codes import LISTS, Meaning
from workspace.products.menu.domain.importer.draft import Brought, Dish
from workspace.products.menu.domain.importer.legend_parser import NO_ALLERGEN
from workspace.products.menu.rules.food import ALLERGENS, CONTAINS, MAY_CONTAIN, joined
from workspace.publishing.diets import DIETS


@dataclass(frozen=True, slots=True)
class Entry:
    """One of `svc_menu_save_items`, with its line."""

    number: int
    entry: dict[str, Any]


def entries(brought: Brought, rows: Mapping[str, Mapping[str, Any]], fallback: str) -> list[Entry]:
    """`rows`: the dishes that there are, by id; what they say already is left out."""
    found = []
    for dish in brought.dishes:
        row = rows.get(dish.id)
        section = dish.section or fallback
        if row is None:
            about = brought.about.get(dish.section)
            more = {"section_description": about} if about else {}
            found.append(Entry(dish.number, {"section": section, **more, **_filled(dish)}))
        elif changes := _changes(dish, row, section):
            found.append(Entry(dish.number, {"id": dish.id, **changes}))
    return found


def sections_of(brought: Brought, fallback: str) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Of `svc_menu_create`, and the line of each dish by its path."""
    sections: dict[str, dict[str, Any]] = {}
    places: dict[str, int] = {}
    for dish in brought.dishes:
        name = dish.section or fallback
        about = brought.about.get(dish.section)
        made = {"name": name, **({"description": about} if about else {}), "items": []}
        section = sections.setdefault(name.casefold(), made)
        at = list(sections).index(name.casefold())
        places[f"sections.{at}.items.{len(section['items'])}"] = dish.number
        section["items"].append(_filled(dish))
    return list(sections.values()), places


def shown(
    brought: Brought,
    rows: Mapping[str, Mapping[str, Any]],
    fallback: str,
    currency: str,
    there: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """The sections with their dishes; `there` are the names of those that are on the menu."""
    known = {name.casefold() for name in there}
    sections: dict[str, dict[str, Any]] = {}
    for dish in brought.dishes:
        name = dish.section or fallback
        first = {"name": name, "is_new": name.casefold() not in known, "dishes": []}
        section = sections.setdefault(name.casefold(), {**first, "about": brought.about.get(dish.section, "")})
        row = rows.get(dish.id)
        state = "new" if row is None else "changed" if _changes(dish, row, name) else "same"
        section["dishes"].append({**_dish(dish, row or {}, currency), "state": state})
    return list(sections.values())


def lettered(brought: Brought, posted: Mapping[str, str]) -> dict[str, Any]:
    """What is asked of the letters that stand for allergens, and what was answered; once that is whole, it is taken."""
    codes = allergen_codes.codes_of(brought)
    if not codes:
        return {}
    own = {code: brought.legend[code] for code in codes if code in brought.legend}
    own |= {code: said for code in codes if (said := posted.get(f"letter.{code}", "")) in (*ALLERGENS, NO_ALLERGEN)}
    chosen = posted.get("letters", "")
    meaning = Meaning(chosen, own)
    left = [code for code in codes if not meaning.of(code)]
    asked = {
        "codes": [(code, own.get(code, "")) for code in codes],
        "named": joined(codes),
        "count": allergen_codes.count(brought),
        "lists": [(name, words, name == chosen) for name, (words, _) in LISTS.items()],
        "left": joined(left) if left != codes else "",
        "open": bool(left),
        "allergens": [(key, one.label) for key, one in ALLERGENS.items()],
    }
    if not left:
        allergen_codes.take(brought, meaning)
    return asked


def _filled(dish: Dish) -> dict[str, Any]:
    """What a new one says."""
    fields = {**dish.fields, "translations": _merged({}, dish.fields.get("translations", {}))}
    return {name: value for name, value in fields.items() if value not in ("", [], {}, False)}


def _changes(dish: Dish, row: Mapping[str, Any], section: str) -> dict[str, Any]:
    fields = dict(dish.fields)
    if "translations" in fields:
        fields["translations"] = _merged(row["translations"], fields["translations"])
    found = {name: value for name, value in fields.items() if _plain(value) != _plain(row[name])}
    for name in ("variants", "add_ons"):
        if name in found:  # a table holds no words of theirs in further languages
            words = {one["name"]: one["translations"] for one in row[name] if "translations" in one}
            found[name] = [
                one | ({"translations": words[one["name"]]} if one["name"] in words else {}) for one in found[name]
            ]
    return {**found, "section": section} if section.casefold() != row["section"].casefold() else found


def _merged(there: Mapping[str, Mapping[str, str]], given: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """What a table says of some languages, and what it has no columns for."""
    both = {code: {**there.get(code, {}), **given.get(code, {})} for code in (*there, *given)}
    filled = {code: {name: text for name, text in words.items() if text} for code, words in both.items()}
    return {code: words for code, words in filled.items() if words}


def _plain(value: Any) -> Any:
    """A value so that what was written and what a tool answered compare."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [(one["name"], float(one["price"])) for one in value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str) and value.replace(".", "", 1).isdigit():
        return repr(float(value))
    return value or None


def _dish(dish: Dish, row: Mapping[str, Any], currency: str) -> dict[str, Any]:
    now = {**row, **dish.fields}
    declared = now.get("allergens") or {}
    contains, may = (
        ", ".join(ALLERGENS[key].name for key, said in declared.items() if said == state)
        for state in (CONTAINS, MAY_CONTAIN)
    )
    facts = [
        *(DIETS[key].label for key in now.get("dietary_tags") or ()),
        f"allergens: {contains}" if contains else "",
        f"may contain: {may}" if may else "",
        "sold out" if now.get("sold_out") else "",
        "hidden" if now.get("hidden") else "",
    ]
    return {
        "number": dish.number,
        "name": now.get("name", ""),
        "description": now.get("description", ""),
        "price": _price(now, currency),
        "variants": _choices(now.get("variants"), currency),
        "add_ons": _choices(now.get("add_ons"), currency),
        "facts": " · ".join(filter(None, facts)),
    }


def _price(now: Mapping[str, Any], currency: str) -> str:
    if now.get("price_note") or now.get("price") in (None, ""):
        return str(now.get("price_note") or "")
    return f"{'from ' if now.get('price_from') else ''}{_amount(now['price'], currency)}"


def _choices(choices: Sequence[Mapping[str, Any]] | None, currency: str) -> str:
    return ", ".join(f"{one['name']} {_amount(one['price'], currency)}" for one in choices or ())


def _amount(price: Any, currency: str) -> str:
    return money.shown(money.minor_of(money.amount_of(price), currency), currency)
