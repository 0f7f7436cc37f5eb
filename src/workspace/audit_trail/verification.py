"""Verifying a chain: changed, missing and moved records are reported by their number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Q

from workspace.accounts.models import Account
from workspace.audit_trail.canonical_json import genesis_hash, hash_personal_value, hash_text
from workspace.audit_trail.models import Chain, PersonalValue, Record
from workspace.audit_trail.writer import format_time

ERASED_KIND = "records.erased"
_CHUNK_SIZE = 500


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem with a record. `number` is the record's number, or None for the end of the chain.

    `text` is a human-readable description.
    """

    number: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """The end of a chain: the number of records and the hash of the newest.

    Anyone who stores it can later detect a rewritten chain (`is_known_end`)."""

    chain: str
    count: int
    head: str


def find_chain_end(account: Account) -> ChainEnd | None:
    """Return the end of an account's chain, or None if it has no records."""
    found = Chain.objects.filter(account=account).first()
    return ChainEnd(found.pk, found.count, found.head) if found else None


def is_known_end(stored_end: ChainEnd) -> bool:
    """Return whether a stored end is still part of its chain. Chains of closed accounts are included."""
    if stored_end.count == 0:
        return stored_end.head == genesis_hash(stored_end.chain)
    if Record.objects.filter(chain=stored_end.chain, number=stored_end.count, hash=stored_end.head).exists():
        return True
    of_chain = Chain.objects.filter(
        Q(pk=stored_end.chain) | Q(former_id=stored_end.chain), count=stored_end.count, head=stored_end.head
    )
    return of_chain.exclude(closed_at=None).exists()


def verify_chain(account: Account) -> list[Problem]:
    """Return all problems with the account's records. This takes a few milliseconds per hundred records."""
    found = Chain.objects.filter(account=account).first()
    return list(_check_chain(found)) if found else []


def verify_record(account: Account, id: str) -> list[Problem]:
    """Return the problems of a single record. Only `verify_chain` checks its place in the chain."""
    row = Record.objects.select_related("chain").filter(chain__account=account, pk=id).first()
    if row is None:
        return [Problem(None, "The record is missing")]
    content = _parse_body(row.body)
    if content is None or hash_text(row.body) != row.hash:
        return [Problem(row.number, f"Record {row.number} was changed")]
    values = _load_values([row]).get(row.pk, [])
    erased = _erased_people(row.chain) if any(value.value is None for value in values) else set()
    return [*_check_columns(row, content, row.chain), *_check_people(row, content, values, erased)]


def find_record_content(account: Account, id: str) -> dict[str, Any] | None:
    """Return the content of a record, or None if there is none or it cannot be parsed."""
    body = Record.objects.filter(chain__account=account, pk=id).values_list("body", flat=True).first()
    return _parse_body(body) if body is not None else None


def has_record(id: str, hash: str) -> bool:
    """Return whether a submitted record exists here, in any account."""
    return Record.objects.filter(pk=id, hash=hash).exists()


def record_numbers(account: Account, item_id: str) -> set[int]:
    """Return the numbers of the records about an item."""
    rows = Record.objects.filter(chain__account=account, thing=item_id)
    return set(rows.values_list("number", flat=True))


def _check_chain(chain: Chain) -> Iterator[Problem]:
    place, before = 1, _PreviousHash(genesis_hash(chain.pk))
    erased = _erased_people(chain)
    rows = chain.records.order_by("number").iterator(chunk_size=_CHUNK_SIZE)
    while chunk := list(islice(rows, _CHUNK_SIZE)):
        values = _load_values(chunk)
        for row in chunk:
            if row.number > place:
                yield Problem(place, f"{_format_span(place, row.number - 1)} missing")
                before = _PreviousHash(None)
            content = _parse_body(row.body)
            if content is None or hash_text(row.body) != row.hash:
                yield Problem(row.number, f"Record {row.number} was changed")
                before = _PreviousHash(row.hash)
            elif content.get("number") != row.number:
                yield Problem(row.number, f"Record {content.get('number')} is in the place of record {row.number}")
                before = _PreviousHash(None)
            else:
                if before.hash is not None and content.get("previous") != before.hash:
                    yield Problem(row.number - 1, f"Record {row.number} follows another record {row.number - 1}")
                yield from _check_columns(row, content, chain)
                yield from _check_people(row, content, values.get(row.pk, []), erased)
                before = _PreviousHash(row.hash)
            place = row.number + 1
    yield from _check_end(chain, place - 1, before.hash)


@dataclass(frozen=True, slots=True)
class _PreviousHash:
    """The hash that the next record must refer to, or None if an already reported problem makes it unknown."""

    hash: str | None


def _check_columns(row: Record, content: dict[str, Any], chain: Chain) -> Iterator[Problem]:
    """Check that the columns outside the body match the body."""
    stands = {"id": row.pk, "chain": chain.pk, "kind": row.kind, "thing": row.thing, "at": format_time(row.created_at)}
    for name, value in stands.items():
        if content.get(name) != value:
            yield Problem(row.number, f"The {name} of record {row.number} was changed")


def _check_people(
    row: Record, content: dict[str, Any], values: Sequence[PersonalValue], erased: set[tuple[int, str]]
) -> Iterator[Problem]:
    here = {(value.person, value.name): value for value in values}
    for person, digests in content["people"].items():
        for name, wanted in digests.items():
            value = here.pop((person, name), None)
            where = f"{person}.{name} of record {row.number}"
            if value is None:
                yield Problem(row.number, f"{where} is missing")
            elif value.value is None or value.salt is None:
                if (row.number, person) not in erased:
                    yield Problem(row.number, f"{where} is missing, and no record shows that it was erased")
            elif hash_personal_value(value.salt, f"{person}/{name}", value.value) != wanted:
                yield Problem(row.number, f"{where} was changed")
    for value in here.values():
        yield Problem(row.number, f"{value} of record {row.number} was added")


def _check_end(chain: Chain, last: int, head: str | None) -> Iterator[Problem]:
    if last < chain.count:
        yield Problem(last + 1, f"{_format_span(last + 1, chain.count)} missing")
    elif last > chain.count:
        yield Problem(None, f"{_format_span(chain.count + 1, last)} beyond the end of the chain")
    elif head is not None and head != chain.head:
        yield Problem(None, f"The chain ends with another record {last}")


def _format_span(first: int, last: int) -> str:
    return f"Record {first} is" if first == last else f"Records {first} to {last} are"


def _parse_body(body: str) -> dict[str, Any] | None:
    try:
        content = json.loads(body)
    except ValueError:
        return None
    return content if isinstance(content, dict) else None


def _load_values(rows: Sequence[Record]) -> dict[str, list[PersonalValue]]:
    found: dict[str, list[PersonalValue]] = {}
    for value in PersonalValue.objects.filter(record__in=[row.pk for row in rows]):
        found.setdefault(value.record_id, []).append(value)
    return found


def _erased_people(chain: Chain) -> set[tuple[int, str]]:
    """Return erased people by record number, as stated by later records."""
    found = set()
    for body in chain.records.filter(kind=ERASED_KIND).values_list("body", flat=True):
        for one in (_parse_body(body) or {}).get("data", {}).get("erased", []):
            found |= {(one["number"], person) for person in one["people"]}
    return found
