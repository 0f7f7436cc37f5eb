"""What a program holds of people: who speaks. A speaker goes whole when that person is erased; in any other text the
address goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workspace.accounts.models import Account, Upload
from workspace.products.event.models import Block, Day, Event, Room, Session, Speaker
from workspace.publishing.privacy import part, thing

_SPEAKER = part(
    Speaker, "event", "speaker", theirs=("name", "bio"), page=lambda one: f"/app/event/{one.event_id}/speakers"
)


def _drop(account: Account, rows: Sequence[Speaker]) -> None:
    pictures = [row.picture_id for row in rows if row.picture_id]
    if _SPEAKER.drop is not None:
        _SPEAKER.drop(account, rows)
    Upload.erase_many(pictures)


PERSONAL = (
    thing(Event, "program", home="/app/event"),
    part(Day, "event", "day of a program", page=lambda day: f"/app/event/{day.event_id}"),
    part(Room, "event", "room of a program", page=lambda room: f"/app/event/{room.event_id}"),
    replace(_SPEAKER, drop=_drop, pictures=("picture",)),
    part(Session, "event", "session", page=lambda session: f"/app/event/{session.event_id}"),
    part(Block, "event", "part of a program", page=lambda block: f"/app/event/{block.event_id}/more"),
)
