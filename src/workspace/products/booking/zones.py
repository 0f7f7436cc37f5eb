"""The time zones that a guest chooses from: a place each, by continent."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

Region = tuple[str, tuple[tuple[str, str], ...]]


@cache
def by_region() -> tuple[Region, ...]:
    """Those of tzdata's own list of places (`zone.tab`), without the old names that stand for the same; UTC last."""
    lines = files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    names = sorted({line.split("\t")[2] for line in lines if line and not line.startswith("#")})
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        region, _, place = name.partition("/")
        found.setdefault(region, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return (*((region, tuple(places)) for region, places in found.items()), ("UTC", (("UTC", "UTC"),)))
