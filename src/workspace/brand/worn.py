"""Whose pages are being drawn: what the shared frame of guests' pages wears, unless a page brings a look of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from workspace.accounts.models import Account
from workspace.brand.models import Brand

_worn: ContextVar[Brand | Account | None] = ContextVar("worn", default=None)


@contextmanager
def wearing(whose: Brand | Account | None) -> Iterator[None]:
    """What is drawn inside wears this brand, or the account's, which is read when a page asks for it; None for
    nobody's."""
    token = _worn.set(whose)
    try:
        yield
    finally:
        _worn.reset(token)


def worn() -> Brand:
    """Nobody's where none is worn, which is the house's."""
    found = _worn.get()
    return Brand.of(found) if isinstance(found, Account) else found or Brand()
