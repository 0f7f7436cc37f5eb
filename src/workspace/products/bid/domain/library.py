"""What an account keeps for proposals to come: lines with their prices, and templates. Finding and saving them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.insights.search import terms
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import fold
from workspace.products.bid.models import LibraryItem, Template
from workspace.publishing import positions
from workspace.publishing.serializers import several
from workspace.storage import journal

MISSING_ITEM = "There is no such line in your library: svc_bid_library shows them with their ids"
MISSING_SOURCE = "There is no such proposal or template: svc_bid_list and svc_bid_library show yours"
MOST = 2000


def items(account: Account, q: str, limit: int, offset: int) -> tuple[list[LibraryItem], int]:
    """Return some of the lines that match the words, and how many do."""
    rows = _searched(account.bid_items.all(), q)
    return list(rows[offset : offset + limit]), rows.count()


def templates(account: Account, q: str, limit: int, offset: int) -> tuple[list[Template], int]:
    """Return some of the templates that match the words, and how many do."""
    rows = _searched(account.bid_templates.all(), q)
    return list(rows[offset : offset + limit]), rows.count()


def _searched(rows: QuerySet[Any], q: str) -> QuerySet[Any]:
    for term in terms(q):
        rows = rows.filter(search__contains=term)
    return rows


def save(
    account: Account, given: Sequence[Mapping[str, Any]], gone: Sequence[str], order: Sequence[str] | None
) -> tuple[list[LibraryItem], int, int, int]:
    """Add those without an id, change those with one, take away, put in order; those that were named, in the order of
    the list, and how many were added, changed and removed. Raises InvalidInput, NotFound, ToolError."""
    _check_twice(given, gone)
    ids = [one["id"] for one in given if "id" in one]
    found = {item.pk: item for item in several([*ids, *gone], MISSING_ITEM, account.bid_items.all())}
    journal.drop(*(found[id] for id in dict.fromkeys(gone)))
    new = [one for one in given if "id" not in one]
    place = positions.next_place(account.bid_items.all())
    if account.bid_items.count() + len(new) > MOST:
        raise ToolError(f"A library holds {MOST:,} lines: take some away first")
    made = [_new(account, one, place + at) for at, one in enumerate(new)]
    LibraryItem.objects.bulk_create(made)
    journal.add(*made)
    changed = journal.change_many((found[one["id"]], _fields(found[one["id"]], one)) for one in given if "id" in one)
    if order is not None:
        positions.arrange(account.bid_items.all(), order, path="order", noun="line of your library")
    fresh = iter(made)
    named = [found[one["id"]] if "id" in one else next(fresh) for one in given]
    return named, len(made), len(changed), len(set(gone))


def _check_twice(given: Sequence[Mapping[str, Any]], gone: Sequence[str]) -> None:
    seen: set[str] = set()
    issues: list[tuple[str, str]] = []
    for at, one in enumerate(given):
        if one.get("id") in seen:
            issues.append((f"items.{at}.id", "This line is there twice: put its changes into one entry"))
        seen |= {one["id"]} if "id" in one else set()
    issues += [
        (f"remove.{at}", "This line is among the items, too: change it or remove it")
        for at, id in enumerate(gone)
        if id in seen
    ]
    if issues:
        raise InvalidInput.of(issues)


def _new(account: Account, one: Mapping[str, Any], position: int) -> LibraryItem:
    item = LibraryItem(account=account, position=position, **one)
    item.search = _words(item.name, item.description)
    return item


def _fields(item: LibraryItem, one: Mapping[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in one.items() if name != "id"}
    return {
        **fields,
        "search": _words(fields.get("name", item.name), fields.get("description", item.description)),
    }


def _words(name: str, description: str) -> str:
    return fold(f"{name}\n{description}")
