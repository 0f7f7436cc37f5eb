"""The bin: items of all products deleted within the last 30 days, and restoring them."""

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
from workspace.publishing.items import list_manifests
from workspace.publishing.manifest import Manifest
from workspace.publishing.models import PublishedItem
from workspace.publishing.models.soft_delete import BIN_RETENTION

MAX_ITEMS = 200


@dataclass(frozen=True, slots=True)
class DeletedItem:
    """A deleted item.

    `change_id` is the change that `/app/undo` reverts, or "" if it can no longer be undone. `other_count` is the number
    of other items that are restored with it.
    """

    title: str
    noun: str
    icon: str
    at: datetime
    until: datetime
    change_id: str
    other_count: int


@page()
def bin(request: SignedInRequest) -> HttpResponse:
    return render(request, "dashboard/bin.html", {"thrown": list_deleted_items(request.account), "most": MAX_ITEMS})


def list_deleted_items(account: Account) -> list[DeletedItem]:
    """Return the items in the bin, newest first.

    Run one query per kind of item, and one for the changes.
    """
    since = clock.now() - BIN_RETENTION
    found: list[tuple[Manifest, PublishedItem]] = []
    for product in list_manifests():
        for model in product.models:
            rows: QuerySet[Any] = model._base_manager.all()
            rows = rows.filter(account=account, binned_at__gt=since).order_by("-binned_at")
            found += [(product, row) for row in rows[:MAX_ITEMS]]
    found.sort(key=lambda one: one[1].binned_at or since, reverse=True)
    undone_by = _find_deletions(account, [row.pk for _, row in found[:MAX_ITEMS]])
    return [_present_item(product, row, undone_by.get(row.pk)) for product, row in found[:MAX_ITEMS]]


def _present_item(product: Manifest, row: PublishedItem, deletion: Change | None) -> DeletedItem:
    at = row.binned_at or clock.now()
    return DeletedItem(
        title=str(row),
        noun=product.noun,
        icon=product.icon,
        at=at,
        until=at + BIN_RETENTION,
        change_id=deletion.pk if deletion else "",
        other_count=sum(map(_is_deleted, deletion.previous.values())) - 1 if deletion else 0,
    )


def _find_deletions(account: Account, ids: list[str]) -> dict[str, Change]:
    """Return the newest change that deleted each of these items, if it can be undone."""
    found: dict[str, Change] = {}
    for change in account.changes.filter(previous__has_any_keys=ids, undone_by=None) if ids else ():
        for id, values in change.previous.items():
            if _is_deleted(values) and change.can_be_undone:
                found.setdefault(id, change)
    return found


def is_deletion(change: Change) -> bool:
    """Return whether the change deleted an item."""
    return any(map(_is_deleted, change.previous.values()))


def _is_deleted(values: object) -> bool:
    return isinstance(values, dict) and values.get("deleted") is False
