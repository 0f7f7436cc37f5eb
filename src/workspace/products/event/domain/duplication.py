"""Copies of a program with other dates."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, TypeVar

from workspace.accounts.models import Upload
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Block, Day, Event, Room, Session, SessionSpeaker, Speaker
from workspace.products.event.rules.session_times import compute_session_times

Row = TypeVar("Row", Session, Speaker, Block)


def copy_program_parts(event: Event, model: Event, first_day: date | None) -> None:
    """Copy all days, rooms, sessions, speakers and blocks. If `first_day` is given, move the first day to this date.

    The journal is not used, because the parts are created and deleted together with the program.
    """
    program = Program.load(model)
    days = program.days
    shift = first_day - days[0].date if first_day is not None and days else timedelta()
    new_days = {day.pk: Day(event=event, date=day.date + shift, label=day.label) for day in days}
    rooms = {
        room.pk: Room(event=event, name=room.name, name_key=room.name_key, position=room.position)
        for room in program.rooms
    }
    speakers = {speaker.pk: _copy_row(speaker, event) for speaker in program.speakers}
    blocks = [_copy_row(block, event) for block in program.blocks]
    for block in blocks:
        block.shows_from, block.shows_until = (at and at + shift for at in (block.shows_from, block.shows_until))
    _claim_images(event, [*speakers.values(), *blocks])
    sessions = {}
    for session in program.sessions:
        made = _copy_row(session, event)
        made.day, made.room = new_days[session.day_id], rooms.get(session.room_id or "")
        made.starts_at, made.ends_at = compute_session_times(made.day.date, made.start, made.end, event.zone)
        made.sequence, made.changed_at = 0, event.created_at
        sessions[session.pk] = made
    Day.objects.bulk_create(new_days.values())
    Room.objects.bulk_create(rooms.values())
    Speaker.objects.bulk_create(speakers.values())
    Block.objects.bulk_create(blocks)
    Session.objects.bulk_create(sessions.values())
    SessionSpeaker.objects.bulk_create(
        SessionSpeaker(session=sessions[id], speaker=speakers[speaker], position=number)
        for id, speaking in program.speaker_ids.items()
        for number, speaker in enumerate(speaking)
    )


def _copy_row(row: Row, event: Event) -> Row:
    """Build a row with the same values and a new id."""
    names: list[Any] = [field for field in row._meta.concrete_fields if field.name not in ("id", "event")]
    return type(row)(event=event, **{name.attname: getattr(row, name.attname) for name in names})


def _claim_images(event: Event, rows: list[Speaker | Block]) -> None:
    """Increment the use counts of the images."""
    Upload.claim_many(event.account, [(row.image_id, "copy_of") for row in rows if row.image_id])
