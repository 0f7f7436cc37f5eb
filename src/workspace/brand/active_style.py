"""Whose pages are being drawn: what the shared frame of guests' pages wears, unless a page brings a look of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import Style

_active_brand: ContextVar[Brand | Account | None] = ContextVar("worn", default=None)
_active_tone: ContextVar[str | None] = ContextVar("tone", default=None)


@contextmanager
def use_brand(whose: Brand | Account | None) -> Iterator[None]:
    """What is drawn inside wears this brand, or the account's, which is read when a page asks for it; None for
    nobody's."""
    token = _active_brand.set(whose)
    try:
        yield
    finally:
        _active_brand.reset(token)


@contextmanager
def use_tone(tone: str) -> Iterator[None]:
    """What is drawn inside is dark or light, whatever its look says; "" as the hour has it."""
    token = _active_tone.set(tone)
    try:
        yield
    finally:
        _active_tone.reset(token)


def apply_tone(look: Style) -> Style:
    tone = _active_tone.get()
    return look if tone is None else replace(look, tone=tone)


def active_brand() -> Brand:
    """Nobody's where none is worn, which is the house's."""
    found = _active_brand.get()
    return Brand.for_account(found) if isinstance(found, Account) else found or Brand()
