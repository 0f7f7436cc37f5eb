"""The Content-Security-Policy of our pages.

A page may contain only the style elements that `brand.inline_styles` rendered for it: the policy contains their hashes.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

_style_hashes: ContextVar[dict[str, None] | None] = ContextVar("style_hashes", default=None)


@contextmanager
def collect_style_hashes() -> Iterator[dict[str, None]]:
    """Yield the hashes of styles that are allowed inside the context, in order.

    They are also yielded to an outer context.
    """
    outer, hashes = _style_hashes.get(), dict[str, None]()
    token = _style_hashes.set(hashes)
    try:
        yield hashes
    finally:
        _style_hashes.reset(token)
        if outer is not None:
            outer.update(hashes)


def allow_styles(hashes: Iterable[str]) -> None:
    """Allow style elements with these hashes on the page of the current response."""
    if (allowed := _style_hashes.get()) is not None:
        allowed.update(dict.fromkeys(hashes))


@lru_cache(maxsize=1024)
def hash_style(css: str) -> str:
    """Return the CSP source that allows exactly this inline style sheet."""
    return f"sha256-{base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()}"


def style_sources() -> str:
    """Return the sources of the directive `style-src`: our own files, and the styles of the page."""
    return " ".join(["'self'", *(f"'{each}'" for each in _style_hashes.get() or ())])


def build_policy(frame_ancestors: str = "'none'") -> str:
    """Return the Content-Security-Policy of a page that these sources may embed in a frame.

    It has no form-action, because Chromium applies that to the redirect after the consent form, whose target is the
    client's address.
    """
    return (
        f"default-src 'self'; img-src 'self' data: blob:; style-src {style_sources()}; script-src 'self'; "
        f"object-src 'none'; base-uri 'none'; frame-ancestors {frame_ancestors}"
    )
