"""All URLs of the service outside of products: account pages, sign-in, administrator's pages and public pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.urls import get_resolver

_PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")
# the name in `samples.things` of the item in a route, by the start of the route
_IDS = {
    "app/account/calendars/": "calendar",
    "app/account/contacts/": "address_book",
    "app/account/payments/": "payment",
    "app/jobs/": "job",
    "app/support/": "ticket",
    "pay/": "payment",
}
_VALUES = {
    "slug": "undo",
    "product": "qr",
    "plan": "pro",
    "name": "shop",
    "width": "320",
    "what": "door",
    "kind": "qr",
    "provider": "stripe",
}
_PRODUCTS = "workspace.products."
# URLs of files, covered by other tests
_SKIPPED = ("^styles/", "files/", "pictures/", "hooks/")


def addresses(made: dict[str, str]) -> list[str]:
    return sorted({f"/{_concrete(route, made)}" for route in _routes(get_resolver().url_patterns)})


def _routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        if hasattr(pattern, "url_patterns"):
            if not str(getattr(pattern.urlconf_name, "__name__", "")).startswith(_PRODUCTS):
                yield from _routes(pattern.url_patterns, before + str(pattern.pattern))
        elif not (route := before + str(pattern.pattern)).startswith(_SKIPPED):
            yield route


def _concrete(route: str, made: dict[str, str]) -> str:
    kind = next((made[name] for begin, name in _IDS.items() if route.startswith(begin)), "1")
    filled = _PART.sub(lambda found: _VALUES.get(found[1] or found[2], kind), route)
    return filled.removeprefix("^").removesuffix("$").replace("/?", "")
