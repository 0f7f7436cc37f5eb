"""Seating preferences as sentences: `Familia Martín must not sit with Familia López`."""

from __future__ import annotations

from collections.abc import Mapping

from workspace.owner_translation import OwnerText, owner_gettext_lazy
from workspace.products.seat.models import SeatingPreference
from workspace.products.seat.rules.table_labels import format_table_label

# the verb of a sentence by kind and weight
VERBS: dict[tuple[str, str], OwnerText] = {
    ("together", "must"): owner_gettext_lazy("must sit with"),
    ("together", "wanted"): owner_gettext_lazy("should sit with"),
    ("together", "nice"): owner_gettext_lazy("would like to sit with"),
    ("apart", "must"): owner_gettext_lazy("must not sit with"),
    ("apart", "wanted"): owner_gettext_lazy("should not sit with"),
    ("apart", "nice"): owner_gettext_lazy("would rather not sit with"),
    ("near", "must"): owner_gettext_lazy("must sit at"),
    ("near", "wanted"): owner_gettext_lazy("should sit at"),
    ("near", "nice"): owner_gettext_lazy("would like to sit at"),
    ("away", "must"): owner_gettext_lazy("must not sit at"),
    ("away", "wanted"): owner_gettext_lazy("should not sit at"),
    ("away", "nice"): owner_gettext_lazy("would rather not sit at"),
}


def split_preference(
    preference: SeatingPreference, guest_names: Mapping[str, str], table_names: Mapping[str, str]
) -> tuple[str, str, str]:
    """Return the subject, the verb and the object of a preference. `guest_names` and `table_names` are keyed by id."""
    first, *others = (guest_names.get(name, name) for name in preference.between)
    verb = str(VERBS[preference.kind, preference.weight])
    if preference.table_id:
        return first, verb, format_table_label(table_names.get(preference.table_id, ""))
    return first, verb, others[0] if others else ""


def describe_preference(
    preference: SeatingPreference, guest_names: Mapping[str, str], table_names: Mapping[str, str]
) -> str:
    """Return a preference as a sentence without a final period."""
    return " ".join(split_preference(preference, guest_names, table_names))
