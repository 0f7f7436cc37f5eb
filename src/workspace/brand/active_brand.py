"""The brand and tone used to render guest pages, unless a page has its own style."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace

from workspace.accounts.models import Account
from workspace.brand.models import Brand
from workspace.brand.style import Style

_active_brand: ContextVar[Brand | Account | None] = ContextVar("active_brand", default=None)
_active_tone: ContextVar[str | None] = ContextVar("active_tone", default=None)


@contextmanager
def use_brand(owner: Brand | Account | None) -> Iterator[None]:
    """Use this brand for pages rendered inside the context, or the brand of an account, which is loaded on demand.

    None means the default brand.
    """
    token = _active_brand.set(owner)
    try:
        yield
    finally:
        _active_brand.reset(token)


@contextmanager
def use_tone(tone: str) -> Iterator[None]:
    """Use this tone (`dark` or `light`) for pages rendered inside the context, regardless of their style.

    With "", the guest's device decides.
    """
    token = _active_tone.set(tone)
    try:
        yield
    finally:
        _active_tone.reset(token)


def apply_tone(style: Style) -> Style:
    tone = _active_tone.get()
    return style if tone is None else replace(style, tone=tone)


def active_brand() -> Brand:
    """Return the active brand, or the default one."""
    found = _active_brand.get()
    return Brand.for_account(found) if isinstance(found, Account) else found or Brand()
