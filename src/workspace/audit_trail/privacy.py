"""A person's data in an account's records.

It can be found, exported and erased, and the chain still proves what was signed and when.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalText
from workspace.accounts.privacy.text_mentions import MentionMatcher, find_mentions
from workspace.audit_trail.models import PersonalValue, Record
from workspace.audit_trail.verification import ERASED_KIND
from workspace.audit_trail.writer import record_event
from workspace.lib import clock

PersonKey = tuple[str, str]  # the id of a record, and a person in it


def _find_keys(account: Account | None, trace: MentionMatcher) -> list[PersonKey]:
    values = PersonalValue.objects.filter(record__chain__account=account).exclude(value=None)
    return sorted({(one.record_id, one.person) for one in find_mentions(values, ("value",), trace)})


def _erase(account: Account | None, keys: Sequence[PersonKey], trace: MentionMatcher) -> None:
    """Erase values and salts, so that digests cannot be matched to a person, and add a record of the erasure."""
    assert account is not None
    _erase_keys(account, keys)


def _erase_keys(account: Account, keys: Sequence[PersonKey]) -> None:
    at = clock.now()
    people: dict[str, list[str]] = {}
    for record, person in keys:
        people.setdefault(record, []).append(person)
        values = PersonalValue.objects.filter(record=record, person=person, record__chain__account=account)
        values.update(value=None, salt=None, erased_at=at)
    numbers = dict(Record.objects.filter(pk__in=people).values_list("pk", "number"))
    erased_people = [{"number": number, "people": sorted(people[pk])} for pk, number in numbers.items()]
    record_event(account, ERASED_KIND, data={"erased": sorted(erased_people, key=lambda one: one["number"])})


def erase_records(account: Account, records: Sequence[str]) -> None:
    """Erase all people from these records, including people represented by another signer.

    It runs in the caller's transaction.
    """
    values = PersonalValue.objects.filter(record__in=records, record__chain__account=account).exclude(value=None)
    if keys := sorted(set(values.values_list("record_id", "person"))):
        _erase_keys(account, keys)


def _export(keys: Sequence[PersonKey], trace: MentionMatcher) -> list[dict[str, Any]]:
    lines = []
    for record, person in keys:
        row = Record.objects.get(pk=record)
        values = PersonalValue.objects.filter(record=record, person=person).exclude(value=None)
        exported = {one.name: json.loads(one.value) for one in values if one.value is not None}
        lines.append({"record": row.pk, "kind": row.kind, "at": row.created_at.isoformat(), "as": person, **exported})
    return lines


PERSONAL_TEXT = PersonalText(noun="record", models=[PersonalValue], find=_find_keys, erase=_erase, export=_export)
