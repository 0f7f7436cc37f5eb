"""Looking up the days, rooms, speakers and tracks of sessions by id or name.

Missing ones are created where this is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from workspace.lib.errors import InvalidInputError
from workspace.products.event import messages
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Day, Room, Speaker, Track, name_key
from workspace.products.event.rules.limits import MAX_DAYS, MAX_ROOMS, MAX_SPEAKERS, MAX_TRACKS
from workspace.storage import journal
from workspace.tools.object_parser import Issues

_DATE_PATTERN = re.compile(r"\d{4}-\d{2}-\d{2}")
# for tracks without a chosen color; white text is readable on each
TRACK_COLORS = ("#1d6b8f", "#8a3b6e", "#3f7d3a", "#a4501d", "#5b4bb0", "#8c6a12", "#b03a48", "#2f6f6a")


class NameResolver:
    """A resolver for the names of a program.

    `adds_days` means that an unknown date becomes a new day. `is_journaled` means that new rows are recorded in the
    journal."""

    def __init__(self, program: Program, issues: Issues, *, adds_days: bool = False, is_journaled: bool = True) -> None:
        self.event, self.issues, self.adds_days, self.is_journaled = program.event, issues, adds_days, is_journaled
        self.days = list(program.days)
        self.rooms = {room.name_key: room for room in program.rooms}
        self.speakers = {speaker.pk: speaker for speaker in program.speakers}
        self.by_name = {name_key(speaker.name): speaker for speaker in reversed(program.speakers)}
        self.tracks: list[Track] = [*self.event.tracks]
        self.created_names: list[str] = []  # names of new rooms and speakers
        self._new_days: list[Day] = []
        self._new_rooms: list[Room] = []
        self._new_speakers: list[Speaker] = []

    def resolve_day(self, text: str, path: str) -> Day | None:
        """Return a day by its date, id or exact label. For an empty string, return the first day."""
        if not text:
            if self.days:
                return min(self.days, key=lambda day: day.date)
            self.issues.add(path, messages.DAYS_NEEDED)
            return None
        for day in self.days:
            if text in (day.date.isoformat(), day.pk):
                return day
        labelled = [day for day in self.days if day.label and day.label == text]
        if labelled:
            return labelled[0]
        if self.adds_days and (date := _parse_date(text)) is not None:
            return self._add_day(date, path)
        known = ", ".join(day.date.isoformat() + (f" ({day.label})" if day.label else "") for day in self.days)
        self.issues.add(path, messages.UNKNOWN_DAY(known=known) if known else messages.DAYS_NEEDED)
        return None

    def _add_day(self, on: date, path: str) -> Day | None:
        if len(self.days) >= MAX_DAYS:
            self.issues.add(path, messages.DAY_LIMIT(most=MAX_DAYS))
            return None
        day = Day(event=self.event, date=on)
        self.days.append(day)
        self._new_days.append(day)
        return day

    def resolve_room(self, name: str) -> Room | None:
        """Find or create the room with this name. Return None for an empty name."""
        name = " ".join(name.split())
        if not name:
            return None
        room = self.rooms.get(name_key(name))
        if room is None:
            room = Room(event=self.event, name=name, name_key=name_key(name))
            self.rooms[room.name_key] = room
            self._new_rooms.append(room)
        return room

    def resolve_speakers(self, fields: Mapping[str, Any], path: str) -> list[Speaker] | None:
        """Return the speakers with these ids or names. Return None if neither ids nor names are given."""
        if "speaker_ids" in fields and "speakers" in fields:
            self.issues.add(f"{path}speakers", messages.SPEAKERS_TWICE)
            return None
        if "speaker_ids" in fields:
            for number, id in enumerate(fields["speaker_ids"]):
                if id not in self.speakers:
                    self.issues.add(f"{path}speaker_ids.{number}", messages.SPEAKER_NOT_FOUND)
            speakers = [self.speakers[id] for id in fields["speaker_ids"] if id in self.speakers]
        elif "speakers" in fields:
            speakers = [self._resolve_speaker(name) for name in fields["speakers"]]
        else:
            return None
        return list({speaker.pk: speaker for speaker in speakers}.values())

    def _resolve_speaker(self, name: str) -> Speaker:
        speaker = self.by_name.get(name_key(name))
        if speaker is None:
            speaker = Speaker(event=self.event, name=" ".join(name.split()))
            self.by_name[name_key(name)] = self.speakers[speaker.pk] = speaker
            self._new_speakers.append(speaker)
        return speaker

    def resolve_track(self, name: str) -> str:
        """Return the name as it is spelled in the program. Create the track if it does not exist."""
        name = " ".join(name.split())
        for track in self.tracks:
            if name_key(track["name"]) == name_key(name):
                return track["name"]
        if name:
            self.tracks.append({"name": name, "color": TRACK_COLORS[len(self.tracks) % len(TRACK_COLORS)]})
        return name

    def save_created(self) -> None:
        """Save new rows. Raise InvalidInputError if a limit is exceeded."""
        for limit_message, result, most in (
            (messages.ROOM_LIMIT, self.rooms, MAX_ROOMS),
            (messages.SPEAKER_LIMIT, self.speakers, MAX_SPEAKERS),
            (messages.TRACK_LIMIT, self.tracks, MAX_TRACKS),
        ):
            if len(result) > most:
                raise InvalidInputError.at_path("items", limit_message(most=most))
        _append_positions(self._new_rooms, [room.position for room in self.rooms.values()])
        _append_positions(self._new_speakers, [speaker.position for speaker in self.speakers.values()])
        Day.objects.bulk_create(self._new_days)
        Room.objects.bulk_create(self._new_rooms)
        Speaker.objects.bulk_create(self._new_speakers)
        if self.is_journaled:
            journal.record_new_rows(*self._new_days, *self._new_rooms, *self._new_speakers)
        if len(self.tracks) != len(self.event.tracks):
            if self.is_journaled:
                journal.update_row(self.event, tracks=self.tracks)
            else:
                self.event.tracks = self.tracks
                self.event.save(update_fields=["tracks"])
        self.created_names = [str(speaker) for speaker in (*self._new_days, *self._new_rooms, *self._new_speakers)]
        self._new_days, self._new_rooms, self._new_speakers = [], [], []


def _append_positions(new: Sequence[Room | Speaker], present: Sequence[int]) -> None:
    first = max(present, default=-1) + 1
    for number, item in enumerate(new):
        item.position = first + number


def _parse_date(text: str) -> date | None:
    if not _DATE_PATTERN.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
