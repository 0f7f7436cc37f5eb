"""A guest's diets and allergens to avoid, and the verdict on each dish.

A dish that contains an avoided allergen is hidden. For every other dish, guests see what is uncertain: what it may
contain, and what the owner has not declared. Nothing is shown about allergens that it is declared free of. No dish is
ever called safe.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext

from workspace.products.menu.rules.diets_and_allergens import ALLERGENS, CONTAINS, MAY_CONTAIN
from workspace.publishing.diets import DIETS
from workspace.publishing.language import join_words
from workspace.publishing.locale import current_locale

MAX_QUERY_LENGTH = 60  # characters of a search


@dataclass(frozen=True, slots=True)
class DishVerdict:
    """The verdict on a dish. `is_excluded` means that it is not suitable. `note` is the text to show, or empty."""

    is_excluded: bool
    note: str


@dataclass(frozen=True, slots=True)
class DietaryFilter:
    diets: tuple[str, ...] = ()
    avoided_allergens: tuple[str, ...] = ()
    text: str = ""  # the search text

    @classmethod
    def from_query(cls, query: QueryDict) -> DietaryFilter:
        """Build the filter from `?diet=vegan&avoid=milk&avoid=nuts&q=soup`. Unknown values are ignored."""
        diets, avoided = set(query.getlist("diet")), set(query.getlist("avoid"))
        return cls(
            tuple(key for key in DIETS if key in diets),
            tuple(key for key in ALLERGENS if key in avoided),
            " ".join(query.get("q", "")[:MAX_QUERY_LENGTH].split()),
        )

    def __bool__(self) -> bool:
        return bool(self.diets or self.avoided_allergens or self.text)

    def matches_text(self, *texts: str) -> bool:
        """Return whether the strings contain every search word, ignoring accents."""
        if not self.text:
            return True
        text = _normalize(" ".join(texts))
        return all(word in text for word in _normalize(self.text).split())

    def check_dish(
        self, suitable: Sequence[str], allergens: Mapping[str, str], free: Sequence[str] = ()
    ) -> DishVerdict:
        """Return the verdict on a dish. `free` are the allergens that it is declared to be free of."""
        states = {key: allergens.get(key) for key in self.avoided_allergens}
        if any(state == CONTAINS for state in states.values()) or not set(self.diets) <= set(suitable):
            return DishVerdict(True, "")
        traces = [ALLERGENS[key].name for key, state in states.items() if state == MAY_CONTAIN]
        open_ = [ALLERGENS[key].name for key, state in states.items() if state is None and key not in free]
        notes = []
        if traces:
            notes.append(gettext("May contain {what}.").format(what=join_words(traces, current_locale().language)))
        if open_:
            notes.append(
                gettext("Not declared: {what}. Please ask us.").format(
                    what=join_words(open_, current_locale().language)
                )
            )
        return DishVerdict(False, " ".join(notes))


def _normalize(text: str) -> str:
    """Remove accents and case, exactly as guest.js does."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char)).lower()
