"""Who left themselves with an account's things, as contacts for its owner's address book."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.delivery.contacts import Offer, Person, Source
from workspace.lib.person_name import split
from workspace.lib.vcard import Contact
from workspace.publishing import items
from workspace.publishing.items import Thing
from workspace.publishing.submissions import Arrivals, Left


def offered() -> list[Offer]:
    """Products with which people leave themselves, in the order in which they are shown."""
    found: dict[str, tuple[str, bool]] = {}
    for product, arrivals in items.arrivals():
        is_first = found.get(product.key, ("", False))[1]
        found[product.key] = product.title, is_first or arrivals.is_contact
    return [Offer(key, *one) for key, one in found.items()]


def ids(account: Account, key: str, since: datetime | None, most: int) -> list[str]:
    found: list[tuple[datetime, str]] = []
    for arrivals in _of(key):
        left = _rows(account, arrivals)
        if since is not None:
            left = left.filter(created_at__gte=since)
        found += left.order_by("-created_at", "-pk").values_list("created_at", "pk")[:most]
    return [id for _, id in sorted(found, reverse=True)[:most]]


def found(account: Account, key: str, ids: Sequence[str]) -> list[Person]:
    left: list[Left] = []
    for arrivals in _of(key):
        left += arrivals.told(list(_rows(account, arrivals).filter(pk__in=ids)))
    known = items.things(account, {one["thing_id"] for one in left})
    return [
        _person(account, one, known[one["thing_id"]])
        for one in left
        if one["thing_id"] in known and (one.get("email") or one.get("phone"))
    ]


def _of(key: str) -> list[Arrivals]:
    return [arrivals for product, arrivals in items.arrivals() if product.key == key]


def _rows(account: Account, arrivals: Arrivals) -> QuerySet[Any]:
    return arrivals.rows(account).filter(arrivals.came)


def _person(account: Account, one: Left, thing: Thing) -> Person:
    name, email, phone = one["name"], one.get("email", ""), one.get("phone", "")
    at = datetime.fromisoformat(one["at"])
    said = [name, email, phone, one.get("note", ""), one.get("consent", ""), one["at"]]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return Person(one["id"], at, name, email or phone, digest, partial(_contact, account, one, thing, at))


def _contact(account: Account, one: Left, thing: Thing, at: datetime) -> Contact:
    name, email, phone = one["name"], one.get("email", ""), one.get("phone", "")
    parts = split(name)
    return Contact(
        full_name=name or email or phone,
        given_name=parts.given,
        family_name=parts.family,
        prefix=parts.prefix,
        suffix=parts.suffix,
        phones=[(phone, "")] if phone else [],
        emails=[(email, "")] if email else [],
        note=_note(account, one, thing, at),
        uid=one["id"],
        revised_at=at,
    )


def _note(account: Account, one: Left, thing: Thing, at: datetime) -> str:
    """What they wrote, where they come from, and what they agreed to."""
    day = f"{at.astimezone(account.zone):%Y-%m-%d %H:%M}"
    told = [
        one.get("note", ""),
        f"{thing.noun[:1].upper()}{thing.noun[1:]} “{thing.title}”, {day}",
        f"Agreed to: “{one['consent']}”" if one.get("consent") else "",
        f"{settings.BASE_URL}{one['page']}",
    ]
    return "\n\n".join(part for part in told if part)


SOURCE = Source(offered=offered, ids=ids, found=found)
