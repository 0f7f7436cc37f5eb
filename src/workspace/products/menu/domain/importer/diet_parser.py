"""Diet codes in a pasted menu: `Gazpacho V`, `Halloumi (v, gf)`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from workspace.products.menu.domain.importer.draft import DraftDish
from workspace.products.menu.domain.importer.legend_parser import Legend
from workspace.products.menu.rules.allergen_terms import DIET_CODES
from workspace.publishing.diets import DIETS

_MIN_DISHES = 2  # dishes whose names end in the same letter
_LETTER_PATTERN = re.compile(r"(?<=\S)\s+([A-Z])$")


def extract_name_letters(dishes: Sequence[DraftDish], legend: Legend) -> None:
    """Move the letter of a diet at the end of a name to the codes, as in `Gazpacho V 6,50`.

    A single letter can be part of the name, so the legend or other dishes must show that it is a mark.
    """
    result = {
        at: letter[1] for at, dish in enumerate(dishes) if (letter := _LETTER_PATTERN.search(dish.fields["name"]))
    }
    result = {at: code for at, code in result.items() if _find_diet(code, legend)}
    often = Counter(result.values())
    known = {code for code, meaning in legend.meanings.items() if meaning in DIETS}
    known |= {code for dish in dishes for code in dish.letters}
    for at, code in result.items():
        if code in known or often[code] >= _MIN_DISHES:
            dish = dishes[at]
            dish.fields["name"] = _LETTER_PATTERN.sub("", dish.fields["name"])
            dish.letters = list(dict.fromkeys([*dish.letters, code]))


def resolve_diets(dish: DraftDish, legend: Legend) -> None:
    """Replace the diet codes of a dish with tags, based on the legend or the usual meanings."""
    means = {code: _find_diet(code, legend) for code in dish.letters}
    if diets := list(filter(None, means.values())):
        dish.fields["dietary_tags"] = list(dict.fromkeys([*dish.fields.get("dietary_tags", ()), *diets]))
    dish.letters = [code for code, diet in means.items() if not diet]


def _find_diet(code: str, legend: Legend) -> str:
    """Return the key of the diet that a code means, or an empty string if it means something else."""
    meaning = legend.meanings.get(code) or DIET_CODES.get(code, "")
    return meaning if meaning in DIETS else ""
