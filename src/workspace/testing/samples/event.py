"""Samples of event programs, for the tests across all products."""

from __future__ import annotations

from typing import Any

from workspace.products.event.models import StarList
from workspace.testing.api import Api

DAYS = [{"date": "2037-05-15", "label": "Talks"}, {"date": "2037-05-16"}]
SESSIONS: list[dict[str, Any]] = [
    {"title": "Opening *words*", "start_time": "09:00", "end_time": "09:30", "location": "Hall", "speakers": ["Ada"]},
    {"title": "Boats", "start_time": "09:30", "end_time": "11:00", "location": "Hall", "track": "Water"},
    {"title": "Lunch", "kind": "meal", "time_label": "when you are hungry"},
    {"title": "Walk", "day": "2037-05-16", "start_time": "10:00", "description": "Along the *quay*"},
]  # fmt: skip
CSV = "day,start,end,title,location,speakers\n2037-05-15,14:00,15:00,Knots,Deck,Ada King; Bo Lind\n"


def make_event(api: Api, number: int = 0) -> dict[str, Any]:
    """Return the answer of svc_event_create: two days, four sessions."""
    return dict(
        api.run("svc_event_create", title=f"Harbour Days {number}", time_zone="UTC", days=DAYS, sessions=SESSIONS)
    )


def create_samples(api: Api) -> dict[str, str]:
    """Create an item of every kind that ids refer to."""
    event = make_event(api)
    [sponsor] = api.run(
        "svc_event_save_blocks", event_id=event["id"], items=[{"kind": "sponsor", "title": "Pier *1*", "tier": "Gold"}]
    )["items"]
    api.run("svc_event_edit", event_id=event["id"], published=True)
    one, other, *_ = event["schedule"]
    starred = StarList.objects.create(event_id=event["id"], sessions=[one["id"]])
    return {
        "event": event["id"],
        "token": starred.pk,
        "session": one["id"],
        "other_session": other["id"],
        "day": event["day_list"][1]["id"],
        "room": event["rooms"][0]["id"],
        "speaker": event["speakers"][0]["id"],
        "block": sponsor["id"],
    }


SAMPLES = {
    "svc_event_list": lambda made: {},
    "svc_event_get": lambda made: {"id": made["event"]},
    "svc_event_add_session": lambda made: {
        "event_id": made["event"], "title": "Sails", "start_time": "09:15", "end_time": "10:00", "day": "Talks",
        "location": "hall", "speaker_ids": [made["speaker"]], "description": "Of *cloth*", "time_label": "early",
    },
    "svc_event_create": lambda made: {
        "title": "Trade *Day*", "days": DAYS, "rooms": [{"name": "Hall"}, {"name": "Deck"}],
        "tracks": [{"name": "Water"}], "sessions": SESSIONS, "venue": "Old *Port*", "address": "Quay 1",
        "description": "All *day*",
    },
    "svc_event_edit": lambda made: {
        "event_id": made["event"], "title": "Harbour *Nights*", "time_zone": "Asia/Tokyo", "published": True,
        "days": [*DAYS, {"date": "2037-05-17", "label": "Clearing *up*"}],
        "rooms": [{"id": made["room"], "name": "Great *Hall*"}, {"name": "Deck"}],
        "tracks": [{"name": "Water", "color": "#123456"}],
    },
    "svc_event_save_sessions": lambda made: {
        "event_id": made["event"],
        "items": [
            {"id": made["session"], "start_time": "10:00", "cancelled": True},
            {"title": "Ropes", "day": "2037-05-16", "start_time": "00:30", "speakers": ["Cy *Z*"], "location": "Deck",
             "links": [{"label": "Slides", "url": "https://example.com/s"}], "kind": "social"},
        ],
        "remove": [made["other_session"]],
    },
    "svc_event_save_speakers": lambda made: {
        "event_id": made["event"],
        "items": [
            {"id": made["speaker"], "bio": "Builds *boats*", "role": "Wright", "organization": "Dock *2*"},
            {"name": "Bo *Lind*", "links": [{"label": "Home", "url": "https://example.com"}]},
        ],
    },
    "svc_event_save_blocks": lambda made: {
        "event_id": made["event"],
        "items": [
            {"kind": "info", "title": "Wi-Fi", "text": "Network *quay*"},
            {"kind": "ad", "title": "Ropes *cheap*", "place": "top", "url": "https://example.com/ropes",
             "shows_from": "2037-05-01T00:00", "shows_until": "2037-06-01T00:00"},
        ],
        "remove": [made["block"]],
    },
    "svc_event_delete": lambda made: {"ids": [made["session"], made["room"], made["speaker"]]},
    "svc_event_stats": lambda made: {"event_id": made["event"], "days": 7},
    "svc_event_export": lambda made: {"event_id": made["event"]},
}  # fmt: skip


def _longer(api: Api, number: int) -> None:
    oldest = api.run("svc_event_list")["items"][-1]["id"]
    session = {
        "title": f"More {number}",
        "start_time": "12:00",
        "speakers": [f"Speaker {number}"],
        "location": "Deck",
    }
    api.run("svc_event_save_sessions", event_id=oldest, items=[session])


LISTS = {"svc_event_list": make_event}
ADDRESSES = {
    "id": "event", "session": "session", "speaker": "speaker", "block": "block", "name": "rooms", "kind": "sponsor",
    "direction": "up", "token": "token",
}  # fmt: skip
