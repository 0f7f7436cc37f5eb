"""Event programs of 500 sessions by 200 speakers: a guest's first view, the owner's pages, and moving a session.

The floors read and write the same rows with raw statements. The benchmark runs on PostgreSQL if WORKSPACE_DATABASE_URL
names a server. The goal for a first view is 100 ms and 60 kB compressed with gzip.

    python benchmarks/bench_programs.py
"""

from __future__ import annotations

import gzip
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from html import escape
from typing import Any

from read_growth import cost, database  # sets up Django

# isort: split
from django.db import connection
from django.test import Client
from table import Row, markdown

from workspace.accounts.models import Account, Person
from workspace.brand.active_brand import use_brand
from workspace.lib import clock
from workspace.products.event.domain.calendar_feed import build_calendar
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Day, Event, Room, Session, SessionSpeaker, Speaker
from workspace.products.event.public import views
from workspace.products.event.public.filters import ProgramFilter
from workspace.products.event.rules.session_times import compute_session_times, format_minutes
from workspace.publishing.models import Address

SESSIONS, SPEAKERS, ROOMS, DAYS = 500, 200, 10, 5
GOAL = 100  # milliseconds for a first view
TEXT = """bread market garden music paper light river stone wool honest craft trade young story winter summer table
window harvest night future small people machine health city water school letter color voice open ground"""
WORDS = TEXT.split()
READ = (
    "SELECT id, date, label FROM event_day WHERE event_id = %s AND binned_at IS NULL ORDER BY date",
    "SELECT id, name FROM event_room WHERE event_id = %s AND binned_at IS NULL ORDER BY position",
    "SELECT id, name, image_id FROM event_speaker WHERE event_id = %s AND binned_at IS NULL ORDER BY position",
    "SELECT s.session_id, s.speaker_id FROM event_sessionspeaker s JOIN event_session e ON e.id = s.session_id "
    "WHERE e.event_id = %s ORDER BY s.position",
    'SELECT id, day_id, room_id, title, start, "end", track, cancelled, description FROM event_session '
    "WHERE event_id = %s AND binned_at IS NULL ORDER BY position",
)


def filled(sessions: int) -> Event:
    drawn = random.Random(1)
    account = Account.open(Person.objects.create_user("programs@example.com"), name="Programs")
    Account.objects.filter(pk=account.pk).update(chosen_plans={"program": "pro"})
    account.refresh_from_db()
    tracks = [{"name": name, "color": "#b3261e"} for name in ("Craft", "Trade", "City")]
    event = Event.open(account, title="The great conference", time_zone="Europe/Berlin", tracks=tracks)
    today = clock.today("Europe/Berlin")
    days = [Day.objects.create(event=event, date=today + timedelta(days=number)) for number in range(DAYS)]
    rooms = [Room.objects.create(event=event, name=f"Room {n}", name_key=f"room {n}", position=n) for n in range(ROOMS)]
    people = Speaker.objects.bulk_create(
        Speaker(event=event, name=f"{drawn.choice(WORDS)} {drawn.choice(WORDS)}son".title(), bio="Bakes.", position=n)
        for n in range(SPEAKERS)
    )
    rows = []
    for number in range(sessions):
        day, place = days[number % DAYS], number // DAYS
        start, end = (format_minutes(9 * 60 + place // ROOMS * 50 + more) for more in (0, 45))
        starts_at, ends_at = compute_session_times(day.date, start, end, event.zone)
        rows.append(
            Session(
                event=event, day=day, room=rooms[place % ROOMS], title=" ".join(drawn.sample(WORDS, 6)).capitalize(),
                start=start, end=end, starts_at=starts_at, ends_at=ends_at, track=drawn.choice(tracks)["name"],
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


def by_hand(event: Event) -> str:
    """Return the same rows as lines of HTML, and nothing else."""
    with connection.cursor() as cursor:
        found = []
        for statement in READ:
            cursor.execute(statement, [event.pk])
            found.append(cursor.fetchall())
    days, rooms, people, links, sessions = found
    room, name = dict(rooms), {id: name for id, name, _ in people}
    who: dict[str, list[str]] = {}
    for session, speaker in links:
        who.setdefault(session, []).append(name[speaker])
    lines = {
        id: [
            f'<li id="{one[0]}"><a href="/e/{event.slug}/s/{one[0]}">{escape(one[3])}</a><p>{one[4]}–{one[5]} '
            f"{escape(room.get(one[2], ''))} {escape(one[6])}</p><p>{escape(' · '.join(who.get(one[0], ())))}</p></li>"
            for one in sessions
            if one[1] == id
        ]
        for id, _, _ in days
    }
    return "".join(f"<h2>{day}</h2><ul>{''.join(lines[id])}</ul>" for id, day, _ in days)


def guests(event: Event) -> Iterator[Row]:
    address = Address.find_by_slug("program", event.slug)
    assert address is not None

    def render_program(wishes: ProgramFilter) -> bytes:
        with use_brand(event.account):
            return views.render_program(address, wishes).html.encode()

    guest = Client(HTTP_HOST="127.0.0.1:8000")
    numbers = itertools.count(1)

    def get_cached_page() -> None:
        number = next(numbers)
        place = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        assert guest.get(f"/e/{event.slug}", REMOTE_ADDR=place).status_code == 200

    def feed() -> bytes:
        program = Program.load(event)
        return build_calendar(program, program.sessions, event.title)

    page = render_program(ProgramFilter())
    size = f"{len(gzip.compress(page, 6)) / 1000:.1f} kB in gzip; goals: {GOAL} ms, 60 kB"
    low = cost(partial(by_hand, event))
    bare = cost(lambda: guest.get("/static/public/icon.svg"))
    yield _measure_row("a guest's first view, drawn", partial(render_program, ProgramFilter()), low, size)
    yield _measure_row("the same, kept until the next edge", get_cached_page, bare, "beside a small file")
    yield _measure_row("searched without script", partial(render_program, ProgramFilter(text="honest glass")), low)
    yield _measure_row("the whole calendar", feed, low)


def owners(event: Event) -> Iterator[Row]:
    owner = Client(HTTP_HOST="127.0.0.1:8000")
    owner.force_login(event.account.owner)
    low = cost(partial(by_hand, event))
    home = f"/app/event/{event.pk}"

    def opened(path: str) -> None:
        assert owner.get(home + path).status_code == 200

    for what, path in (
        ("table of a day", ""),
        ("grid of a day", "/grid"),
        ("speakers", "/speakers"),
        ("look", "/look"),
    ):
        yield _measure_row(f"their owner's {what}", partial(opened, path), low)
    first = event.sessions.order_by("pk").first()
    assert first is not None
    times = itertools.cycle(["10:10", "12:20"])

    def moved() -> None:
        sent = {"start_time": next(times), "_day": first.day_id}
        assert owner.post(f"{home}/grid/{first.pk}", sent, HTTP_HX_REQUEST="true").status_code == 200

    yield _measure_row(
        "a session that is dragged", moved, cost(partial(moved_by_hand, event, first)), "and render the grid"
    )


def moved_by_hand(event: Event, session: Session) -> str:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE event_session SET position = position + 1 WHERE id = %s", [session.pk])
    return by_hand(event)


def _measure_row(
    what: str, work: Callable[[], object], low: float, note: str = "beside the same rows as bare lines"
) -> Row:
    told = cost(work)
    return Row(f"{what}, {SESSIONS} sessions", f"{told:.1f} ms", f"{low:.2f} ms", low / told, note=note)


def measure() -> list[Row]:
    with database():
        event = filled(SESSIONS)
        return [*guests(event), *owners(event)]


if __name__ == "__main__":
    table: Any = measure()
    print(json.dumps({"rows": [asdict(row) for row in table]}) if "--json" in sys.argv else markdown(table))
