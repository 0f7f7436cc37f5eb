"""An account's library of lines and templates for reuse: searching and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.insights.search import split_terms
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.messages import Message
from workspace.lib.text import search_key
from workspace.products.bid import messages
from workspace.products.bid.models import LibraryItem, Template
from workspace.publishing import positions
from workspace.publishing.serializers import get_many_or_404
from workspace.storage import journal

MAX_ITEMS = 2000


def list_items(account: Account, q: str, limit: int, offset: int) -> tuple[list[LibraryItem], int]:
    """Return a page of the lines that match the search words, and the total number of matches."""
    rows = _search_rows(account.bid_items.all(), q)
    return list(rows[offset : offset + limit]), rows.count()


def list_templates(account: Account, q: str, limit: int, offset: int) -> tuple[list[Template], int]:
    """Return a page of the templates that match the search words, and the total number of matches."""
    rows = _search_rows(account.bid_templates.all(), q)
    return list(rows[offset : offset + limit]), rows.count()


def _search_rows(rows: QuerySet[Any], q: str) -> QuerySet[Any]:
    for term in split_terms(q):
        rows = rows.filter(search__contains=term)
    return rows


def save_items(
    account: Account, items: Sequence[Mapping[str, Any]], removed: Sequence[str], order: Sequence[str] | None
) -> tuple[list[LibraryItem], int, int, int]:
    """Add lines that have no id, change those that have one, remove some, and set the order.

    Return the given lines in the order of the list, and how many were added, changed and removed. Raise
    InvalidInputError, NotFoundError or OperationNotAllowedError if an entry is rejected.
    """
    _check_duplicates(items, removed)
    ids = [item["id"] for item in items if "id" in item]
    found = get_many_or_404([*ids, *removed], messages.LIBRARY_ITEM_NOT_FOUND, account.bid_items.all())
    found = get_many_or_404([*ids, *removed], messages.LIBRARY_ITEM_NOT_FOUND, account.bid_items.all())
    items_by_id = {item.pk: item for item in found}
    journal.delete_rows(*(items_by_id[id] for id in dict.fromkeys(removed)))
    new = [item for item in items if "id" not in item]
    place = positions.next_position(account.bid_items.all())
    if account.bid_items.count() + len(new) > MAX_ITEMS:
        raise OperationNotAllowedError(messages.LIBRARY_LIMIT(most=f"{MAX_ITEMS:,}"))
    library_items = [_build_item(account, item, place + at) for at, item in enumerate(new)]
    LibraryItem.objects.bulk_create(library_items)
    journal.record_new_rows(*library_items)
    changed = journal.update_rows(
        (items_by_id[item["id"]], _item_fields(items_by_id[item["id"]], item)) for item in items if "id" in item
    )
    if order is not None:
        positions.reorder_parts(account.bid_items.all(), order, path="order", noun="library item")
    fresh = iter(library_items)
    named = [items_by_id[item["id"]] if "id" in item else next(fresh) for item in items]
    return named, len(library_items), len(changed), len(set(removed))


def _check_duplicates(items: Sequence[Mapping[str, Any]], removed: Sequence[str]) -> None:
    seen: set[str] = set()
    issues: list[tuple[str, str | Message]] = []
    for at, item in enumerate(items):
        if item.get("id") in seen:
            issues.append((f"items.{at}.id", messages.LIBRARY_ITEM_REPEATED))
        seen |= {item["id"]} if "id" in item else set()
    issues += [(f"remove.{at}", messages.LIBRARY_ITEM_IS_SAVED) for at, id in enumerate(removed) if id in seen]
    if issues:
        raise InvalidInputError.from_pairs(issues)


def _build_item(account: Account, entry: Mapping[str, Any], position: int) -> LibraryItem:
    item = LibraryItem(account=account, position=position, **entry)
    item.search = _build_search_text(item.name, item.description)
    return item


def _item_fields(item: LibraryItem, entry: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in entry.items() if name != "id"}
    return {
        **fields,
        "search": _build_search_text(fields.get("name", item.name), fields.get("description", item.description)),
    }


def _build_search_text(name: str, description: str) -> str:
    return search_key(f"{name}\n{description}")
