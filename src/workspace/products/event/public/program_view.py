"""A program as guests see it at a moment: days and hours with their sessions, what is on now and what is next. All
times of its pages come from the instants of the sessions, by `clock_of`, and in the browser by one function too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import groupby
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from workspace.products.event.domain.program import Program
from workspace.products.event.models import Block, Day, Session
from workspace.products.event.public.filters import Wishes
from workspace.products.event.rules.track_colors import seen
from workspace.publishing import language
from workspace.publishing.locale import voice

MOST_COLUMNS = 6  # rooms side by side; more of them stand as cards that say their room
MOST_FACES = 3  # of a session in the list
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Line:
    """A session in a list. `starts` and `ends` are ISO with the program's offset, empty where none is told, `begin` and
    `until` the same in minutes for what is on now, also where no end is told. `column` is of its room, 0 for none."""

    id: str
    title: str
    cancelled: bool
    kind: str
    starts: str
    ends: str
    start: str
    end: str
    begin: int | None
    until: int | None
    label: str
    day: str
    room: str
    room_id: str
    column: int
    track: str
    colour: str
    speakers: str
    faces: Sequence[str]  # ids of pictures
    said: str
    session: Session


@dataclass(frozen=True, slots=True)
class Hour:
    """What begins at one moment; a list without a time has no heading."""

    starts: str
    start: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class DayShown:
    key: str  # its date
    title: str
    short: str
    label: str
    is_over: bool
    is_today: bool
    hours: Sequence[Hour]
    rooms: Sequence[str]  # in which something is, in their owner's order

    @property
    def heads(self) -> Sequence[str]:
        """The rooms where they stand as columns."""
        return _columns(self.rooms)

    @property
    def columns(self) -> str:
        """The name of the grid: of so many columns, of cards beside one another, or of one list."""
        return f" n{len(self.heads)}" if self.heads else " many" if self.rooms[1:] else ""


@dataclass(frozen=True)
class Board:
    program: Program
    now: datetime
    wishes: Wishes = field(default_factory=Wishes)

    @cached_property
    def zone(self) -> ZoneInfo:
        return self.program.event.zone

    @cached_property
    def lines(self) -> dict[str, Line]:
        """All sessions, by their ids."""
        colours = {track["name"]: seen(track["colour"]) for track in self.program.event.tracks}
        found = {}
        for day in self.program.days:
            sessions = self.on[day.pk]
            columns = {name: number for number, name in enumerate(_columns(self._rooms_of(sessions)), start=1)}
            short = language.short_day_of_week(day.date, voice().language)
            for session in sessions:
                found[session.pk] = self._line(session, short, columns, colours)
        return found

    @cached_property
    def on(self) -> dict[str, list[Session]]:
        """The sessions of each day, by its id."""
        found: dict[str, list[Session]] = {day.pk: [] for day in self.program.days}
        for session in self.program.sessions:
            found[session.day_id].append(session)
        return found

    @cached_property
    def days(self) -> list[DayShown]:
        """Those with sessions that are asked for; every day where nothing is."""
        found = []
        for day in self.program.days:
            lines = [line for session in self.on[day.pk] if self._fits(line := self.lines[session.pk])]
            if lines or not self.wishes:
                found.append(self._day(day, lines))
        return found

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(day.date.isoformat(), _short(day)) for day in self.program.days]

    @cached_property
    def found(self) -> int:
        return sum(len(hour.lines) for day in self.days for hour in day.hours)

    @cached_property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    @cached_property
    def is_over(self) -> bool:
        return bool(self.program.sessions) and not any(map(self._is_to_come, self.program.sessions))

    @cached_property
    def on_now(self) -> list[Line]:
        return [self.lines[slot.id] for slot in self.program.running(self.now).now]

    @cached_property
    def coming(self) -> list[Line]:
        return [self.lines[slot.id] for slot in self.program.running(self.now).next]

    @cached_property
    def tracks(self) -> list[str]:
        used = {session.track for session in self.program.sessions}
        named = [track["name"] for track in self.program.event.tracks if track["name"] in used]
        return named + sorted(used - {*named, ""})

    @cached_property
    def rooms(self) -> list[tuple[str, str]]:
        used = {session.room_id for session in self.program.sessions}
        return [(room.pk, room.name) for room in self.program.rooms if room.pk in used]

    @cached_property
    def when(self) -> str:
        """`15–17 May 2026`; days that are no neighbours are told one by one, few as they are."""
        dates = [day.date for day in self.program.days]
        if not dates:
            return ""
        if (dates[-1] - dates[0]).days == len(dates) - 1 or len(dates) > 4:
            return language.days(dates[0], dates[-1], voice().language)
        return language.listed([language.day(one, voice().language) for one in dates], voice().language)

    @cached_property
    def times_line(self) -> str:
        """Return `Times: Central European Summer Time (Paris)`, or `Times in Paris` if the clock changes within."""
        place = self.zone.key.rpartition("/")[2].replace("_", " ")
        starts = [one.starts_at for one in self.program.sessions if one.starts_at] or [self.now]
        if len({at.astimezone(self.zone).utcoffset() for at in starts}) > 1:
            return gettext("Times in %(place)s") % {"place": place}
        words = language.zone_in_words(starts[0], self.zone, voice().language)
        return gettext("Times: %(what)s") % {"what": f"{words} ({place})"}

    @property
    def fresh_until(self) -> datetime | None:
        """The next moment at which the page is another one."""
        return min((edge for edge in self._edges() if edge > self.now), default=None)

    def ads(self, place: str) -> list[Block]:
        return [ad for ad in self.program.ads(self.now) if ad.place == place]

    def _edges(self) -> Iterator[datetime]:
        for session in self.program.sessions:
            if session.starts_at:
                yield session.starts_at
        yield from self.program.ends.values()
        for block in self.program.blocks:
            if block.kind == Block.AD:
                yield from (edge for edge in (block.shows_from, block.shows_until) if edge)
        # past days are folded, and today's is marked
        dates = [day.date for day in self.program.days]
        for day in {*dates, *(one + timedelta(days=1) for one in dates)}:
            yield datetime.combine(day, datetime.min.time(), self.zone).astimezone(UTC)

    def _day(self, day: Day, lines: Sequence[Line]) -> DayShown:
        by_start = groupby(lines, key=lambda line: (line.starts, line.start))
        is_over = not self.is_over and not any(map(self._is_to_come, self.on[day.pk]))
        return DayShown(
            key=day.date.isoformat(),
            title=language.day_of_week(day.date, voice().language),
            short=_short(day),
            label=day.label,
            is_over=is_over and bool(lines) and not self.wishes,
            is_today=day.date == self.today,
            hours=[Hour(starts, start, list(those)) for (starts, start), those in by_start],
            rooms=self._rooms_of(self.on[day.pk]),
        )

    def _is_to_come(self, session: Session) -> bool:
        """Or goes on; what has no time is as long as its day is."""
        if session.starts_at is None:
            return session.day.date >= self.today
        return self.program.ends.get(session.pk, session.starts_at) > self.now

    def _rooms_of(self, sessions: Sequence[Session]) -> list[str]:
        """The rooms of a day, in their owner's order."""
        used = {session.room_id for session in sessions}
        return [room.name for room in self.program.rooms if room.pk in used]

    def _line(
        self,
        session: Session,
        day: str,
        columns: dict[str, int],
        colours: dict[str, str],
    ) -> Line:
        starts, ends = clock_of(session.starts_at, self.zone), clock_of(session.ends_at, self.zone)
        until = self.program.ends.get(session.pk) or session.ends_at
        room = session.room.name if session.room else ""
        speakers = self.program.speakers_of(session)
        return Line(
            id=session.pk,
            title=session.title,
            cancelled=session.cancelled,
            kind=session.kind,
            starts=starts.isoformat(timespec="minutes") if starts else "",
            ends=ends.isoformat(timespec="minutes") if ends else "",
            start=f"{starts:%H:%M}" if starts else "",
            end=f"{ends:%H:%M}" if ends else "",
            begin=_minutes(session.starts_at),
            until=_minutes(until),
            label=session.time_label,
            day=day,
            room=room,
            room_id=session.room_id or "",
            column=columns.get(room, 0),
            track=session.track,
            colour=colours.get(session.track, ""),
            speakers=" · ".join(one.name for one in speakers),
            faces=[one.picture_id for one in speakers if one.picture_id][:MOST_FACES],
            said=session.description,
            session=session,
        )

    def _fits(self, line: Line) -> bool:
        wishes = self.wishes
        return not wishes or (
            wishes.room in ("", line.room_id)
            and wishes.track in ("", line.track)
            and wishes.day in ("", line.session.day.date.isoformat())
            and wishes.finds(line.title, line.speakers, line.room, line.track, line.label, line.said)
        )


def clock_of(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """An instant as the clocks of the program show it."""
    return moment.astimezone(zone) if moment else None


def _columns(rooms: Sequence[str]) -> Sequence[str]:
    """Those of a day's rooms that stand side by side: all of them, or none."""
    return rooms if 1 < len(rooms) <= MOST_COLUMNS else []


def _minutes(moment: datetime | None) -> int | None:
    return int(moment.timestamp()) // 60 if moment else None


def _short(day: Day) -> str:
    return language.short_day_of_week(day.date, voice().language)
