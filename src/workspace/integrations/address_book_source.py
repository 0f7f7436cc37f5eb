"""Contacts for address books: people who submitted their contact data to an account's items."""

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
from workspace.delivery.address_books import ContactOffer, ContactSource, Person
from workspace.lib.person_name import parse_name
from workspace.lib.vcard import Contact
from workspace.publishing import items
from workspace.publishing.items import Item
from workspace.publishing.submissions import Submission, SubmissionSource


def list_offers() -> list[ContactOffer]:
    """Return the products that collect contacts, in display order."""
    found: dict[str, tuple[str, bool]] = {}
    for product, arrivals in items.list_submission_sources():
        is_first = found.get(product.key, ("", False))[1]
        found[product.key] = product.title, is_first or arrivals.is_contact
    return [ContactOffer(key, *one) for key, one in found.items()]


def list_ids(account: Account, key: str, since: datetime | None, limit: int) -> list[str]:
    found: list[tuple[datetime, str]] = []
    for arrivals in _sources_for(key):
        left = _list_submissions(account, arrivals)
        if since is not None:
            left = left.filter(created_at__gte=since)
        found += left.order_by("-created_at", "-pk").values_list("created_at", "pk")[:limit]
    return [id for _, id in sorted(found, reverse=True)[:limit]]


def find_people(account: Account, key: str, ids: Sequence[str]) -> list[Person]:
    left: list[Submission] = []
    for arrivals in _sources_for(key):
        left += arrivals.serialize(list(_list_submissions(account, arrivals).filter(pk__in=ids)))
    known = items.get_items(account, {one["thing_id"] for one in left})
    return [
        _build_person(account, one, known[one["thing_id"]])
        for one in left
        if one["thing_id"] in known and (one.get("email") or one.get("phone"))
    ]


def _sources_for(key: str) -> list[SubmissionSource]:
    return [arrivals for product, arrivals in items.list_submission_sources() if product.key == key]


def _list_submissions(account: Account, arrivals: SubmissionSource) -> QuerySet[Any]:
    return arrivals.list_rows(account).filter(arrivals.from_guests)


def _build_person(account: Account, submission: Submission, item: Item) -> Person:
    name, email, phone = submission["name"], submission.get("email", ""), submission.get("phone", "")
    at = datetime.fromisoformat(submission["at"])
    said = [name, email, phone, submission.get("note", ""), submission.get("consent", ""), submission["at"]]
    digest = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    return Person(
        submission["id"], at, name, email or phone, digest, partial(_build_contact, account, submission, item, at)
    )


def _build_contact(account: Account, submission: Submission, item: Item, at: datetime) -> Contact:
    name, email, phone = submission["name"], submission.get("email", ""), submission.get("phone", "")
    parts = parse_name(name)
    return Contact(
        full_name=name or email or phone,
        given_name=parts.given,
        family_name=parts.family,
        prefix=parts.prefix,
        suffix=parts.suffix,
        phones=[(phone, "")] if phone else [],
        emails=[(email, "")] if email else [],
        note=_format_note(account, submission, item, at),
        uid=submission["id"],
        revised_at=at,
    )


def _format_note(account: Account, submission: Submission, item: Item, at: datetime) -> str:
    """Format a note with the person's message, the item and the consent."""
    day = f"{at.astimezone(account.zone):%Y-%m-%d %H:%M}"
    lines = [
        submission.get("note", ""),
        f"{item.noun[:1].upper()}{item.noun[1:]} “{item.title}”, {day}",
        f"Agreed to: “{submission['consent']}”" if submission.get("consent") else "",
        f"{settings.BASE_URL}{submission['page']}",
    ]
    return "\n\n".join(part for part in lines if part)


SOURCE = ContactSource(list_offers=list_offers, ids=list_ids, find_people=find_people)
