"""The guests of a demo: made up, and the same at every filling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeVar

from workspace.analytics.ingest import Arrival, enter
from workspace.analytics.visitor import Visitor, digest
from workspace.lib import clock

T = TypeVar("T")
Weighted = tuple[tuple[T, int], ...]

_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Crowd:
    """Who comes; `places` are a city and its country."""

    devices: Weighted[str]
    places: Weighted[tuple[str, str]]
    referrers: Weighted[str] = (("", 1),)

    def guest(self, name: str, chance: Random) -> Visitor:
        """The same name on one day is the same guest."""
        city, country = one_of(self.places, chance)
        device, referrer = one_of(self.devices, chance), one_of(self.referrers, chance)
        return Visitor(False, device, city, country, referrer, digest("demo", name))


_NEIGHBOURS = Crowd(devices=(("phone", 1),), places=((("Vienna", "Austria"), 1),))


def one_of(choices: Iterable[tuple[T, int]], chance: Random) -> T:
    values, weights = zip(*choices, strict=True)
    chosen: T = chance.choices(values, weights)[0]
    return chosen


def a_few(publication_id: str, events: Mapping[str, range], *, days: int, seed: int) -> Iterator[Arrival]:
    """Neighbours with phones, on each of the last days as many as the range of the event has."""
    chance = Random(seed)  # noqa: S311 - the same guests every time
    for ago in range(1, days):
        for event, least_to_most in events.items():
            for number in range(chance.choice(least_to_most)):
                at = clock.now() - timedelta(days=ago, minutes=chance.randrange(600))
                yield Arrival(publication_id, event, "", at, _NEIGHBOURS.guest(f"{event} {ago} {number}", chance))


def come(arrivals: Iterable[Arrival]) -> None:
    """Write them as visits, in the order of time."""
    ordered = sorted(arrivals, key=lambda arrival: arrival.at)
    for start in range(0, len(ordered), _TOGETHER):
        enter(ordered[start : start + _TOGETHER])
