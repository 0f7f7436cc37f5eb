"""What a demo account is filled with: each product registers a function that makes something worth looking at."""

from __future__ import annotations

from collections.abc import Callable

from workspace.accounts.models import Account

_fillers: list[Callable[[Account], None]] = []


def register(filler: Callable[[Account], None]) -> None:
    """Called by a product's AppConfig.ready."""
    _fillers.append(filler)


def fill(account: Account) -> None:
    for filler in _fillers:
        filler(account)
