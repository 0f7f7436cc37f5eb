"""Demo data: a festival by the water, today and tomorrow, so that a session is always running."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.event.domain import days_rooms_tracks, speakers_and_blocks
from workspace.products.event.domain.program import Program
from workspace.products.event.domain.sessions import save_sessions
from workspace.products.event.models import Block, Event, Speaker
from workspace.tools.object_parser import Issues

ROOMS = ("Main stage", "Boathouse", "Quay tent")
TRACKS = (("Music", "#8a3b6e"), ("Hands-on", "#3f7d3a"), ("Talks", "#1d6b8f"))
SPEAKERS = (
    ("Mara Lindqvist", "Boat builder", "Pier 9", "Builds wooden dinghies and teaches others how."),
    ("Tomás Rivera", "Marine biologist", "Tidewater Lab", "Counts dolphins and knows most of them by name."),
    ("Ines Okafor", "Singer", "", "Sings harbor songs from Lagos to Lisbon."),
    ("Jonas Weber", "Cook", "Salt & Smoke", "Smokes fish over beech wood for twelve hours."),
    ("Priya Nair", "Cartographer", "", "Maps coastlines that keep changing."),
)
# day, start, end, title, room, speakers, track, kind, description
SESSIONS = (
    (0, "09:30", "10:00", "Doors open and coffee on the quay", "Quay tent", "", "", "social", ""),
    (0, "10:00", "10:45", "What the dolphins did last winter", "Main stage", "Tomás Rivera", "Talks", "talk",
     "We tracked forty dolphins for a year. Here’s what they tell us about our water."),
    (0, "10:00", "12:00", "Carve your own paddle", "Boathouse", "Mara Lindqvist", "Hands-on", "talk",
     "Wood and knives are provided. 16 places, ages 10 and up."),
    (0, "11:00", "11:45", "Maps of a moving coast", "Main stage", "Priya Nair", "Talks", "talk", ""),
    (0, "12:00", "13:30", "Smoked fish and flatbread", "Quay tent", "Jonas Weber", "", "meal", ""),
    (0, "13:30", "14:30", "Knots that hold", "Boathouse", "Mara Lindqvist", "Hands-on", "talk", ""),
    (0, "14:00", "15:00", "Shanties for beginners", "Main stage", "Ines Okafor", "Music", "talk",
     "No experience needed. Everyone sings along."),
    (0, "15:00", "15:30", "Tea", "Quay tent", "", "", "break", ""),
    (0, "15:30", "16:30", "Who owns the shore?", "Main stage", "Priya Nair; Tomás Rivera", "Talks", "talk", ""),
    (0, "17:00", "18:30", "Homemade boat race", "", "", "", "social", ""),
    (0, "20:00", "23:30", "Ines Okafor and the Low Tide Band", "Main stage", "Ines Okafor", "Music", "talk", ""),
    (1, "10:00", "11:00", "Morning sail for families", "", "Mara Lindqvist", "Hands-on", "talk", ""),
    (1, "11:00", "12:00", "Cooking with seaweed", "Quay tent", "Jonas Weber", "Hands-on", "talk", ""),
    (1, "12:30", "13:30", "Brass on the breakwater", "Main stage", "", "Music", "talk", ""),
    (1, "14:00", "15:00", "Prizes and thanks", "Main stage", "", "", "social", ""),
)  # fmt: skip
BLOCKS = (
    {"kind": "sponsor", "title": "Salt & Smoke", "tier": "Gold", "url": "https://example.com/salt"},
    {"kind": "sponsor", "title": "Pier 9 Boatyard", "tier": "Gold", "url": "https://example.com/pier9"},
    {"kind": "sponsor", "title": "Harbour Radio", "tier": "Media", "url": "https://example.com/radio"},
    {"kind": "info", "title": "Getting here", "text": "Tram 4 to *Old Port*. There is **no parking** on the quay."},
    {
        "kind": "info",
        "title": "Wi-Fi",
        "text": "Network `Harbour`, no password. The signal is best near the boathouse.",
    },
)


def fill_account(account: Account) -> None:
    today = clock.today(account.time_zone)
    event = Event.open(
        account,
        title="Harbour Days",
        time_zone=account.time_zone,
        venue="Old Port",
        address="Quay 1",
        description="Two days of boats, songs and smoked fish. Free entry, mostly outdoors.",
    )
    days = [today, today + timedelta(days=1)]
    days_rooms_tracks.set_days(event, [{"date": day} for day in days], Issues(), is_journaled=False)
    days_rooms_tracks.set_rooms(event, [{"name": name} for name in ROOMS], Issues(), is_journaled=False)
    days_rooms_tracks.set_tracks(
        event, [{"name": name, "color": color} for name, color in TRACKS], Issues(), is_journaled=False
    )
    people: list[dict[str, Any]] = [
        {"name": name, "role": role, "organization": organization, "bio": bio}
        for name, role, organization, bio in SPEAKERS
    ]
    speakers_and_blocks.save_parts(event, Speaker, people, [], None, max_count=len(people), is_journaled=False)
    speakers_and_blocks.save_parts(event, Block, BLOCKS, [], None, max_count=len(BLOCKS), is_journaled=False)
    names = ("day", "start_time", "end_time", "title", "location", "speakers", "track", "kind", "description")
    entries: list[dict[str, Any]] = [dict(zip(names, session, strict=True)) for session in SESSIONS]
    for entry in entries:
        entry["day"] = days[entry["day"]].isoformat()
        entry["speakers"] = [name for name in entry["speakers"].split("; ") if name]
    save_sessions(Program.load(event), [("", entry) for entry in entries], is_journaled=False)
