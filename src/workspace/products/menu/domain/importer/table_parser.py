"""A menu as a table whose first line names the columns: what `svc_menu_export` writes, and what people keep in a
spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workspace.lib.errors import InvalidInput
from workspace.lib.number_fields import thousands_mark
from workspace.lib.tabular import csv_table, list_table
from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import Sheet
from workspace.lib.text import fold
from workspace.products.menu.domain.importer.allergen_codes import LETTERS, in_cell
from workspace.products.menu.domain.importer.draft import Brought, Dish, Prices, Unclear, choices_of, price_of
from workspace.products.menu.rules.allergen_terms import ALLERGEN_NAMES, DIET_CODES, diet_of, plain
from workspace.products.menu.rules.food import ALLERGENS, MAY_CONTAIN, NOT_DECLARED
from workspace.products.menu.rules.limits import MOST
from workspace.products.menu.rules.translations import columns
from workspace.publishing.diets import DIETS

# what a heading may call them; where two words of one are known, the field that is listed first counts
_CALLED = {
    "id": "id",
    "section_description": "section description",
    "price_from": "price from",
    "price_note": "price note",
    "allergens_checked": "allergens checked",
    "allergens": "allergen*, alergen*",
    "dietary_tags": "dietary tags, dietary, diets, diet, tags, suitable for, geeignet für, dieta, ernährung",
    "sold_out": "sold out, ausverkauft, agotado, esgotado",
    "hidden": "hidden, versteckt, oculto",
    "variants": "variants, sizes, varianten, größen, variantes, tamaños, tamanhos",
    "add_ons": "add ons, extras, zusätze",
    "price": "price, prices, cost, preis*, *preis, precio*, preço*, pvp",
    "description": "description, details, ingredients, beschreibung, zutaten, descripción, ingredientes, descrição",
    "section": "section, category, course, group, kategorie, bereich, abschnitt, rubrik, sección, "
    "categoría, secção, categoria, warengruppe",
    "name": "name, dish, dishes, item, items, title, gericht, gerichte, speise, speisen, artikel, "
    "bezeichnung, plato, nombre, prato, nome, product, produkt, producto, produto, getränk",
}
_NEEDED = frozenset({"name", "price"})
_SEVERAL = {"description": ", ", "allergens": ", ", "dietary_tags": ", "}
_YES = {"yes", "true", "1", "x", "ja", "si", "sim", "y", "j", "✓", "✔"}
_NO = {"", "no", "nao", "false", "0", "nein", "n", "-"}


def _vocabulary(languages: Sequence[str]) -> Vocabulary:
    tongues = {name: name.replace("_", " ").replace("-", " ") for name in columns(languages)}
    return Vocabulary({**tongues, **_CALLED})


def languages_in(text: str) -> list[str]:
    """The further languages of which one of the first lines names columns."""
    heading = " ".join(text.lstrip()[:5_000].split("\n")[:10]).lower()
    return list(dict.fromkeys(re.findall(r"\b(?:name|description|price_note)_([a-z]{2}(?:-[a-z]{2})?)\b", heading)))


def is_table(text: str) -> bool:
    return list_table.is_headed(text, _vocabulary(()), _NEEDED)


def open_list(
    text: str, languages: Sequence[str] = (), means: Mapping[str, str] | None = None, *, headed: bool = False
) -> Sheet:
    """The table with its columns, before anything is made of its lines. Raises InvalidInput at `text`."""
    given: dict[str, Any] = {"most": 2 * MOST, "path": "text", "several": _SEVERAL, "headed": headed}
    return list_table.read(text, _vocabulary(languages), means=means, **given)


def read(
    text: str, currency: str, languages: Sequence[str] = (), sheet: Sheet | None = None, *, country: str = ""
) -> Brought:
    """`languages`: further ones, of which `name_it` and the like are columns. `sheet`: as it was opened, with what was
    said of its columns. Raises InvalidInput at `text` where the table as a whole cannot be read."""
    tongues = columns(languages)
    found = sheet or open_list(text, languages)
    if "name" not in found.fields:
        raise InvalidInput.at("text", "Which column holds the names of the dishes? Call it “name”, please")
    prices = Prices(currency, thousands_mark(country))
    brought = Brought(note=found.note, warnings=found.warnings(), is_table=True)
    # one line of text is one line of the table where no cell holds several
    lines = text.split("\n") if '"' not in text and not text.lstrip().lower().startswith("sep=") else []
    section = ""
    for row in found.rows:
        cells = dict(row.cells)
        if set(cells) == {"name"} and "section" not in found.fields:
            section = cells["name"]  # a line between the dishes
            continue
        section = cells.pop("section", section)
        about = cells.pop("section_description", "")
        if about:
            brought.about.setdefault(section, about)
        id = cells.pop("id", "")
        words = {name: cells.pop(name, "") for name in tongues if name in found.fields}
        fields, problems = _fields(cells, found.fields if id else tuple(cells), prices)
        if problems:
            shown = lines[row.number - 1] if len(lines) >= row.number else ""
            brought.unclear.append(Unclear(row.number, shown, "; ".join(problems)))
        else:
            if words:
                fields["translations"] = _by_language(words, tongues)
            letters = fields.pop(LETTERS, [])
            brought.dishes.append(Dish(row.number, section, fields, id, letters))
    return brought


def _by_language(words: dict[str, str], tongues: dict[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for column, text in words.items():
        code, name = tongues[column]
        found.setdefault(code, {})[name] = text
    return found


def _fields(cells: dict[str, str], columns: tuple[str, ...], prices: Prices) -> tuple[dict[str, Any], list[str]]:
    """Of one dish, and what is wrong with it; an empty cell of one that there is clears what it had."""
    fields: dict[str, Any] = {}
    problems: list[str] = []
    if not cells.get("name"):
        problems.append("There is no name")
    for column in columns:
        if read := READ.get(column):
            try:
                fields |= read(column, cells.get(column, ""), prices)
            except ValueError as problem:
                problems.append(str(problem))
    return fields, problems


def _text(column: str, text: str, prices: Prices) -> dict[str, Any]:
    return {column: text}


def _price(column: str, text: str, prices: Prices) -> dict[str, Any]:
    if not text:
        return {"price": ""}
    if re.search(r"\d", text):
        return price_of(text, prices)
    return {"price": "", "price_note": text}  # words in place of one


def _choices(column: str, text: str, prices: Prices) -> dict[str, Any]:
    return {column: choices_of(text, prices)}


def _yes(column: str, text: str, prices: Prices) -> dict[str, Any]:
    if fold(text) not in _YES | _NO:
        raise ValueError(f"“{csv_table.short(text)}” is neither yes nor no")
    return {column: fold(text) in _YES}


def _diets(column: str, text: str, prices: Prices) -> dict[str, Any]:
    parts = [one.strip() for one in re.split(r"[,;/]", text) if one.strip()]
    if any(not _diet(one) for one in parts):
        parts = [one for one in re.split(r"[,;/]|\s+(?!free)", text) if one.strip()]
    if wrong := [one for one in parts if not _diet(one)]:
        raise ValueError(f"“{csv_table.short(wrong[0])}” is none of {', '.join(one.called for one in DIETS.values())}")
    return {column: list(dict.fromkeys(map(_diet, parts)))}


def _diet(text: str) -> str:
    return diet_of(text) or DIET_CODES.get(text.strip().upper(), "")


def _allergens(column: str, text: str, prices: Prices) -> dict[str, Any]:
    """`nuts:may_contain celery:contains`, names with commas between them, or letters of a list."""
    if codes := in_cell(text):
        return {LETTERS: codes}
    named = re.split(r"[,;]", text) if re.search("[,;]", text) or plain(text) in ALLERGEN_NAMES else text.split()
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in named)):
        name, _mark, state = one.partition(":")
        key = ALLERGEN_NAMES.get(plain(name))
        state = state.strip().replace(" ", "_") or "contains"
        if key is None or state not in ("contains", MAY_CONTAIN, NOT_DECLARED):
            raise ValueError(f"“{csv_table.short(one)}” is none of the 14 allergens: {', '.join(ALLERGENS)}")
        found[key] = state
    return {column: found}


READ: dict[str, Callable[[str, str, Prices], dict[str, Any]]] = {
    **dict.fromkeys(("name", "description", "price_note"), _text),
    "price": _price,
    **dict.fromkeys(("variants", "add_ons"), _choices),
    **dict.fromkeys(("price_from", "allergens_checked", "sold_out", "hidden"), _yes),
    "dietary_tags": _diets,
    "allergens": _allergens,
}
