"""Exporting records to files that can be verified on their own.

Anyone can check them with a few lines of code and without this service. `docs/records.md` describes how.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from workspace.accounts.models import Account
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.lib.errors import NotFoundError

FORMAT = "workspace-tools record 1"
_CHUNK_SIZE = 500


def export_record(account: Account, id: str) -> dict[str, Any]:
    """Return a record as JSON data, including the personal values that have not been erased.

    Raise NotFoundError if there is no such record.
    """
    row = Record.objects.filter(chain__account=account, pk=id).first()
    if row is None:
        raise NotFoundError("No record has this ID")
    return _serialize_record(row, list(row.personal_values.all()))


def export_all(account: Account) -> Iterator[dict[str, Any]]:
    """Yield all records in order and then the end of the chain. Every value becomes one line of JSON."""
    chain = Chain.objects.filter(account=account).first()
    if chain is None:
        return
    rows = chain.records.order_by("number").iterator(chunk_size=_CHUNK_SIZE)
    while chunk := list(islice(rows, _CHUNK_SIZE)):
        values: dict[str, list[PersonalValue]] = {}
        for value in PersonalValue.objects.filter(record__in=[row.pk for row in chunk]):
            values.setdefault(value.record_id, []).append(value)
        for row in chunk:
            yield _serialize_record(row, values.get(row.pk, []))
    yield {"format": FORMAT, "end": {"chain": chain.pk, "count": chain.count, "head": chain.head}}


def _serialize_record(row: Record, values: Sequence[PersonalValue]) -> dict[str, Any]:
    people: dict[str, dict[str, Any]] = {}
    for value in values:
        parsed = (
            {"erased": value.erased_at.isoformat()}
            if value.erased_at
            else {"salt": value.salt, "value": _parse_value(value)}
        )
        people.setdefault(value.person, {})[value.name] = parsed
    return {"format": FORMAT, "record": json.loads(row.body), "hash": row.hash, "people": people}


def _parse_value(value: PersonalValue) -> Any:
    return None if value.value is None else json.loads(value.value)
