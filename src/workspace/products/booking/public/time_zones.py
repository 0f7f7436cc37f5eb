"""The time zones that a guest can choose, as places by continent."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from workspace.lib.languages import cldr_locale

Region = tuple[str, tuple[tuple[str, str], ...]]


@cache
def list_regions(language: str) -> tuple[Region, ...]:
    """Return the places in tzdata's `zone.tab`, without former names of the same zone. UTC comes last.

    Names of places are in `language` if CLDR contains them.
    """
    from babel import Locale  # imported late: its tables are needed only to change the time zone

    known = Locale.parse(cldr_locale(language)).time_zones
    lines = files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    names = sorted({line.split("\t")[2] for line in lines if line and not line.startswith("#")})
    result: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        region, _, place = name.partition("/")
        usual = place.replace("_", " ").replace("/", ", ")
        result.setdefault(region, []).append((name, str(known.get(name, {}).get("city", usual))))
    return (*((region, tuple(places)) for region, places in result.items()), ("UTC", (("UTC", "UTC"),)))
