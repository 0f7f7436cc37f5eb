"""All URLs of a product, built from its samples.

`ADDRESSES` in a sample gives the value of each route parameter except the slug: a name in the result of `make`, or a
literal string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.urls import URLPattern

_PART = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^)]*\)")


def samples_of(name: str) -> Any:
    return import_module(f"workspace.testing.samples.{name}")


def owners(name: str, made: dict[str, str]) -> list[str]:
    """Return the paths below /app/NAME."""
    routes = import_module(f"workspace.products.{name}.dashboard.urls").urlpatterns
    return [f"/app/{name}{path}" for path in _paths(routes, _values(name, made))]


def owners_with_id(name: str, made: dict[str, str]) -> list[str]:
    return [path for path in owners(name, made) if any(id in path for id in made.values())]


def guests(name: str, slug: str, made: dict[str, str]) -> list[str]:
    """Return the paths of a published item: its page first, then the paths below its slug."""
    routes = [route for route in import_module(f"workspace.products.{name}.urls").urlpatterns if _has_slug(route)]
    values = {**_values(name, made), "slug": slug}
    return ["/" + path for form in ("svg", "png") for path in _paths(routes, {**values, "form": form})]


def _has_slug(route: Any) -> bool:
    # share pictures are slow to render, and covered by test_share_pictures
    is_share = str(getattr(route, "name", "")).endswith("-share")
    return isinstance(route, URLPattern) and "slug" in str(route.pattern) and not is_share


def _values(name: str, made: dict[str, str]) -> dict[str, str]:
    return {part: made.get(value, value) for part, value in samples_of(name).ADDRESSES.items()}


def _paths(routes: list[Any], values: dict[str, str]) -> Iterator[str]:
    for route in routes:
        path = _PART.sub(lambda found: values[found[1] or found[2]], str(route.pattern))
        # remains of a regular expression
        yield re.sub(r"\[(\w)\w\]", r"\1", path.removeprefix("^").removesuffix("$")).replace("\\", "")
