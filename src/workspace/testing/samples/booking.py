"""Samples of booking pages, for the tests across all products."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

from workspace.lib import clock
from workspace.testing.api import Api

ALWAYS = [{"from": "00:00", "until": "00:00"}]
QUESTION = {"label": "Which *color*?", "type": "choice", "options": ["Red", "Blue"], "required": True}
CUT = {"name": "Cut", "duration": 30, "price": 45, "notice": 0, "buffer_after": 10, "questions": [QUESTION]}
_minutes = itertools.count(0, 45)


def iso_time(clock: str, days: int = 1) -> str:
    return tomorrow(clock, days).isoformat()


def iso_date(days: int = 1) -> str:
    return tomorrow(days=days).date().isoformat()


SAMPLES = {
    "svc_booking_pages": lambda made: {},
    "svc_booking_list": lambda made: {"page_id": made["booking_page"], "upcoming": False},
    "svc_booking_availability": lambda made: {
        "page_id": made["booking_page"], "service_id": made["service"], "date": iso_date()
    },
    "svc_booking_cancel": lambda made: {"page_id": made["booking_page"], "booking_id": made["booking"]},
    "svc_booking_get": lambda made: {"page_id": made["booking_page"]},
    "svc_booking_create": lambda made: {
        "name": "Ada's *Hair*", "place": "Main street 1", "hours": ALWAYS, "services": [CUT], "language": "en"
    },
    "svc_booking_edit": lambda made: {
        "page_id": made["booking_page"], "description": "By the *river*", "time_zone": "Asia/Tokyo",
        "overrides": [
            {"from": iso_date(20), "to": iso_date(21)},
            {"from": iso_date(22), "windows": [{"from": "09:00", "until": "12:00"}]},
        ],
        "blocks": [{"start": iso_time("10:00", 23), "end": iso_time("11:00", 23), "reason": "Dentist"}],
        "remove": [made["blocked_time"]],
    },
    "svc_booking_save_services": lambda made: {
        "page_id": made["booking_page"],
        "items": [{"id": made["service"], "price": 50}, {"name": "Color", "duration": 90, "daily_cap": 3}],
        "remove": [made["other_service"]],
    },
    "svc_booking_find_times": lambda made: {
        "page_id": made["booking_page"], "service_id": made["service"], "from": iso_date(), "explain": True
    },
    "svc_booking_save_bookings": lambda made: {
        "page_id": made["booking_page"],
        "items": [{"id": made["booking"], "note": "Likes *tea*", "phone": "+43 660 1234567"}],
    },
    "svc_booking_delete": lambda made: {"ids": [made["other_service"], made["blocked_time"]]},
    "svc_booking_stats": lambda made: {"page_id": made["booking_page"], "days": 7},
    "svc_booking_export": lambda made: {"kind": "bookings", "page_id": made["booking_page"]},
}  # fmt: skip


def _booking(api: Api, number: int) -> Any:
    page = api.run("svc_booking_pages")["items"][-1]
    start = tomorrow("11:00", 2) + timedelta(minutes=next(_minutes))
    item = {"service_id": page["services"][0]["id"], "start": start.isoformat(), "name": f"Guest {number}"}
    return api.run("svc_booking_save_bookings", page_id=page["id"], items=[item])


LISTS = {"svc_booking_list": _booking}
ADDRESSES = {
    "service": "other_service", "booking": "booking", "block": "blocked_time", "id": "booking_page", "token": "nothing"
}  # fmt: skip


def create_samples(api: Api) -> dict[str, str]:
    page = api.run(
        "svc_booking_create", name="Studio Ada", hours=ALWAYS, time_zone="UTC",
        services=[CUT, {"name": "Fringe", "duration": 15}],
    )  # fmt: skip
    blocked = api.run(
        "svc_booking_edit", page_id=page["id"], blocks=[{"start": iso_time("15:00", 3), "end": iso_time("16:00", 3)}]
    )
    item = {
        "service_id": page["services"][0]["id"], "start": iso_time("10:00", -1), "name": "Ada King",
        "email": "ada@example.com", "answers": {QUESTION["label"]: "Red"}, "ignore_rules": True,
    }  # fmt: skip
    [booking] = api.run("svc_booking_save_bookings", page_id=page["id"], items=[item])["saved"]
    return {
        "booking_page": page["id"],
        "service": page["services"][0]["id"],
        "other_service": page["services"][1]["id"],
        "booking": booking["id"],
        "blocked_time": blocked["blocks"][0]["id"],
    }


def tomorrow(clock_time: str = "10:00", days: int = 1) -> datetime:
    """Return a time on a later day, in UTC."""
    day = clock.now().date() + timedelta(days=days)
    return datetime.fromisoformat(f"{day} {clock_time}").replace(tzinfo=UTC)
