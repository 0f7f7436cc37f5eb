"""Records as files that prove themselves: anybody can check them with a few lines, and without this service. How is
told in `docs/records.md`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from workspace.accounts.models import Account
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.lib.errors import NotFound

FORMAT = "workspace-tools record 1"
_CHUNK = 500


def record(account: Account, id: str) -> dict[str, Any]:
    """One record with the personal values that are still there, for JSON. Raises NotFound."""
    row = Record.objects.filter(chain__account=account, pk=id).first()
    if row is None:
        raise NotFound("There is no such record")
    return _told(row, list(row.values_of_people.all()))


def whole(account: Account) -> Iterator[dict[str, Any]]:
    """All records in their order, for a line of JSON each, and the end of the chain as the last one."""
    chain = Chain.objects.filter(account=account).first()
    if chain is None:
        return
    rows = chain.records.order_by("number").iterator(chunk_size=_CHUNK)
    while chunk := list(islice(rows, _CHUNK)):
        values: dict[str, list[PersonalValue]] = {}
        for value in PersonalValue.objects.filter(record__in=[row.pk for row in chunk]):
            values.setdefault(value.record_id, []).append(value)
        for row in chunk:
            yield _told(row, values.get(row.pk, []))
    yield {"format": FORMAT, "end": {"chain": chain.pk, "count": chain.count, "head": chain.head}}


def _told(row: Record, values: Sequence[PersonalValue]) -> dict[str, Any]:
    people: dict[str, dict[str, Any]] = {}
    for value in values:
        told = (
            {"erased": value.erased_at.isoformat()} if value.erased_at else {"salt": value.salt, "value": _read(value)}
        )
        people.setdefault(value.person, {})[value.name] = told
    return {"format": FORMAT, "record": json.loads(row.body), "hash": row.hash, "people": people}


def _read(value: PersonalValue) -> Any:
    return None if value.value is None else json.loads(value.value)
