"""Diets, allergens and their labels, the same for all products.

Allergens are named as in Annex II of Regulation (EU) 1169/2011.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Diet:
    """A diet that a dish is suitable for, or that a guest follows.

    - `english_name`: its name in English.
    - `mark`: its abbreviation on menus.
    - `against`: allergens that a dish with this tag cannot contain.
    - `strict`: allergens that it must not contain even in traces, because the name of the tag says `free`.
    - `declares`: the allergens that the tag declares absent. A peanut is not a nut, and lactose-free milk is still
      milk.
    - `implies`: other diets that such a dish is suitable for.
    - `schema`: the schema.org type, if there is one.
    """

    key: str
    english_name: str
    mark: str
    against: frozenset[str] = frozenset()
    strict: frozenset[str] = frozenset()
    declares: frozenset[str] = frozenset()
    implies: frozenset[str] = frozenset()
    schema: str = ""

    @property
    def label(self) -> str:
        return gettext(self.english_name)


_SEAFOOD = frozenset({"crustaceans", "fish", "molluscs"})
_GLUTEN, _MILK, _NUTS = frozenset({"gluten"}), frozenset({"milk"}), frozenset({"nuts"})
DIETS: dict[str, Diet] = {
    one.key: one
    for one in [
        Diet("vegetarian", _("Vegetarian"), "V", _SEAFOOD, implies=frozenset({"pescatarian"}), schema="VegetarianDiet"),
        Diet(
            "vegan",
            _("Vegan"),
            "VG",
            _SEAFOOD | {"eggs", "milk"},
            implies=frozenset({"vegetarian", "pescatarian"}),
            schema="VeganDiet",
        ),
        Diet("pescatarian", _("Pescatarian"), "P"),
        Diet("gluten_free", _("Gluten-free"), "GF", strict=_GLUTEN, declares=_GLUTEN, schema="GlutenFreeDiet"),
        Diet("lactose_free", _("Lactose-free"), "LF", schema="LowLactoseDiet"),
        Diet("dairy_free", _("Dairy-free"), "DF", strict=_MILK, declares=_MILK),
        Diet("nut_free", _("Nut-free"), "NF", strict=_NUTS | {"peanuts"}, declares=_NUTS),
        Diet("halal", _("Halal"), "H", schema="HalalDiet"),
        Diet("kosher", _("Kosher"), "K", frozenset({"crustaceans", "molluscs"}), schema="KosherDiet"),
    ]
}
