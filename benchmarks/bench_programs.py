"""A guest's program of 500 sessions by 200 speakers: what drawing it takes of the processor, and how large it is. The
goals are 100 ms and 60 kB; a page is drawn once for a version and an edge of its schedule, and kept.

Runs alone: python benchmarks/bench_programs.py. `WORKSPACE_DATABASE_URL` names an empty PostgreSQL database, else it is
SQLite.
"""

from __future__ import annotations

import gzip
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta

os.environ.update(WORKSPACE_DATA=tempfile.mkdtemp(prefix="workspace-bench-"), WORKSPACE_OUTBOX="off")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "workspace.settings")

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from workspace.brand.worn import wearing
from workspace.products.event import pages
from workspace.products.event.feeds import calendar
from workspace.products.event.models import Day, Event, Room, Session, SessionSpeaker, Speaker
from workspace.products.event.program import Program
from workspace.products.event.rules.times import clock_text, moments
from workspace.products.event.sifting import Wishes
from workspace.publishing.models import Address
from workspace.testing import make_account

SESSIONS, SPEAKERS, ROOMS, DAYS = 500, 200, 10, 5
WORDS = [
    "glass",
    "bread",
    "market",
    "garden",
    "music",
    "paper",
    "light",
    "river",
    "stone",
    "wool",
    "honest",
    "craft",
    "trade",
    "young",
    "story",
    "winter",
    "summer",
    "table",
    "window",
    "harvest",
    "night",
    "future",
    "small",
    "people",
    "machine",
    "health",
    "city",
    "water",
    "school",
    "letter",
    "colour",
    "voice",
    "open",
    "ground",
]


def told(name: str, act: Callable[[], int], times: int = 30) -> None:
    spent = []
    for _ in range(times):
        begun = time.process_time()
        size = act()
        spent.append((time.process_time() - begun) * 1000)
    p95 = statistics.quantiles(spent, n=20)[-1]
    print(f"{name}: {size:,}, median {statistics.median(spent):.1f} ms, p95 {p95:.1f} ms")


def stored() -> Event:
    call_command("migrate", verbosity=0)
    drawn = random.Random(1)
    event = Event.open(
        make_account(),
        title="The great conference",
        time_zone="Europe/Berlin",
        tracks=[{"name": name, "colour": "#b3261e"} for name in ("Craft", "Trade", "City")],
    )
    days = [Day.objects.create(event=event, date=date.today() + timedelta(days=number)) for number in range(DAYS)]
    rooms = [Room.objects.create(event=event, name=f"Room {n}", folded=f"room {n}", position=n) for n in range(ROOMS)]
    people = Speaker.objects.bulk_create(
        Speaker(event=event, name=f"{drawn.choice(WORDS)} {drawn.choice(WORDS)}son".title(), bio="Bakes.", position=n)
        for n in range(SPEAKERS)
    )
    rows = []
    for number in range(SESSIONS):
        day, place = days[number % DAYS], number // DAYS
        start, end = (clock_text(9 * 60 + place // ROOMS * 50 + more) for more in (0, 45))
        starts_at, ends_at = moments(day.date, start, end, event.zone)
        rows.append(
            Session(
                event=event, day=day, room=rooms[place % ROOMS], title=" ".join(drawn.sample(WORDS, 6)).capitalize(),
                start=start, end=end, starts_at=starts_at, ends_at=ends_at,
                track=drawn.choice(["Craft", "Trade", "City"]),
                description=" ".join(drawn.choices(WORDS, k=60)), position=place,
            )
        )  # fmt: skip
    Session.objects.bulk_create(rows)
    SessionSpeaker.objects.bulk_create(
        SessionSpeaker(session=one, speaker=speaker, position=place)
        for one in rows
        for place, speaker in enumerate(drawn.sample(people, drawn.choice([1, 1, 2])))
    )
    return event


def main() -> None:
    event = stored()
    address = Address.find("program", event.slug)
    assert address is not None

    def page(wishes: Wishes) -> bytes:
        with wearing(event.account):
            return pages.drawn(address, wishes).html.encode()

    body = page(Wishes())
    print(f"the page: {len(body):,} bytes, {len(gzip.compress(body, 6)):,} in gzip")
    told(f"{connection.vendor}: the page, bytes", lambda: len(page(Wishes())))
    told(f"{connection.vendor}: searched without script, bytes", lambda: len(page(Wishes(text="honest glass"))))
    told(f"{connection.vendor}: the whole calendar, bytes", lambda: _feed(event))


def _feed(event: Event) -> int:
    program = Program.of(event)
    return len(calendar(program, program.sessions, event.title))


if __name__ == "__main__":
    main()
