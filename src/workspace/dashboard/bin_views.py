"""The bin: what was deleted within 30 days, of all products, and bringing it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.models import Account, Change
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib import clock
from workspace.publishing.items import manifests
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import Published
from workspace.publishing.models.soft_delete import IN_THE_BIN

MOST = 200


@dataclass(frozen=True, slots=True)
class Thrown:
    """`change_id` is what `/app/undo` takes; empty where it can no longer be taken back. `others` come back with it."""

    title: str
    noun: str
    icon: str
    at: datetime
    until: datetime
    change_id: str
    others: int


@page()
def bin(request: SignedInRequest) -> HttpResponse:
    return render(request, "dashboard/bin.html", {"thrown": thrown(request.account), "most": MOST})


def thrown(account: Account) -> list[Thrown]:
    """What lies in the bin, the newest first: a query for each kind of thing, and one for the changes."""
    since = clock.now() - IN_THE_BIN
    found: list[tuple[Manifest, Published]] = []
    for product in manifests():
        for model in product.things:
            rows: QuerySet[Any] = model._base_manager.all()
            rows = rows.filter(account=account, binned_at__gt=since).order_by("-binned_at")
            found += [(product, row) for row in rows[:MOST]]
    found.sort(key=lambda one: one[1].binned_at or since, reverse=True)
    undone_by = _deletions(account, [row.pk for _, row in found[:MOST]])
    return [_told(product, row, undone_by.get(row.pk)) for product, row in found[:MOST]]


def _told(product: Manifest, row: Published, deletion: Change | None) -> Thrown:
    at = row.binned_at or clock.now()
    return Thrown(
        title=str(row),
        noun=product.noun,
        icon=product.icon,
        at=at,
        until=at + IN_THE_BIN,
        change_id=deletion.pk if deletion else "",
        others=sum(map(_binned, deletion.before.values())) - 1 if deletion else 0,
    )


def _deletions(account: Account, ids: list[str]) -> dict[str, Change]:
    """The newest change that put each of these into the bin, as far as it may be taken back."""
    found: dict[str, Change] = {}
    for change in account.changes.filter(before__has_any_keys=ids, undone_by=None) if ids else ():
        for id, values in change.before.items():
            if _binned(values) and change.may_be_undone:
                found.setdefault(id, change)
    return found


def is_deletion(change: Change) -> bool:
    """Whether it put something into the bin."""
    return any(map(_binned, change.before.values()))


def _binned(values: object) -> bool:
    return isinstance(values, dict) and values.get("deleted") is False
