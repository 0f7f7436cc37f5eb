"""The time zones that a guest chooses from: a place each, by continent."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

Region = tuple[str, tuple[tuple[str, str], ...]]


@cache
def list_regions(language: str) -> tuple[Region, ...]:
    """Those of tzdata's own list of places (`zone.tab`), without the old names for the same; UTC last. A place
    is called as the language calls it, where that has a name of its own for it."""
    from babel import Locale  # late: only who changes the zone pays for its tables

    known = Locale.parse(language).time_zones
    lines = files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    names = sorted({line.split("\t")[2] for line in lines if line and not line.startswith("#")})
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        region, _, place = name.partition("/")
        usual = place.replace("_", " ").replace("/", ", ")
        found.setdefault(region, []).append((name, str(known.get(name, {}).get("city", usual))))
    return (*((region, tuple(places)) for region, places in found.items()), ("UTC", (("UTC", "UTC"),)))
