"""What a dish is suitable for and what it contains: the words, and the rules between them.

Allergens are the 14 of Annex II of Regulation (EU) 1169/2011. Of each a dish says `contains`, `may_contain` or nothing,
and nothing never means that it is free of it. That is for its owner to declare: of one allergen by a tag that says so
(gluten-free), of all that it does not name by having checked the dish.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

CONTAINS, MAY_CONTAIN, NOT_DECLARED = "contains", "may_contain", "not_declared"


@dataclass(frozen=True, slots=True)
class Allergen:
    """`name` inside a sentence; `legend` spells out what the law means by it."""

    key: str
    name: str
    legend: str

    @property
    def label(self) -> str:
        return self.name[:1].upper() + self.name[1:]


ALLERGENS: dict[str, Allergen] = {
    one.key: one
    for one in [
        Allergen("gluten", "gluten cereals", "Cereals containing gluten: wheat, rye, barley, oats, spelt, kamut"),
        Allergen("crustaceans", "crustaceans", "Crustaceans, such as prawns, crab and lobster"),
        Allergen("eggs", "eggs", "Eggs, and what is made of them"),
        Allergen("fish", "fish", "Fish, and what is made of it"),
        Allergen("peanuts", "peanuts", "Peanuts, and what is made of them"),
        Allergen("soy", "soy", "Soybeans, and what is made of them"),
        Allergen("milk", "milk", "Milk and what is made of it, lactose included"),
        Allergen(
            "nuts", "nuts", "Nuts: almonds, hazelnuts, walnuts, cashews, pecans, Brazil nuts, pistachios, macadamias"
        ),
        Allergen("celery", "celery", "Celery, stalk and root"),
        Allergen("mustard", "mustard", "Mustard, and what is made of it"),
        Allergen("sesame", "sesame", "Sesame seeds, and what is made of them"),
        Allergen("sulphites", "sulphites", "Sulphur dioxide and sulphites, above 10 mg per kilogram or litre"),
        Allergen("lupin", "lupin", "Lupin, and what is made of it"),
        Allergen("molluscs", "molluscs", "Molluscs, such as mussels, oysters and squid"),
    ]
}


@dataclass(frozen=True, slots=True)
class Diet:
    """`against` are allergens that a dish so tagged cannot contain. `strict` are those of which it must not even have
    traces, since the tag itself says `free`; `declares` are those of which the tag declares it free, its own alone: a
    peanut is no nut, and lactose-free milk is still milk. `schema` is the schema.org type, where there is one."""

    key: str
    label: str
    mark: str
    against: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    declares: frozenset[str] = frozenset()
    implies: frozenset[str] = frozenset()
    schema: str = ""


_SEAFOOD = frozenset({"crustaceans", "fish", "molluscs"})
_GLUTEN, _MILK, _NUTS = frozenset({"gluten"}), frozenset({"milk"}), frozenset({"nuts"})
DIETS: dict[str, Diet] = {
    one.key: one
    for one in [
        Diet("vegetarian", "Vegetarian", "V", _SEAFOOD, implies=frozenset({"pescatarian"}), schema="VegetarianDiet"),
        Diet(
            "vegan",
            "Vegan",
            "VG",
            _SEAFOOD | {"eggs", "milk"},
            implies=frozenset({"vegetarian", "pescatarian"}),
            schema="VeganDiet",
        ),
        Diet("pescatarian", "Pescatarian", "P"),
        Diet("gluten_free", "Gluten-free", "GF", strict=_GLUTEN, declares=_GLUTEN, schema="GlutenFreeDiet"),
        Diet("lactose_free", "Lactose-free", "LF", schema="LowLactoseDiet"),
        Diet("dairy_free", "Dairy-free", "DF", strict=_MILK, declares=_MILK),
        Diet("nut_free", "Nut-free", "NF", strict=_NUTS | {"peanuts"}, declares=_NUTS),
        Diet("halal", "Halal", "H", schema="HalalDiet"),
        Diet("kosher", "Kosher", "K", frozenset({"crustaceans", "molluscs"}), schema="KosherDiet"),
    ]
}


def contradictions(tags: Iterable[str], allergens: Mapping[str, str]) -> dict[str, list[str]]:
    """Each tag that the declared allergens speak against, with these allergens."""
    found: dict[str, list[str]] = {}
    for key in tags:
        diet = DIETS[key]
        wrong = [
            allergen
            for allergen in ALLERGENS
            if (allergens.get(allergen) == CONTAINS and allergen in diet.against | diet.strict)
            or (allergens.get(allergen) == MAY_CONTAIN and allergen in diet.strict)
        ]
        if wrong:
            found[key] = wrong
    return found


def warnings(name: str, tags: Iterable[str], allergens: Mapping[str, str]) -> list[str]:
    """What an owner has to look at, in sentences."""
    return [
        f"“{name}” is tagged {DIETS[tag].label.lower()} and {_declared(allergens, wrong)}: "
        f"guests are not shown this tag until one of the two is corrected"
        for tag, wrong in contradictions(tags, allergens).items()
    ]


def _declared(allergens: Mapping[str, str], wrong: list[str]) -> str:
    parts = [
        f"{verb} {joined([ALLERGENS[key].name for key in wrong if allergens[key] == state])}"
        for state, verb in ((CONTAINS, "contains"), (MAY_CONTAIN, "may contain"))
        if any(allergens[key] == state for key in wrong)
    ]
    return joined(parts)


def suitable(tags: Iterable[str], allergens: Mapping[str, str]) -> list[str]:
    """The diets that a guest may be told, in the order of DIETS: those tagged and what they imply (vegan is
    vegetarian), without any that the declared allergens speak against."""
    tags = set(tags)
    wrong = set(contradictions(tags, allergens))
    sound = tags - wrong
    implied = {other for tag in sound for other in DIETS[tag].implies} - wrong
    implied -= set(contradictions(implied, allergens))
    return [key for key in DIETS if key in sound | implied]


def free_of(tags: Iterable[str], allergens: Mapping[str, str], checked: bool) -> list[str]:
    """The allergens of which the owner has declared the dish free, in the law's order. A tag that a declared allergen
    speaks against declares nothing; what a dish implies (vegan: no milk) is never taken for a declaration."""
    wrong = contradictions(tags, allergens)
    declared = set(ALLERGENS) if checked else {key for tag in tags if tag not in wrong for key in DIETS[tag].declares}
    return [key for key in ALLERGENS if key in declared and key not in allergens]


def joined(words: list[str]) -> str:
    """`milk`, `milk and eggs`, `milk, eggs and fish`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))
