"""Seating rules as sentences: `Familia Martín must not sit with Familia López`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import clean_text
from workspace.lib.errors import InvalidInputError
from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.domain.preference_text import VERBS, split_preference
from workspace.products.seat.domain.queries import tables_for
from workspace.products.seat.models import Chart, Guest, SeatingPreference, Table

VERB_CHOICES = [(f"{kind}.{weight}", words) for (kind, weight), words in VERBS.items()]
DEFAULT_VERB = "apart.must"


def build_context(
    request: SignedInRequest, people: Sequence[Guest], standing: Sequence[Table], wishes: Sequence[SeatingPreference]
) -> dict[str, Any]:
    """Return the rules, and the names that can be used in a rule."""
    names = {table.pk: table.name for table in standing}
    rules = []
    for wish in wishes:
        subject, verb, rest = split_preference(wish, people, names)
        rules.append(
            {"id": wish.pk, "one": subject, "words": verb, "other": rest, "verb": f"{wish.kind}.{wish.weight}"}
        )
    typed = {name: request.POST.get(name, "") for name in ("one", "verb", "other")}
    return {
        "rules": rules,
        "typed": typed | {"verb": typed["verb"] or DEFAULT_VERB},
        "verbs": VERB_CHOICES,
        "guest_names": sorted({(guest.name, guest.party) for guest in people}),
        "table_labels": [table.label for table in standing],
    }


def parse_preference(request: SignedInRequest, chart: Chart) -> dict[str, Any]:
    """Return the posted rule as an argument for the tool. Raise InvalidInputError if a name is unknown."""
    kind, _, weight = request.POST.get("verb", DEFAULT_VERB).partition(".")
    first = _resolve_name(chart, request.POST.get("one", ""))
    fields: dict[str, Any] = {"kind": kind, "weight": weight}
    if kind in ("near", "away"):
        return {**fields, "between": [first], "table_id": _resolve_table(chart, request.POST.get("other", ""))}
    return {**fields, "between": [first, _resolve_name(chart, request.POST.get("other", ""))], "table_id": ""}


def _resolve_table(chart: Chart, typed: str) -> str:
    """Return the id of the table with this name or label. Raise InvalidInputError if there is none."""
    typed = clean_text(typed, 80)
    standing = tables_for(chart)
    for table in standing:
        if search_key(typed) in (search_key(table.name), search_key(table.label)):
            return table.pk
    known = ", ".join(table.name for table in standing[:40])
    raise InvalidInputError.at_path("table_id", messages.TABLE_NAME_NOT_FOUND(name=typed, tables=known))


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
