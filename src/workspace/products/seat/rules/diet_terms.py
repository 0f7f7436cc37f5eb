"""Diets in free text, recognized by their words in six languages."""

from __future__ import annotations

import re

from workspace.lib.text import search_key

# patterns for folded text; diets are returned in this order
_TERMS = {
    "vegan": r"vegan\w*|vegano?s?",
    "vegetarian": r"vegetari\w*|vegetarisch\w*|veggie|ovo-?lacto\w*",
    "pescatarian": r"pes[ck]e?tari\w*|pesquetari\w*",
    "gluten_free": r"gluten\w*|glutine|celia\w*|coelia\w*|zoliakie|celiaqu\w*",
    "lactose_free": r"lacto[sz]\w*|lakto[sz]\w*|lattosio",
    "dairy_free": r"dairy\w*|no milk|milk allergy|milchfrei\w*|kuhmilch\w*|milcheiwei\w*|lacteos|laticinios"
    r"|latticini",
    "nut_free": r"nuts?\b|peanuts?|nusse?n?\b|nussallerg\w*|(?:erd|hasel|wal)nuss\w*|frutos secos|frutas secas|nueces"
    r"|cacahuetes?|mani\b|nozes|amendoim|noix|arachides?|noci\b|arachidi",
    "halal": r"halal",
    "kosher": r"kosher|koscher\w*|kasher|cas(h)?er\b",
}
_PATTERNS = {key: re.compile(rf"\b(?:{words})") for key, words in _TERMS.items()}


# words that name only a diet; an allergy or an illness means more, so its words also stay in the notes
_WITHOUT = r"(?:sin|sem|sans|senza|ohne|without|no)[\s-]+"
_PLAIN_DIETS = {
    "vegan": re.compile(r"vegan(?:e?[rsn]?|[oa]s?)"),
    "vegetarian": re.compile(r"vegetari(?:an[ao]?s?|sch|er(?:in)?|en(?:ne)?s?)|vegetarian[oai]s?"),
    "pescatarian": re.compile(r"pes[ck]e?tari\w*"),
    "gluten_free": re.compile(rf"{_WITHOUT}(?:gluten|glutine)|gluten[\s-]?(?:free|frei)"),
    "lactose_free": re.compile(rf"{_WITHOUT}(?:lactosa|lactose|lattosio|laktose)|la[ck]tose[\s-]?(?:free|frei)"),
    "halal": re.compile(r"halal"),
    "kosher": re.compile(r"kosher|koscher|kasher"),
}


def find_plain_diet(text: str) -> str:
    """Return the key of the diet if the text names a diet and nothing else (`Vegetariana`, `sin gluten`), or ""."""
    folded = search_key(text).strip(" .!")
    return next((key for key, pattern in _PLAIN_DIETS.items() if pattern.fullmatch(folded)), "")


def find_diets(text: str) -> list[str]:
    """Return the keys of the diets named in a note."""
    folded = search_key(text)
    return [key for key, pattern in _PATTERNS.items() if pattern.search(folded)]
