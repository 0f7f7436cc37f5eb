"""What a seating achieves, in a few numbers, and the exceptions that its owner should know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workspace.products.seat import messages
from workspace.products.seat.domain.preference_text import describe_preference
from workspace.products.seat.domain.solver_snapshot import PartyMembers
from workspace.products.seat.models import Guest, SeatingPreference, Table
from workspace.products.seat.rules.table_labels import format_table_label, join_names


@dataclass(frozen=True, slots=True)
class SeatingSummary:
    """The rules that are met, the parties that sit together, and the guests at the least and most full table.

    `exceptions` are sentences about broken rules, split parties and guests without a table.
    """

    rules_met: int
    rules: int
    parties_together: int
    parties: int
    fewest_guests: int
    most_guests: int
    exceptions: list[str]


def summarize_seating(
    tables: Sequence[Table],
    people: Sequence[Guest],
    preferences: Sequence[SeatingPreference],
    places: Mapping[str, str],
) -> SeatingSummary:
    """Summarize where the guests in `people` sit. `places` maps guests to a table id, which may be empty."""
    guest_names = {guest.pk: guest.name for guest in people}
    table_names = {table.pk: table.name for table in tables}
    who = PartyMembers(people)
    exceptions = []
    rules = rules_met = 0
    for preference in preferences:
        sides = [who.guests_for(name) for name in preference.between]
        if not all(sides):
            continue
        rules += 1
        if _is_met(preference, [{places.get(guest.pk, "") for guest in side} for side in sides]):
            rules_met += 1
        else:
            sentence = describe_preference(preference, guest_names, table_names)
            exceptions.append(str(messages.RULE_BROKEN(rule=sentence)))
    parties = [members for members in who.parties.values() if len(members) > 1]
    together = 0
    for members in parties:
        at = {places.get(guest.pk, "") for guest in members}
        together += len(at) == 1 and "" not in at
        if len(at - {""}) > 1:
            labels = join_names(sorted(format_table_label(table_names[id]) for id in at if id))
            exceptions.append(str(messages.PARTY_IS_SPLIT(party=members[0].party, tables=labels)))
    waiting = [guest.name for guest in people if not places.get(guest.pk)]
    if waiting:
        shown = [*waiting[:5], *([str(messages.MORE_PARTIES(count=len(waiting) - 5))] if len(waiting) > 5 else [])]
        exceptions.append(str(messages.GUESTS_WITHOUT_TABLE(guests=join_names(shown), count=len(waiting))))
    loads = Counter(id for guest in people if (id := places.get(guest.pk)))
    return SeatingSummary(
        rules_met=rules_met,
        rules=rules,
        parties_together=together,
        parties=len(parties),
        fewest_guests=min(loads.values(), default=0),
        most_guests=max(loads.values(), default=0),
        exceptions=exceptions,
    )


def _is_met(preference: SeatingPreference, sides: Sequence[set[str]]) -> bool:
    """Return whether a preference is met, if each side sits at these tables. Guests without a table meet none."""
    if any("" in side for side in sides):
        return False
    if preference.kind == "near":
        return sides[0] == {preference.table_id}
    if preference.kind == "away":
        return preference.table_id not in sides[0]
    if preference.kind == "apart":
        return not sides[0] & sides[1]
    return bool(sides[0] & sides[1])
