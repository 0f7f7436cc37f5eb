"""Live blocks: content of one product's item on another product's guest page.

A link page can show "newest review" or "today's menu". One product registers a provider for its kind, and another shows
a block of an item that the owner selected. Neither imports the other. An item that is not public is not shown,
regardless of what its provider returns. When the content of an item may have changed, listeners are notified so that
they render their pages again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import Model, QuerySet

from workspace.accounts.models import Account
from workspace.lib.weekly_hours import earliest_moment
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.compiled_query import CompiledQuery, parameter


@dataclass(frozen=True, slots=True)
class LiveBlock:
    """A heading, a few lines of plain text, and a link. `fresh_until` is when the content will change."""

    heading: str
    lines: tuple[str, ...]
    url: str
    label: str
    fresh_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class BlockChoice:
    """An item that a block can show, with its title: `Today's menu: Trattoria`."""

    kind: str
    id: str
    title: str
    is_public: bool


Provider = Callable[[Any], LiveBlock | None]
Listener = Callable[[Account | str, str], None]


@dataclass(frozen=True, slots=True)
class _BlockKind:
    title: str
    model: type[Model]
    provider: Provider

    def list_items(self, account: Account, ids: Collection[str] | None) -> list[Any]:
        """Return the items of an account, or only those with these ids."""
        if ids is None:
            return _items_for.fetch(self.model, account)
        return _items_for.fetch_by_ids(sorted(ids), self.model, account)


@compile_once
def _items_for(model: type[Model], account: Account) -> QuerySet[Any]:
    return model._default_manager.select_related("account", "publication").filter(account=account)


_kinds: dict[str, _BlockKind] = {}
_listeners: list[Listener] = []


def register(kind: str, title: str, model: type[Model], provider: Provider) -> None:
    """Register a kind of block.

    `provider(item)` returns the block of a public item, or None if there is nothing to show.
    """
    _kinds[kind] = _BlockKind(title, model, provider)


def list_kinds() -> dict[str, str]:
    """Return the titles of all kinds of blocks, keyed by kind."""
    return {kind: found.title for kind, found in _kinds.items()}


def list_choices(account: Account, ids: Collection[str] | None = None) -> list[BlockChoice]:
    """Return the items that the account can show, or only those with these ids. Run one query per kind."""
    if ids is not None and not ids:
        return []
    return [
        BlockChoice(kind, item.pk, f"{known.title}: {item}", item.publication.is_public)
        for kind, known in _kinds.items()
        for item in known.list_items(account, ids)
    ]


def find_block(kind: str, account: Account, id: str) -> LiveBlock | None:
    """Return the current block of an item, or None if there is nothing to show or the item is not public."""
    known = _kinds.get(kind)
    item = next(iter(known.list_items(account, [id])), None) if known else None
    if known is None or item is None or not item.publication.is_public:
        return None
    found = known.provider(item)
    if found is None:
        return None
    return replace(found, fresh_until=earliest_moment((found.fresh_until, item.publication.expires_at)))


@cache
def _item_query(model: type[Model]) -> CompiledQuery[Any]:
    items = model._default_manager.select_related("publication")
    return CompiledQuery(lambda: items.filter(account_id=parameter("account"), pk=parameter("item")).order_by())


def add_listener(listener: Listener) -> None:
    """Register `listener(account, kind)` to be called when the content of a block may have changed.

    It runs in the transaction of the change. The account is passed as a model instance or as its id.
    """
    _listeners.append(listener)


def notify_changed(account: Account | str, kind: str) -> None:
    """Notify the listeners of a change to an item of this kind, if blocks can show the kind."""
    if kind not in _kinds:
        return
    for listener in _listeners:
        listener(account, kind)
