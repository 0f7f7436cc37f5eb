"""Pages that may be compressed although caches may not store them.

The length of a compressed page can reveal a secret on it to an attacker who makes the browser request the page
repeatedly (BREACH). The dashboard's pages contain no key, token or sign-in link, so they may be compressed. Their URLs
are marked:

    urlpatterns = [...]
    mark_compressible(urlpatterns)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.urls import URLPattern

_MARK = "is_compressible"


def mark_compressible(patterns: Iterable[URLPattern]) -> None:
    """Mark the views of these URL patterns."""
    for pattern in patterns:
        setattr(pattern.callback, _MARK, True)


def is_compressible(view: Callable[..., Any]) -> bool:
    """Return whether the view was marked."""
    return getattr(view, _MARK, False)
