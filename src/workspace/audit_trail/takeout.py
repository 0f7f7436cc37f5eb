"""Records in an export of an account.

They keep their ids, because these are part of the hashes, so a chain can also be verified on another instance.
"""

from __future__ import annotations

import json
from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, NumberReference, TakeoutTable
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.audit_trail.verification import ERASED_KIND

CHAIN_EXISTS = (
    "Another account on this instance already has these records. Import the file on another instance, or close that "
    "account first"
)
FORKED_CHAIN = (
    "An account with these records was closed here, and its last record was a different one (number {count}). The "
    "records continue from this ZIP. The other end remains on record"
)
Body = column_types.object_of(
    version=column_types.integer_up_to(2**30),
    chain=column_types.Identifier,
    number=column_types.integer_up_to(2**52),
    previous=column_types.Digest,
    id=column_types.Identifier,
    kind=column_types.EventName,
    thing=column_types.OneLine,
    at=column_types.OneLine,
    data=dict[str, Any],
    people=column_types.dict_of(
        column_types.EventName, column_types.dict_of(column_types.EventName, column_types.Digest), 100_000
    ),
)
ErasedPeople = column_types.list_of(
    column_types.object_of(number=column_types.integer_up_to(2**52), people=list[column_types.EventName]), 100_000
)


def _check_erased(row: Any) -> None:
    """Raise ValueError unless a record of an erasure lists what was erased."""
    if row.kind == ERASED_KIND:
        try:
            column_types.parse_value(ErasedPeople, json.loads(row.body)["data"].get("erased"))
        except ValueError as problem:
            raise ValueError(f"body: data.erased: {problem}") from None


def _detach_closed_chain(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    """Free the id of a chain whose account was closed here. If its end differs, store it in a separate row."""
    row.closed_at = None
    here = Chain.objects.filter(pk=row.pk, account=None, former_id="")
    closed = here.first()
    if closed is None:
        return
    here.delete()
    if (closed.count, closed.head) != (row.count, row.head):
        Chain.objects.create(former_id=closed.pk, count=closed.count, head=closed.head, closed_at=closed.closed_at)
        arrival.add_note(FORKED_CHAIN.format(count=closed.count))


TAKEOUT_TABLES = (
    TakeoutTable(
        model=Chain,
        excluded_columns=("former_id",),
        fixed_ids_reason=CHAIN_EXISTS,
        filter_conflicts=lambda rows: rows.exclude(account=None, former_id=""),
        replaces=True,
        import_row=_detach_closed_chain,
        number_references={"count": NumberReference(Record, "chain", unless=lambda row: row.count == 0, newest=True)},
    ),
    TakeoutTable(
        model=Record,
        fixed_ids_reason=CHAIN_EXISTS,
        column_types={
            "body": column_types.json_text(Body),
            "kind": column_types.EventName,
            "thing": column_types.Identifier,
        },
        check_row=_check_erased,
    ),
    TakeoutTable(
        model=PersonalValue,
        column_types={
            "person": column_types.EventName,
            "name": column_types.EventName,
            "value": column_types.json_text(Any),
            "salt": column_types.Identifier,
        },
    ),
)
