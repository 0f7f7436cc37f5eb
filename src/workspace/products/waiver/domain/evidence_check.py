"""Checking that a stored signing is unchanged.

Its record must be intact, and the rows that owners see must match the record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from workspace.audit_trail import verification
from workspace.audit_trail.models import PersonalValue, Record
from workspace.products.waiver.models import Signature, Signing

SIGNER_FIELDS = ("name", "email", "phone", "birth_date", "initials", "answers", "typed", "consent")
_COLUMNS = {"typed": "typed_name"}  # columns that have another name in the record
PARTICIPANT_FIELDS = ("name", "birth_date", "relationship")


def is_intact(signing: Signing) -> bool:
    """Return whether a signing matches its record.

    Erased values are not compared, but the record still proves that they existed.
    """
    if verification.verify_record(signing.account, signing.record):
        return False
    data = json.loads(Record.objects.get(pk=signing.record).body)["data"]
    rows = {signature.pk: signature for signature in signing.signatures.all()}
    if set(data["signatures"]) != set(rows) or data["version"] != signing.version:
        return False
    fields = _load_values(signing.record)
    each: list[tuple[Signing | Signature, str, tuple[str, ...]]] = [(signing, "signer", SIGNER_FIELDS)]
    each += [(rows[id], f"participant.{n}", PARTICIPANT_FIELDS) for n, id in enumerate(data["signatures"])]
    return all(_is_same(row, fields.get(person, {}), names) for row, person, names in each)


def _load_values(record: str) -> Mapping[str, Mapping[str, Any]]:
    result: dict[str, dict[str, Any]] = {}
    for personal_value in PersonalValue.objects.filter(record=record).exclude(value=None):
        result.setdefault(personal_value.person, {})[personal_value.name] = json.loads(personal_value.value or "null")
    return result


def _is_same(row: Signing | Signature, fields: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    return all(_to_text(getattr(row, _COLUMNS.get(name, name))) == fields[name] for name in names if name in fields)


def _to_text(value: Any) -> Any:
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else value
