"""Operations on preferences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workspace.lib.text import search_key
from workspace.products.seat import messages
from workspace.products.seat.models import TABLE, Chart, SeatingPreference
from workspace.storage import journal
from workspace.tools.object_parser import Issues


def save_preferences(
    chart: Chart, items: Sequence[Mapping[str, Any]], remove: Sequence[str], *, path_prefix: str
) -> bool:
    """Save and delete preferences. Return whether any changed. Raise InvalidInputError at paths below `path_prefix`."""
    issues = Issues()
    present = {preference.pk: preference for preference in chart.preferences.all()}
    guests = list(chart.guests.values_list("pk", "party"))
    ids = {pk for pk, _ in guests}
    parties = {search_key(party): party for _, party in guests if party}
    tables = set(chart.tables.filter(kind=TABLE).values_list("pk", flat=True))
    new: list[SeatingPreference] = []
    changes: list[tuple[SeatingPreference, dict[str, Any]]] = []
    for number, item in enumerate(items):
        path = f"{path_prefix}.{number}"
        preference = present.get(item.get("id", ""))
        if "id" in item and preference is None:
            issues.add(f"{path}.id", messages.PREFERENCE_NOT_FOUND)
            continue
        fields = {name: item[name] for name in ("kind", "weight") if name in item}
        if "between" in item:
            fields["between"] = [
                _resolve_name(item, ids, parties, f"{path}.between.{place}", issues)
                for place, item in enumerate(item["between"])
            ]
        if "table_id" in item:
            fields["table_id"] = item["table_id"] or None
        kind = fields.get("kind", preference.kind if preference else "")
        between = fields.get("between", preference.between if preference else [])
        table = fields.get("table_id", preference.table_id if preference else None)
        _check_preference(kind, between, table, tables, path, issues)
        if preference is None:
            new.append(SeatingPreference(chart=chart, **fields))
        else:
            changes.append(
                (
                    preference,
                    {
                        ("table" if name == "table_id" else name): value
                        for name, value in fields.items()
                        if name != "table_id"
                    },
                )
            )
            if "table_id" in fields and fields["table_id"] in {*tables, None}:
                changes[-1][1]["table"] = chart.tables.filter(pk=fields["table_id"]).first()
    for number, id in enumerate(remove):
        if id not in present:
            issues.add(f"remove.{number}", messages.PREFERENCE_NOT_FOUND)
    issues.raise_if_any()
    preferences = [present[id] for id in dict.fromkeys(remove)]
    journal.delete_rows(*preferences)
    changed = journal.update_rows(changes)
    SeatingPreference.objects.bulk_create(new)
    journal.record_new_rows(*new)
    return bool(preferences or changed or new)


def _resolve_name(text: str, ids: set[str], parties: Mapping[str, str], path: str, issues: Issues) -> str:
    if text in ids:
        return text
    if search_key(text) in parties:
        return parties[search_key(text)]
    issues.add(path, messages.UNKNOWN_GUEST_OR_PARTY)
    return text


def _check_preference(
    kind: str, between: Sequence[str], table: str | None, tables: set[str], path: str, issues: Issues
) -> None:
    if kind in ("near", "away"):
        if len(between) != 1:
            issues.add(f"{path}.between", messages.ONE_NAME_NEEDED)
        if table is None:
            issues.add(f"{path}.table_id", messages.TABLE_NEEDED)
        elif table not in tables:
            issues.add(f"{path}.table_id", messages.TABLE_NOT_FOUND)
    elif len(between) != 2 or between[0] == between[1]:
        issues.add(f"{path}.between", messages.TWO_NAMES_NEEDED)
    elif table is not None:
        issues.add(f"{path}.table_id", messages.TABLE_NOT_ALLOWED)
