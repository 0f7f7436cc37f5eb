"""Live blocks: what one product shows of another on a guest's page (a link page's "newest review", "today's menu").

A product registers a provider for its kind, and another shows it without knowing who stands behind: neither imports the
other. When what a provider shows has changed, its product says `changed`, and those who show it draw anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from workspace.accounts.models import Account


@dataclass(frozen=True, slots=True)
class LiveBlock:
    """A heading, a few lines of plain text, and where a click leads; `fresh_until` is when it changes by itself."""

    heading: str
    lines: tuple[str, ...]
    url: str
    label: str
    fresh_until: datetime | None = None


Provider = Callable[[Account], LiveBlock | None]
Listener = Callable[[Account, str], None]
_providers: dict[str, tuple[str, Provider]] = {}
_listeners: list[Listener] = []


def register(kind: str, title: str, provider: Provider) -> None:
    """`provider(account)` answers what to show now, or None for nothing. Registered in an app's `ready`."""
    _providers[kind] = (title, provider)


def kinds() -> dict[str, str]:
    """Every kind of block that can be shown here, with its title."""
    return {kind: title for kind, (title, _) in _providers.items()}


def block(kind: str, account: Account) -> LiveBlock | None:
    found = _providers.get(kind)
    return found[1](account) if found else None


def listen(listener: Listener) -> None:
    """`listener(account, kind)` is called, inside the change's transaction, when a block's content may have changed."""
    _listeners.append(listener)


def changed(account: Account, kind: str) -> None:
    """Something of this kind has changed. Where no block shows any of it, nobody needs to hear."""
    if kind not in _providers:
        return
    for listener in _listeners:
        listener(account, kind)
