"""A program with all of its parts, for guest pages, feeds, answers and conflicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from unicodedata import bidirectional

from django.db.models import QuerySet

from workspace.products.event import messages
from workspace.products.event.models import Block, Day, Event, Room, Session, SessionSpeaker, Speaker
from workspace.products.event.rules.conflicts import Conflict, find_conflicts
from workspace.products.event.rules.now_and_next import NowAndNext, compute_ends, find_now_and_next
from workspace.products.event.rules.session_slot import Slot
from workspace.storage.database.compiled_function import compile_once


@compile_once
def _days_of(event: Event) -> QuerySet[Day]:
    return event.days.all()


@compile_once
def _rooms_of(event: Event) -> QuerySet[Room]:
    return event.rooms.all()


@compile_once
def _speakers_of(event: Event) -> QuerySet[Speaker]:
    return event.speakers.all()


@compile_once
def _blocks_of(event: Event) -> QuerySet[Block]:
    return event.blocks.all()


@compile_once
def _sessions_of(event: Event) -> QuerySet[Session]:
    return event.sessions.order_by("position", "id")


@compile_once
def _speaker_links_of(event: Event) -> QuerySet[SessionSpeaker, tuple[str, str]]:
    links = SessionSpeaker.objects.filter(session__event=event, session__binned_at=None)
    return links.values_list("session_id", "speaker_id")


@dataclass(frozen=True)
class Program:
    """A program with its parts.

    `days` are in the order of dates, `rooms`, `speakers` and `blocks` in the owner's order, `sessions` by day and
    position. Accessing a session's `event`, `day` and `room` runs no query. `speakers_for` returns its speakers.
    """

    event: Event
    days: Sequence[Day]
    rooms: Sequence[Room]
    sessions: Sequence[Session]
    speakers: Sequence[Speaker]
    blocks: Sequence[Block]
    speaker_ids: Mapping[str, Sequence[str]]  # ids of speakers in order, by the id of a session

    @classmethod
    def load(cls, event: Event) -> Program:
        """Load a program with six queries, however large it is."""
        days, rooms = _days_of.fetch(event), _rooms_of.fetch(event)
        speakers, blocks = _speakers_of.fetch(event), _blocks_of.fetch(event)
        day_of, room_of = {day.pk: day for day in days}, {room.pk: room for room in rooms}
        known = {speaker.pk for speaker in speakers}
        # sorted in memory: rows of sessions contain only the id of the day, not its date
        sessions = [session for session in _sessions_of.fetch(event) if session.day_id in day_of]
        sessions.sort(key=lambda session: day_of[session.day_id].date)
        for session in sessions:
            session.event, session.day = event, day_of[session.day_id]
            session.room = room_of.get(session.room_id or "")
        speaking: dict[str, list[str]] = {}
        for session_id, speaker in _speaker_links_of.fetch(event):
            if speaker in known:
                speaking.setdefault(session_id, []).append(speaker)
        return cls(event, days, rooms, sessions, speakers, blocks, speaking)

    @cached_property
    def slots(self) -> Sequence[Slot]:
        return [session.to_slot(self.speaker_ids.get(session.pk, ())) for session in self.sessions]

    @cached_property
    def ends(self) -> Mapping[str, datetime]:
        """The end of each session, keyed by session id. Untimed and cancelled sessions are left out."""
        return compute_ends(self.slots)

    @cached_property
    def clashes(self) -> Sequence[Conflict]:
        return find_conflicts(self.slots)

    @cached_property
    def sessions_by_id(self) -> Mapping[str, Session]:
        return {session.pk: session for session in self.sessions}

    @cached_property
    def speakers_by_id(self) -> Mapping[str, Speaker]:
        return {speaker.pk: speaker for speaker in self.speakers}

    def speakers_for(self, session: Session) -> list[Speaker]:
        return [self.speakers_by_id[id] for id in self.speaker_ids.get(session.pk, ())]

    def sessions_for(self, speaker: Speaker) -> list[Session]:
        return [session for session in self.sessions if speaker.pk in self.speaker_ids.get(session.pk, ())]

    def running_at(self, at: datetime) -> NowAndNext:
        """Return the slots that are running at a time, and the next ones."""
        return find_now_and_next(self.slots, at)

    @cached_property
    def sponsors(self) -> Sequence[Block]:
        """The sponsors of all tiers, in the owner's order."""
        return [block for block in self.blocks if block.kind == Block.SPONSOR]

    @cached_property
    def sponsors_by_tier(self) -> Mapping[str, Sequence[Block]]:
        """The sponsors by tier. Tiers are in the order in which they first occur."""
        result: dict[str, list[Block]] = {}
        for sponsor in self.sponsors:
            result.setdefault(sponsor.tier, []).append(sponsor)
        return result

    @cached_property
    def info_pages(self) -> Sequence[Block]:
        return [block for block in self.blocks if block.kind == Block.INFO]

    def ads_at(self, at: datetime) -> list[Block]:
        """Return the ads shown at a time. Each has a `place`."""
        return [
            block
            for block in self.blocks
            if block.kind == Block.AD
            and (block.shows_from is None or block.shows_from <= at)
            and (block.shows_until is None or at < block.shows_until)
        ]


def describe_conflict(program: Program, clash: Conflict) -> str:
    """Describe a conflict: the two sessions, the time, and the room or speaker."""
    first, second = program.sessions_by_id[clash.first], program.sessions_by_id[clash.second]
    days = dict.fromkeys(session.day.date.isoformat() for session in (first, second))
    shared = {"first": _format_session(first), "second": _format_session(second), "days": ", ".join(days)}
    if clash.room:
        room = next(room.name for room in program.rooms if room.pk == clash.room)
        return str(messages.CONFLICT_IN_ROOM(room=room, **shared))
    return str(messages.CONFLICT_OF_SPEAKER(speaker=program.speakers_by_id[clash.speaker].name, **shared))


def _format_session(session: Session) -> str:
    return f"“{_isolate_direction(session.title)}” ({_format_times(session)})"


def _isolate_direction(title: str) -> str:
    """Isolate a title that is written from right to left, so that the words around it are not reordered."""
    is_turned = any(bidirectional(char) in ("R", "AL") for char in title)
    return f"\u2068{title}\u2069" if is_turned else title


def _format_times(session: Session) -> str:
    return f"{session.start}–{session.end}" if session.end else session.start
