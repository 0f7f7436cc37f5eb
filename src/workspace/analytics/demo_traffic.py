"""Generated visits for demo data. They are the same each time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import TypeVar

from workspace.analytics.ingest import IncomingVisit, write_visits
from workspace.analytics.visitor import Visitor
from workspace.lib import clock
from workspace.storage.client_address import compute_digest

T = TypeVar("T")
Weighted = tuple[tuple[T, int], ...]

_BATCH_SIZE = 500


@dataclass(frozen=True, slots=True)
class DemoTraffic:
    """The distribution of demo visitors. `places` are pairs of a city and its country."""

    devices: Weighted[str]
    places: Weighted[tuple[str, str]]
    referrers: Weighted[str] = (("", 1),)

    def create_visitor(self, name: str, chance: Random) -> Visitor:
        """Create a visitor. The same name on the same day yields the same visitor."""
        city, country = choose_weighted(self.places, chance)
        device, referrer = choose_weighted(self.devices, chance), choose_weighted(self.referrers, chance)
        return Visitor(False, device, city, country, referrer, compute_digest("demo", name))


_NEIGHBORS = DemoTraffic(devices=(("phone", 1),), places=((("Vienna", "Austria"), 1),))


def choose_weighted(choices: Iterable[tuple[T, int]], chance: Random) -> T:
    values, weights = zip(*choices, strict=True)
    chosen: T = chance.choices(values, weights)[0]
    return chosen


def generate_visits(
    publication_id: str, events: Mapping[str, range], *, days: int, seed: int
) -> Iterator[IncomingVisit]:
    """Yield visits of local guests who use phones.

    The number per event and day is random, within the event's range.
    """
    chance = Random(seed)  # noqa: S311 - the same guests each time
    for ago in range(1, days):
        for event, least_to_most in events.items():
            for number in range(chance.choice(least_to_most)):
                at = clock.now() - timedelta(days=ago, minutes=chance.randrange(600))
                yield IncomingVisit(
                    publication_id, event, "", at, _NEIGHBORS.create_visitor(f"{event} {ago} {number}", chance)
                )


def save_visits(arrivals: Iterable[IncomingVisit]) -> None:
    """Write generated visits, ordered by time."""
    ordered = sorted(arrivals, key=lambda arrival: arrival.at)
    for start in range(0, len(ordered), _BATCH_SIZE):
        write_visits(ordered[start : start + _BATCH_SIZE])
