"""Diets and allergens: their names, and the rules between them.

Allergens are the 14 of Annex II of Regulation (EU) 1169/2011. For each, a dish declares `contains`, `may_contain` or
nothing. Nothing never means that the dish is free of it. Only the owner declares that: for one allergen with a tag such
as gluten-free, or for all allergens that the dish does not name by marking it as checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from workspace.products.menu import messages
from workspace.publishing.diets import DIETS

# An account without a trade is treated as one that sells food, because an unneeded note is better than a missing one.
FOOD_TRADES = frozenset({"", "cafe", "restaurant"})
CONTAINS, MAY_CONTAIN, NOT_DECLARED = "contains", "may_contain", "not_declared"


@dataclass(frozen=True, slots=True)
class Allergen:
    """An allergen.

    `english_name` and `meaning` are in English. `name` is for use inside a sentence, and `legend` is the legal
    definition. Both are in the active language.
    """

    key: str
    english_name: str
    meaning: str

    @property
    def name(self) -> str:
        return gettext(self.english_name)

    @property
    def legend(self) -> str:
        return gettext(self.meaning)

    @property
    def label(self) -> str:
        return self.name[:1].upper() + self.name[1:]


ALLERGENS: dict[str, Allergen] = {
    allergen.key: allergen
    for allergen in [
        Allergen("gluten", _("gluten cereals"), _("Cereals containing gluten: wheat, rye, barley, oats, spelt, kamut")),
        Allergen("crustaceans", _("crustaceans"), _("Crustaceans, such as prawns, crab and lobster")),
        Allergen("eggs", _("eggs"), _("Eggs and egg products")),
        Allergen("fish", _("fish"), _("Fish and fish products")),
        Allergen("peanuts", _("peanuts"), _("Peanuts and peanut products")),
        Allergen("soy", _("soy"), _("Soybeans and soy products")),
        Allergen("milk", _("milk"), _("Milk and milk products, including lactose")),
        Allergen(
            "nuts",
            _("nuts"),
            _("Nuts: almonds, hazelnuts, walnuts, cashews, pecans, Brazil nuts, pistachios, macadamias"),
        ),
        Allergen("celery", _("celery"), _("Celery, including celeriac")),
        Allergen("mustard", _("mustard"), _("Mustard and mustard products")),
        Allergen("sesame", _("sesame"), _("Sesame seeds and sesame products")),
        Allergen("sulphites", _("sulfites"), _("Sulfur dioxide and sulfites above 10 mg per kilogram or liter")),
        Allergen("lupin", _("lupin"), _("Lupin and lupin products")),
        Allergen("molluscs", _("mollusks"), _("Mollusks, such as mussels, oysters and squid")),
    ]
}


def find_contradictions(tags: Iterable[str], allergens: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the allergens that contradict each tag. Tags without a contradiction are left out."""
    contradictions: dict[str, list[str]] = {}
    for key in tags:
        diet = DIETS[key]
        wrong = [
            allergen
            for allergen in ALLERGENS
            if (allergens.get(allergen) == CONTAINS and allergen in diet.against | diet.strict)
            or (allergens.get(allergen) == MAY_CONTAIN and allergen in diet.strict)
        ]
        if wrong:
            contradictions[key] = wrong
    return contradictions


def list_warnings(name: str, tags: Iterable[str], allergens: Mapping[str, str]) -> list[str]:
    """Return warnings for the owner, as sentences."""
    return [
        str(
            messages.CONTRADICTION(
                name=name, diet=DIETS[tag].label, allergens=", ".join(ALLERGENS[key].name for key in wrong)
            )
        )
        for tag, wrong in find_contradictions(tags, allergens).items()
    ]


def suitable_diets(tags: Iterable[str], allergens: Mapping[str, str]) -> list[str]:
    """Return the diets to show to guests, in the order of DIETS.

    These are the tags and the diets that they imply (vegan implies vegetarian), except those that declared allergens
    contradict.
    """
    tags = set(tags)
    wrong = set(find_contradictions(tags, allergens))
    sound = tags - wrong
    implied = {other for tag in sound for other in DIETS[tag].implies} - wrong
    implied -= set(find_contradictions(implied, allergens))
    return [key for key in DIETS if key in sound | implied]


def free_allergens(tags: Iterable[str], allergens: Mapping[str, str], allergens_checked: bool) -> list[str]:
    """Return the allergens that the owner declared the dish to be free of, in the order of the regulation.

    A contradicted tag declares nothing. An implication (vegan: no milk) is never a declaration.
    """
    wrong = find_contradictions(tags, allergens)
    declared = (
        set(ALLERGENS)
        if allergens_checked
        else {key for tag in tags if tag not in wrong for key in DIETS[tag].declares}
    )
    return [key for key in ALLERGENS if key in declared and key not in allergens]


def join_names(names: list[str]) -> str:
    """Join names: `milk`, `milk and eggs`, `milk, eggs and fish`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
