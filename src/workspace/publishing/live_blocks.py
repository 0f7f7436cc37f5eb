"""Live blocks: what one product shows of another's thing on a guest's page (a link page's "newest review", "today's
menu").

A product registers a provider for its kind, and another shows a block of a thing that its owner has named, without
knowing who stands behind: neither imports the other. What is not public is not shown, whatever its provider says. When
something that guests see of a thing has changed, those who show it hear of it and draw anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from workspace.accounts.models import Account
from workspace.lib.weekly_hours import earliest_moment


@dataclass(frozen=True, slots=True)
class LiveBlock:
    """A heading, a few lines of plain text, and where a click leads; `fresh_until` is when it changes by itself."""

    heading: str
    lines: tuple[str, ...]
    url: str
    label: str
    fresh_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class BlockChoice:
    """A thing of which a block can show something, and what that is: `Today's menu: Trattoria`."""

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

    def items_for(self, account: Account) -> QuerySet[Any]:
        return self.model._default_manager.select_related("account", "publication").filter(account=account)


_kinds: dict[str, _BlockKind] = {}
_listeners: list[Listener] = []


def register(kind: str, title: str, things: type[Model], provider: Provider) -> None:
    """`provider(thing)` answers what to show now of a thing that is public, or None for nothing."""
    _kinds[kind] = _BlockKind(title, things, provider)


def list_kinds() -> dict[str, str]:
    """Every kind of block that can be shown here, with its title."""
    return {kind: found.title for kind, found in _kinds.items()}


def list_choices(account: Account, ids: Collection[str] | None = None) -> list[BlockChoice]:
    """What the account can show, or what of these ids; a query for each kind."""
    if ids is not None and not ids:
        return []
    return [
        BlockChoice(kind, thing.pk, f"{known.title}: {thing}", thing.publication.is_public)
        for kind, known in _kinds.items()
        for thing in (known.items_for(account) if ids is None else known.items_for(account).filter(pk__in=ids))
    ]


def find_block(kind: str, account: Account, id: str) -> LiveBlock | None:
    """What there is to show now of one of the account's things; None for nothing, and for what is not public."""
    known = _kinds.get(kind)
    thing = known.items_for(account).filter(pk=id).first() if known else None
    if known is None or thing is None or not thing.publication.is_public:
        return None
    found = known.provider(thing)
    if found is None:
        return None
    return replace(found, fresh_until=earliest_moment((found.fresh_until, thing.publication.expires_at)))


def add_listener(listener: Listener) -> None:
    """`listener(account, kind)` is called, inside the change's transaction, when a block's content may have changed.
    The account comes as itself or as its id."""
    _listeners.append(listener)


def notify_changed(account: Account | str, kind: str) -> None:
    """Something of this kind has changed. Where no block shows any of it, nobody needs to hear."""
    if kind not in _kinds:
        return
    for listener in _listeners:
        listener(account, kind)
