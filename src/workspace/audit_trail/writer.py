"""Writing records within the transaction that they describe.

    with write_transaction():
        decision = Decision.objects.create(...)
        record = record_event(
            account, "bid.approved", item_id=bid.pk, data={"total": 97650}, people={"signer": {"name": "Ada"}}
        )

Slow work is done immediately. The chain is locked only when everything else is written. Guests of one account therefore
wait for each other only for a few short statements, and guests of different accounts never wait."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.audit_trail.canonical_json import genesis_hash, hash_personal_value, hash_text, to_canonical_json
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage import journal
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import run_at_end

FORMAT_VERSION = 1
FINAL_REASON = "Records can’t be changed"
People = Mapping[str, Mapping[str, Any]]


@dataclass(eq=False)
class PendingRecord:
    """A record whose place in the chain is not decided yet."""

    account: str
    id: str
    kind: str
    thing: str
    at: datetime
    data: Mapping[str, Any]
    values: list[PersonalValue] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)


def record_event(
    account: Account,
    kind: str,
    *,
    item_id: str = "",
    data: Mapping[str, Any] | None = None,
    people: People | None = None,
) -> str:
    """Add a record to the account's audit trail and return its id.

    Call it within `write_transaction()`. Its number and hash are set at the end of the transaction. An owner's action
    with a record cannot be undone.

        kind    what happened, in the product's terms: "bid.approved"
        thing   the id of the item
        data    permanent data: text, integers, booleans, null, lists and objects of these. nothing personal
        people  personal data by person (`signer`, `participant.2`) and name, with values of the same types. The record
                contains salted digests, and all values of a person are erased together

    Raise ValueError for values that a record cannot contain.
    """
    return append_record(prepare_record(account, kind, item_id=item_id, data=data, people=people))


def prepare_record(
    account: Account,
    kind: str,
    *,
    item_id: str = "",
    data: Mapping[str, Any] | None = None,
    people: People | None = None,
) -> PendingRecord:
    """Build a record for `append_record` before the transaction. See `record_event` for arguments and errors."""
    noted = PendingRecord(account.pk, new_id("rec"), kind, item_id, clock.now().astimezone(UTC), dict(data or {}))
    for person, values in (people or {}).items():
        for name, value in values.items():
            _add_personal_value(noted, person, name, to_canonical_json(value))
    _build_body(noted, "", 0, "")  # raises for invalid values before any lock is taken
    return noted


def append_record(pending: PendingRecord) -> str:
    """Add a prepared record to its chain at the end of the caller's transaction, and return its id."""
    if not connection.in_atomic_block:
        raise RuntimeError("record_event() must be called within a write transaction")
    journal.mark_irreversible(FINAL_REASON)
    run_at_end(_append_records, pending, last=True)
    return pending.id


def _add_personal_value(pending: PendingRecord, person: str, name: str, value: str) -> None:
    salt = secrets.token_hex(16)
    pending.digests[f"{person}/{name}"] = hash_personal_value(salt, f"{person}/{name}", value)
    pending.values.append(PersonalValue(record_id=pending.id, person=person, name=name, value=value, salt=salt))


def _build_body(pending: PendingRecord, chain: str, number: int, previous: str) -> str:
    return to_canonical_json(
        {
            "version": FORMAT_VERSION,
            "chain": chain,
            "number": number,
            "previous": previous,
            "id": pending.id,
            "kind": pending.kind,
            "thing": pending.thing,
            "at": format_time(pending.at),
            "data": pending.data,
            "people": _nest_digests(pending.digests),
        }
    )


def format_time(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _nest_digests(digests: Mapping[str, str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for path, digest in digests.items():
        person, _, name = path.partition("/")
        found.setdefault(person, {})[name] = digest
    return found


def _append_records(pending_records: Sequence[PendingRecord]) -> None:
    """Append the records to their chains.

    While the end of a chain is locked, nothing but these rows is written. Chains are locked in a fixed order, so that
    two transactions never wait for each other.
    """
    of_accounts: dict[str, list[PendingRecord]] = {}
    for one in pending_records:
        of_accounts.setdefault(one.account, []).append(one)
    for account, records in sorted(of_accounts.items()):
        _append_to(_lock_chain(account), records)


def _lock_chain(account: str) -> Chain:
    """Return the chain, locked until the end of the transaction. SQLite has only one writer at a time anyway."""
    found = _chains_of.fetch(account)
    if not found:
        made = Chain(account_id=account)
        made.head = genesis_hash(made.pk)
        create_rows([made], tail="ON CONFLICT DO NOTHING")
        found = _chains_of.fetch(account)
    return found[0]


@compile_once
def _chains_of(account: str) -> QuerySet[Chain]:
    """Return the account's chain, locked until the end of the transaction."""
    chains = Chain.objects.filter(account_id=account)
    return chains.select_for_update() if connection.features.has_select_for_update else chains


def _append_to(chain: Chain, pending_records: Sequence[PendingRecord]) -> None:
    records = []
    for one in pending_records:
        chain.count += 1
        body = _build_body(one, chain.pk, chain.count, chain.head)
        chain.head = hash_text(body)
        records.append(
            Record(
                id=one.id,
                chain=chain,
                number=chain.count,
                kind=one.kind,
                thing=one.thing,
                created_at=one.at,
                body=body,
                hash=chain.head,
            )
        )
    create_rows(records)
    create_rows([value for one in pending_records for value in one.values])
    chain.save(update_fields=["count", "head"])
