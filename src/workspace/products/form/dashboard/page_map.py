"""The pages of a form below one another, and its jumps as lines beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace.products.form.dashboard.condition_text import Sentences
from workspace.products.form.rules.evaluation import END
from workspace.products.form.rules.field_types import NOTHING, family
from workspace.products.form.rules.reachability import Ways

MOST_LINES = 6  # side by side; further jumps are told in words alone
WIDE = 12  # CSS pixels of one
# where a line leaves its page and comes to it, in hundredths of the page's height
LEAVES, COMES = 75, 25


@dataclass(slots=True)
class Stop:
    """A page on the map, or the end. `lines` are paths in a box of `width` by 100."""

    key: str
    name: str
    asked: int = 0
    jumps: list[Mapping[str, Any]] = field(default_factory=list)
    onward: str = ""
    goes_on: bool = False  # to the next one
    is_never: bool = False
    has_next: bool = False
    lines: list[str] = field(default_factory=list)
    comes: bool = False  # a line leads here


def drawn(pages: Sequence[Mapping[str, Any]], ways: Ways, words: Sentences) -> tuple[list[Stop], int]:
    """Pages as the tools write them; the stops, and how wide their lines are."""
    names = [*words.names.values(), "Sent"]
    stops = [_stop(page, ways, words, names[place + 1]) for place, page in enumerate(pages)]
    stops.append(Stop(END, "Sent"))
    places = {stop.key: place for place, stop in enumerate(stops)}
    ends: list[int] = []  # of the last line in each lane
    for start, page in enumerate(pages):
        for way in ways.leaps[page["key"]]:
            end = places[way.to]
            if not way.is_taken or end == start + 1:
                continue
            lane = next((lane for lane, last in enumerate(ends) if last < start), len(ends))
            if lane >= MOST_LINES:
                continue
            ends[lane : lane + 1] = [end]
            x = WIDE * lane + WIDE // 2
            stops[start].lines.append(f"M0 {LEAVES}H{x}V100")
            stops[end].lines.append(f"M{x} 0V{COMES}H0")
            stops[end].comes = True
            for between in stops[start + 1 : end]:
                between.lines.append(f"M{x} 0V100")
    return stops, WIDE * len(ends)


def _stop(page: Mapping[str, Any], ways: Ways, words: Sentences, following: str) -> Stop:
    key, leaps = page["key"], ways.leaps[page["key"]]
    goes_on, is_never = key in ways.onward, key in ways.never
    to = "it is sent" if following == "Sent" else f"on to “{following}”"
    if goes_on:
        onward = f"Otherwise {to}" if leaps else f"Then {to}"
    else:
        onward = ""
    return Stop(
        key,
        words.names[key],
        asked=sum(family(one["type"]) != NOTHING for one in page["fields"]),
        jumps=[
            {"text": text, "is_taken": way.is_taken or is_never}
            for text, way in zip(words.jumps(page), leaps, strict=True)
        ],
        onward=onward,
        goes_on=goes_on,
        is_never=is_never,
        has_next=True,
    )
