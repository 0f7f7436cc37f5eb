"""Personal data in programs.

Erasing a person deletes their speaker and removes their email address from all other text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workspace.accounts.models import Account, Upload
from workspace.products.event.models import Block, Day, Event, Room, Session, Speaker
from workspace.publishing.privacy import item_table, part_table

_SPEAKER = part_table(
    Speaker,
    "event",
    "speaker",
    identity_columns=("name", "bio"),
    page=lambda item: f"/app/event/{item.event_id}/speakers",
)


def _erase_person(account: Account, rows: Sequence[Speaker]) -> None:
    pictures = [row.image_id for row in rows if row.image_id]
    if _SPEAKER.delete_rows is not None:
        _SPEAKER.delete_rows(account, rows)
    Upload.release_and_delete(pictures)


PERSONAL_DATA = (
    item_table(Event, "program", dashboard_path="/app/event"),
    part_table(Day, "event", "day of a program", page=lambda day: f"/app/event/{day.event_id}"),
    part_table(Room, "event", "room of a program", page=lambda room: f"/app/event/{room.event_id}"),
    replace(_SPEAKER, delete_rows=_erase_person, image_columns=("image",)),
    part_table(Session, "event", "session", page=lambda session: f"/app/event/{session.event_id}"),
    part_table(Block, "event", "part of a program", page=lambda block: f"/app/event/{block.event_id}/more"),
)
