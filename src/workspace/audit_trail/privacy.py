"""One person on an account's record: found by their address or number, told, and erased, while the chain still proves
that something was signed, when, and what."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import Trail
from workspace.accounts.privacy.text_mentions import Trace, naming
from workspace.audit_trail.models import PersonalValue, Record
from workspace.audit_trail.verification import ERASED_KIND
from workspace.audit_trail.writer import note
from workspace.lib import clock

Key = tuple[str, str]  # of a record, and whose values in it


def _find(account: Account | None, trace: Trace) -> list[Key]:
    values = PersonalValue.objects.filter(record__chain__account=account).exclude(value=None)
    return sorted({(one.record_id, one.person) for one in naming(values, ("value",), trace)})


def _erase(account: Account | None, keys: Sequence[Key], trace: Trace) -> None:
    """Values and salts go, so that nobody can try whose a digest is; a record says that they were erased."""
    assert account is not None
    _erase_keys(account, keys)


def _erase_keys(account: Account, keys: Sequence[Key]) -> None:
    at = clock.now()
    people: dict[str, list[str]] = {}
    for record, person in keys:
        people.setdefault(record, []).append(person)
        values = PersonalValue.objects.filter(record=record, person=person, record__chain__account=account)
        values.update(value=None, salt=None, erased_at=at)
    numbers = dict(Record.objects.filter(pk__in=people).values_list("pk", "number"))
    told = [{"number": number, "people": sorted(people[pk])} for pk, number in numbers.items()]
    note(account, ERASED_KIND, data={"erased": sorted(told, key=lambda one: one["number"])})


def forget(account: Account, records: Sequence[str]) -> None:
    """All people of these records, in the caller's transaction: those whom somebody signed for go with them."""
    values = PersonalValue.objects.filter(record__in=records, record__chain__account=account).exclude(value=None)
    if keys := sorted(set(values.values_list("record_id", "person"))):
        _erase_keys(account, keys)


def _tell(keys: Sequence[Key], trace: Trace) -> list[dict[str, Any]]:
    lines = []
    for record, person in keys:
        row = Record.objects.get(pk=record)
        values = PersonalValue.objects.filter(record=record, person=person).exclude(value=None)
        told = {one.name: json.loads(one.value) for one in values if one.value is not None}
        lines.append({"record": row.pk, "kind": row.kind, "at": row.at.isoformat(), "as": person, **told})
    return lines


TRAIL = Trail(noun="record", models=[PersonalValue], find=_find, erase=_erase, tell=_tell)
