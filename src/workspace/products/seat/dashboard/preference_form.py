"""Seating rules as sentences: `Familia Martín must not sit with Familia López`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import clean_text
from workspace.lib.errors import InvalidInputError
from workspace.products.seat import messages
from workspace.products.seat.domain.preference_text import VERBS, split_preference
from workspace.products.seat.domain.queries import get_table_by_name
from workspace.products.seat.models import Chart, Guest, SeatingPreference, Table

VERB_CHOICES = [(f"{kind}.{weight}", words) for (kind, weight), words in VERBS.items()]
DEFAULT_VERB = "apart.must"


def build_context(
    request: SignedInRequest, guests: Sequence[Guest], tables: Sequence[Table], preferences: Sequence[SeatingPreference]
) -> dict[str, Any]:
    """Return the rules, and the names that can be used in a rule."""
    guest_names = {guest.pk: guest.name for guest in guests}
    table_names = {table.pk: table.name for table in tables}
    rules = []
    for preference in preferences:
        subject, words, rest = split_preference(preference, guest_names, table_names)
        verb = f"{preference.kind}.{preference.weight}"
        rules.append({"id": preference.pk, "one": subject, "words": words, "other": rest, "verb": verb})
    typed = {name: request.POST.get(name, "") for name in ("one", "verb", "other")}
    return {
        "rules": rules,
        "typed": typed | {"verb": typed["verb"] or DEFAULT_VERB},
        "verbs": VERB_CHOICES,
        "guest_names": sorted({(guest.name, guest.party) for guest in guests}),
        "table_labels": [table.label for table in tables],
    }


def parse_preference(request: SignedInRequest, chart: Chart) -> dict[str, Any]:
    """Return the posted rule as an argument for the tool. Raise InvalidInputError if a name is unknown."""
    kind, _, weight = request.POST.get("verb", DEFAULT_VERB).partition(".")
    first = _resolve_name(chart, request.POST.get("one", ""))
    fields: dict[str, Any] = {"kind": kind, "weight": weight}
    if kind in ("near", "away"):
        table = get_table_by_name(chart, clean_text(request.POST.get("other"), 80), "table_id")
        return {**fields, "between": [first], "table_id": table.pk}
    return {**fields, "between": [first, _resolve_name(chart, request.POST.get("other", ""))], "table_id": ""}


def _resolve_name(chart: Chart, typed: str) -> str:
    """Return the guest's id for a name, or the name of a party unchanged.

    Raise InvalidInputError if the name is empty, unknown or ambiguous.
    """
    typed = clean_text(typed, 120)
    if not typed:
        raise InvalidInputError.at_path("between", messages.GUEST_NAME_NEEDED)
    guests = list(chart.guests.filter(name__iexact=typed)[:2])
    if len(guests) == 1:
        return guests[0].pk
    if chart.guests.filter(party__iexact=typed).exists():
        return typed
    if guests:
        raise InvalidInputError.at_path("between", messages.GUEST_NAME_AMBIGUOUS(name=typed))
    raise InvalidInputError.at_path("between", messages.GUEST_NAME_UNKNOWN(name=typed))
