"""Parsing a menu table with named columns: a file from `svc_menu_export`, or a spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from workspace.lib.errors import InvalidInputError
from workspace.lib.number_fields import thousands_mark
from workspace.lib.tabular import csv_table, list_parser
from workspace.lib.tabular.heading_matcher import Vocabulary
from workspace.lib.tabular.list_table import ListFormat, ListTable
from workspace.lib.text import search_key
from workspace.products.menu import messages
from workspace.products.menu.domain.importer.allergen_codes import LETTERS, parse_code_cell
from workspace.products.menu.domain.importer.draft import (
    DraftDish,
    MenuDraft,
    PriceFormat,
    UnclearLine,
    parse_choices,
    parse_price_fields,
)
from workspace.products.menu.domain.sections_and_items import TEXT_FIELDS
from workspace.products.menu.rules.allergen_terms import ALLERGEN_NAMES, DIET_CODES, find_diet, normalize_name
from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, MAY_CONTAIN, NOT_DECLARED
from workspace.products.menu.rules.limits import MAX_ITEMS
from workspace.products.menu.rules.translations import translation_columns
from workspace.publishing.diets import DIETS

# Possible headings. For fields that are not listed, it is the field's name. If a heading has words of two fields, the
# field listed first is used.
_HEADINGS = {
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
_REQUIRED_COLUMNS = frozenset({"name", "price"})
_JOINED_COLUMNS = {"description": ", ", "allergens": ", ", "dietary_tags": ", "}
_YES_WORDS = {"yes", "true", "1", "x", "ja", "si", "sim", "y", "j", "✓", "✔"}
_NO_WORDS = {"", "no", "nao", "false", "0", "nein", "n", "-"}


def _build_vocabulary(languages: Sequence[str]) -> Vocabulary:
    tongues = {name: name.replace("_", " ").replace("-", " ") for name in translation_columns(languages)}
    others = {name: name.replace("_", " ") for name in TEXT_FIELDS if name not in _HEADINGS}
    return Vocabulary({**tongues, **_HEADINGS, **others})


def detect_languages(text: str) -> list[str]:
    """Return the additional languages that have columns in one of the first lines."""
    heading = " ".join(text.lstrip()[:5_000].split("\n")[:10]).lower()
    return list(dict.fromkeys(re.findall(r"\b(?:name|description|price_note)_([a-z]{2}(?:-[a-z]{2})?)\b", heading)))


def is_table(text: str) -> bool:
    return list_parser.has_heading(text, _build_vocabulary(()), _REQUIRED_COLUMNS)


def build_format(languages: Sequence[str]) -> ListFormat:
    """Return the format of a menu table, including columns for additional languages."""
    return ListFormat(_build_vocabulary(languages), max_items=2 * MAX_ITEMS, several=_JOINED_COLUMNS)


def parse_table(
    text: str, currency: str, languages: Sequence[str] = (), sheet: ListTable | None = None, *, country: str = ""
) -> MenuDraft:
    """Parse a table.

    `languages` are additional languages that have columns such as `name_it`. `sheet` is the table with the owner's
    choices for its columns, if it was opened before. Raise InvalidInputError at `text` if the table as a whole cannot
    be read.
    """
    tongues = translation_columns(languages)
    table = sheet or list_parser.parse_list(text, build_format(languages), path="text")
    if "name" not in table.fields:
        raise InvalidInputError.at_path("text", messages.NAME_COLUMN_NEEDED)
    prices = PriceFormat(currency, thousands_mark(country))
    draft = MenuDraft(note=table.note, warnings=table.warnings(), is_table=True)
    # if no cell contains line breaks, a line of text is a row of the table
    lines = text.split("\n") if '"' not in text and not text.lstrip().lower().startswith("sep=") else []
    section = ""
    for row in table.rows:
        cells = dict(row.cells)
        if set(cells) == {"name"} and "section" not in table.fields:
            section = cells["name"]  # a row with only a name, between the dishes
            continue
        section = cells.pop("section", section)
        about = cells.pop("section_description", "")
        if about:
            draft.about.setdefault(section, about)
        id = cells.pop("id", "")
        words = {name: cells.pop(name, "") for name in tongues if name in table.fields}
        fields, problems = _parse_fields(cells, table.fields if id else tuple(cells), prices)
        if problems:
            shown = lines[row.number - 1] if len(lines) >= row.number else ""
            draft.unclear.append(UnclearLine(row.number, shown, " ".join(problems)))
        else:
            if words:
                fields["translations"] = _group_by_language(words, tongues)
            letters = fields.pop(LETTERS, [])
            draft.dishes.append(DraftDish(row.number, section, fields, id, letters))
    return draft


def _group_by_language(
    fields: dict[str, str], columns_by_name: dict[str, tuple[str, str]]
) -> dict[str, dict[str, str]]:
    result: dict[str, dict[str, str]] = {}
    for column, text in fields.items():
        code, name = columns_by_name[column]
        result.setdefault(code, {})[name] = text
    return result


def _parse_fields(
    cells: dict[str, str], columns: tuple[str, ...], prices: PriceFormat
) -> tuple[dict[str, Any], list[str]]:
    """Return the fields of a dish, and its problems. An empty cell clears the value of an existing dish."""
    fields: dict[str, Any] = {}
    problems: list[str] = []
    if not cells.get("name"):
        problems.append(str(messages.NAME_NEEDED))
    for column in columns:
        if read := READERS.get(column):
            try:
                fields |= read(column, cells.get(column, ""), prices)
            except ValueError as problem:
                problems.append(str(problem))
    return fields, problems


def _parse_text(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    return {column: text}


def _parse_price(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    if not text:
        return {"price": ""}
    if re.search(r"\d", text):
        return parse_price_fields(text, prices)
    return {"price": "", "price_note": text}  # text instead of a price


def _parse_choices(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    return {column: parse_choices(text, prices)}


def _parse_flag(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    if search_key(text) not in _YES_WORDS | _NO_WORDS:
        raise ValueError(str(messages.NEITHER_YES_NOR_NO(text=csv_table.shorten_text(text))))
    return {column: search_key(text) in _YES_WORDS}


def _parse_diets(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    parts = [item.strip() for item in re.split(r"[,;/]", text) if item.strip()]
    if any(not _find_diet(part) for part in parts):
        parts = [item for item in re.split(r"[,;/]|\s+(?!free)", text) if item.strip()]
    if wrong := [part for part in parts if not _find_diet(part)]:
        known = ", ".join(diet.english_name for diet in DIETS.values())
        raise ValueError(str(messages.UNKNOWN_DIET(text=csv_table.shorten_text(wrong[0]), known=known)))
    return {column: list(dict.fromkeys(map(_find_diet, parts)))}


def _find_diet(text: str) -> str:
    return find_diet(text) or DIET_CODES.get(text.strip().upper(), "")


def _parse_allergens(column: str, text: str, prices: PriceFormat) -> dict[str, Any]:
    """Parse `nuts:may_contain celery:contains`, names separated by commas, or codes from a list."""
    if codes := parse_code_cell(text):
        return {LETTERS: codes}
    named = (
        re.split(r"[,;]", text) if re.search("[,;]", text) or normalize_name(text) in ALLERGEN_NAMES else text.split()
    )
    result: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in named)):
        name, _mark, state = item.partition(":")
        key = ALLERGEN_NAMES.get(normalize_name(name))
        state = state.strip().replace(" ", "_") or "contains"
        if key is None or state not in ("contains", MAY_CONTAIN, NOT_DECLARED):
            text = csv_table.shorten_text(item)
            raise ValueError(str(messages.UNKNOWN_ALLERGEN(text=text, known=", ".join(ALLERGENS))))
        result[key] = state
    return {column: result}


READERS: dict[str, Callable[[str, str, PriceFormat], dict[str, Any]]] = {
    **dict.fromkeys(TEXT_FIELDS, _parse_text),
    "price": _parse_price,
    **dict.fromkeys(("variants", "add_ons"), _parse_choices),
    **dict.fromkeys(("price_from", "allergens_checked", "sold_out", "hidden"), _parse_flag),
    "dietary_tags": _parse_diets,
    "allergens": _parse_allergens,
}
