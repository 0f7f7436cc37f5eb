"""Whose pages are being drawn: what the shared frame of guests' pages wears, unless a page brings a look of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import Look

_worn: ContextVar[Brand | Account | None] = ContextVar("worn", default=None)
_tone: ContextVar[str | None] = ContextVar("tone", default=None)


@contextmanager
def wearing(whose: Brand | Account | None) -> Iterator[None]:
    """What is drawn inside wears this brand, or the account's, which is read when a page asks for it; None for
    nobody's."""
    token = _worn.set(whose)
    try:
        yield
    finally:
        _worn.reset(token)


@contextmanager
def toned(tone: str) -> Iterator[None]:
    """What is drawn inside is dark or light, whatever its look says; "" as the hour has it."""
    token = _tone.set(tone)
    try:
        yield
    finally:
        _tone.reset(token)


def in_tone(look: Look) -> Look:
    tone = _tone.get()
    return look if tone is None else replace(look, tone=tone)


def worn() -> Brand:
    """Nobody's where none is worn, which is the house's."""
    found = _worn.get()
    return Brand.of(found) if isinstance(found, Account) else found or Brand()
