"""A menu as a table whose first line names the columns: what `svc_menu_export` writes, and what people keep in a
spreadsheet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from workspace.products.menu.arguments import MOST
from workspace.products.menu.brought import Brought, Dish, Unclear, choices_of, price_of
from workspace.products.menu.brought_letters import LETTERS, in_cell
from workspace.products.menu.food import ALLERGENS, MAY_CONTAIN, NOT_DECLARED
from workspace.products.menu.translations import columns
from workspace.publishing.diets import DIETS
from workspace.toolkit import table
from workspace.toolkit.errors import InvalidInput
from workspace.toolkit.text import fold

# What a heading may call them; the first name of each is the one that people are told.
COLUMNS = {
    **dict.fromkeys(
        (
            "section",
            "category",
            "course",
            "group",
            "kategorie",
            "bereich",
            "abschnitt",
            "rubrik",
            "sección",
            "categoría",
        ),
        "section",
    ),
    "section_description": "section_description",
    **dict.fromkeys(
        ("name", "dish", "item", "title", "gericht", "speise", "artikel", "bezeichnung", "plato", "nombre"), "name"
    ),
    **dict.fromkeys(
        ("description", "details", "ingredients", "beschreibung", "zutaten", "descripción", "ingredientes"),
        "description",
    ),
    **dict.fromkeys(("price", "cost", "preis", "precio", "price €", "preis €", "precio €", "price $"), "price"),
    "price_from": "price_from",
    "price_note": "price_note",
    **dict.fromkeys(("variants", "sizes", "varianten", "größen", "variantes", "tamaños"), "variants"),
    **dict.fromkeys(("add_ons", "extras", "zusätze"), "add_ons"),
    **dict.fromkeys(("dietary_tags", "diets", "tags", "suitable for", "geeignet für"), "dietary_tags"),
    **dict.fromkeys(("allergens", "allergene", "alérgenos"), "allergens"),
    "allergens_checked": "allergens_checked",
    **dict.fromkeys(("sold_out", "ausverkauft", "agotado"), "sold_out"),
    **dict.fromkeys(("hidden", "versteckt", "oculto"), "hidden"),
    "id": "id",
}
ORDER = ("name", "description", "price")
_YES = {"yes", "true", "1", "x", "ja", "si", "y", "j", "✓", "✔"}
_NO = {"", "no", "false", "0", "nein", "n", "-"}
_DIETS = {
    fold(name).replace("-", "_").replace(" ", "_"): key for key, one in DIETS.items() for name in (key, one.called)
}
# as menus in German and Spanish say them; the letters of a legend are asked about (`brought_letters.py`)
_SAID = {
    "gluten": "Glutenhaltiges Getreide, Getreide, Cereales con gluten",
    "crustaceans": "Krebstiere, Krustentiere, Crustáceos",
    "eggs": "Egg, Ei, Eier, Huevo, Huevos",
    "fish": "Fisch, Pescado",
    "peanuts": "Peanut, Erdnuss, Erdnüsse, Cacahuete, Cacahuetes",
    "soy": "Soya, Soja",
    "milk": "Milch, Laktose, Lactose, Leche, Lácteos, Lactosa",
    "nuts": "Schalenfrüchte, Nüsse, Frutos de cáscara, Frutos secos",
    "celery": "Sellerie, Apio",
    "mustard": "Senf, Mostaza",
    "sesame": "Sesam, Sésamo",
    "sulphites": "Sulfites, Sulfite, Schwefeldioxid, Sulfitos",
    "lupin": "Lupine, Lupinen, Altramuz, Altramuces",
    "molluscs": "Weichtiere, Moluscos",
}
_ALLERGENS = {fold(name): key for key, one in ALLERGENS.items() for name in (key, one.called, *_SAID[key].split(", "))}


def languages_in(text: str) -> list[str]:
    """The further languages of which the heading names columns."""
    heading = text.lstrip()[:5_000].split("\n", 1)[0].lower()
    return list(dict.fromkeys(re.findall(r"\b(?:name|description|price_note)_([a-z]{2}(?:-[a-z]{2})?)\b", heading)))


def is_table(text: str) -> bool:
    return table.is_headed(text, COLUMNS)


def read(text: str, currency: str, languages: Sequence[str] = ()) -> Brought:
    """`languages`: further ones, of which `name_it` and the like are columns. Raises InvalidInput at `text` where the
    table as a whole cannot be read."""
    tongues = columns(languages)
    known = {**COLUMNS, **{name: name for name in tongues}}
    found = table.read(text, known, order=ORDER, most=2 * MOST, path="text", lenient=True)
    if "name" not in found.columns:
        raise InvalidInput.at("text", "Which column holds the names of the dishes? Call it “name”, please")
    brought = Brought(note=found.note, is_table=True)
    # one line of text is one line of the table where no cell holds several
    lines = text.split("\n") if '"' not in text and not text.lstrip().lower().startswith("sep=") else []
    section = ""
    for row in found.rows:
        cells = dict(row.cells)
        if set(cells) == {"name"} and "section" not in found.columns:
            section = cells["name"]  # a line between the dishes
            continue
        section = cells.pop("section", section)
        about = cells.pop("section_description", "")
        if about:
            brought.about.setdefault(section, about)
        id = cells.pop("id", "")
        words = {name: cells.pop(name, "") for name in tongues if name in found.columns}
        fields, problems = _fields(cells, found.columns if id else tuple(cells), currency)
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


def _fields(cells: dict[str, str], columns: tuple[str, ...], currency: str) -> tuple[dict[str, Any], list[str]]:
    """Of one dish, and what is wrong with it; an empty cell of one that there is clears what it had."""
    fields: dict[str, Any] = {}
    problems: list[str] = []
    if not cells.get("name"):
        problems.append("There is no name")
    for column in columns:
        if read := READ.get(column):
            try:
                fields |= read(column, cells.get(column, ""), currency)
            except ValueError as problem:
                problems.append(str(problem))
    return fields, problems


def _text(column: str, text: str, currency: str) -> dict[str, Any]:
    return {column: text}


def _price(column: str, text: str, currency: str) -> dict[str, Any]:
    if not text:
        return {"price": ""}
    if re.search(r"\d", text):
        return price_of(text, currency)
    return {"price": "", "price_note": text}  # words in place of one


def _choices(column: str, text: str, currency: str) -> dict[str, Any]:
    return {column: choices_of(text, currency)}


def _yes(column: str, text: str, currency: str) -> dict[str, Any]:
    if fold(text) not in _YES | _NO:
        raise ValueError(f"“{table.short(text)}” is neither yes nor no")
    return {column: fold(text) in _YES}


def _diets(column: str, text: str, currency: str) -> dict[str, Any]:
    named = [fold(one.strip()).replace("-", "_") for one in re.split(r"[,;]|\s+(?!free)", text)]
    wrong = [one for one in named if one and one.replace(" ", "_") not in _DIETS]
    if wrong:
        raise ValueError(f"“{table.short(wrong[0])}” is none of {', '.join(one.called for one in DIETS.values())}")
    return {column: [_DIETS[one.replace(" ", "_")] for one in named if one]}


def _allergens(column: str, text: str, currency: str) -> dict[str, Any]:
    """`nuts:may_contain celery:contains`, names with commas between them, or letters of a list."""
    if codes := in_cell(text):
        return {LETTERS: codes}
    named = re.split(r"[,;]", text) if re.search("[,;]", text) or fold(text) in _ALLERGENS else text.split()
    found: dict[str, str] = {}
    for one in filter(None, (part.strip() for part in named)):
        name, _mark, state = one.partition(":")
        key = _ALLERGENS.get(fold(name.strip()))
        state = state.strip().replace(" ", "_") or "contains"
        if key is None or state not in ("contains", MAY_CONTAIN, NOT_DECLARED):
            raise ValueError(f"“{table.short(one)}” is none of the 14 allergens: {', '.join(ALLERGENS)}")
        found[key] = state
    return {column: found}


READ: dict[str, Callable[[str, str, str], dict[str, Any]]] = {
    **dict.fromkeys(("name", "description", "price_note"), _text),
    "price": _price,
    **dict.fromkeys(("variants", "add_ons"), _choices),
    **dict.fromkeys(("price_from", "allergens_checked", "sold_out", "hidden"), _yes),
    "dietary_tags": _diets,
    "allergens": _allergens,
}
