"""A program as guests see it at a given time: days and hours with sessions, the running ones, and the next ones.

`to_local_time` computes all displayed times from the times of sessions. The browser uses a single function for this,
too.
"""

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
from workspace.products.event.public.filters import ProgramFilter
from workspace.products.event.rules.track_colors import visible_color
from workspace.publishing import language
from workspace.publishing.locale import current_locale

MAX_COLUMNS = 6  # rooms side by side; if there are more, cards show the room
MAX_IMAGES = 3  # pictures of a session in the list


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A session in a list.

    `starts` and `ends` are ISO times with the program's offset; empty if not given. `begin_minute` and `until_minute`
    are the same times in minutes, used to show what is running now. They are also set if no end is given. `column` is
    the room's column, or 0 for none.
    """

    id: str
    title: str
    cancelled: bool
    kind: str
    starts: str
    ends: str
    start: str
    end: str
    begin_minute: int | None
    until_minute: int | None
    label: str
    day: str
    room: str
    room_id: str
    column: int
    track: str
    color: str
    speakers: str
    image_ids: Sequence[str]  # ids of pictures
    description: str
    session: Session


@dataclass(frozen=True, slots=True)
class StartGroup:
    """The sessions that start at the same time. A group without a time has no heading."""

    starts: str
    start: str
    lines: Sequence[SessionLine]


@dataclass(frozen=True, slots=True)
class DayView:
    """A day of the program, with its sessions grouped by start."""

    key: str  # the date
    title: str
    short: str
    label: str
    is_over: bool
    is_today: bool
    hours: Sequence[StartGroup]
    rooms: Sequence[str]  # rooms with sessions, in the owner's order

    @property
    def column_rooms(self) -> Sequence[str]:
        """The rooms, if they are displayed as columns."""
        return _column_rooms(self.rooms)

    @property
    def grid_class(self) -> str:
        """The CSS class of the grid, which shows a number of columns, cards side by side, or a single list."""
        return f" n{len(self.column_rooms)}" if self.column_rooms else " many" if self.rooms[1:] else ""


@dataclass(frozen=True)
class GuestProgram:
    """A program at the time `now`, limited by a filter."""

    program: Program
    now: datetime
    program_filter: ProgramFilter = field(default_factory=ProgramFilter)

    @cached_property
    def zone(self) -> ZoneInfo:
        return self.program.event.zone

    @cached_property
    def lines(self) -> dict[str, SessionLine]:
        """All sessions, keyed by id."""
        colors = {track["name"]: visible_color(track["color"]) for track in self.program.event.tracks}
        result = {}
        for day in self.program.days:
            sessions = self.sessions_by_day[day.pk]
            columns = {name: number for number, name in enumerate(_column_rooms(self._room_names(sessions)), start=1)}
            short = language.format_short_weekday(day.date, current_locale().language)
            for session in sessions:
                result[session.pk] = self._build_line(session, short, columns, colors)
        return result

    @cached_property
    def sessions_by_day(self) -> dict[str, list[Session]]:
        """The sessions of each day, keyed by the day's id."""
        result: dict[str, list[Session]] = {day.pk: [] for day in self.program.days}
        for session in self.program.sessions:
            result[session.day_id].append(session)
        return result

    @cached_property
    def days(self) -> list[DayView]:
        """The days with sessions that match the filter, or all days if there is no filter."""
        day_views = []
        for day in self.program.days:
            lines = [
                line for session in self.sessions_by_day[day.pk] if self._matches_filter(line := self.lines[session.pk])
            ]
            if lines or not self.program_filter:
                day_views.append(self._build_day(day, lines))
        return day_views

    @cached_property
    def sponsor_day(self) -> str:
        """The first day that is not over, whose first hour is followed by the sponsors, or an empty string."""
        if self.program_filter or not self.program.sponsors:
            return ""
        return next((day.key for day in self.days if day.hours and not day.is_over), "")

    def next_in_room(self, line: SessionLine) -> SessionLine | None:
        """Return the next session in the same room on the same day, or None."""
        if not line.room_id or line.begin_minute is None:
            return None
        later = [
            other
            for other in self.lines.values()
            if (other.room_id, other.session.day_id) == (line.room_id, line.session.day_id)
            and not other.cancelled
            and (other.begin_minute or 0) > line.begin_minute
        ]
        return min(later, key=lambda other: other.begin_minute or 0, default=None)

    @property
    def day_choices(self) -> list[tuple[str, str]]:
        return [(day.date.isoformat(), _format_short_day(day)) for day in self.program.days]

    @cached_property
    def match_count(self) -> int:
        return sum(len(hour.lines) for day in self.days for hour in day.hours)

    @cached_property
    def today(self) -> date:
        return self.now.astimezone(self.zone).date()

    @cached_property
    def is_over(self) -> bool:
        return bool(self.program.sessions) and not any(map(self._is_upcoming, self.program.sessions))

    @cached_property
    def current_lines(self) -> list[SessionLine]:
        return [self.lines[slot.id] for slot in self.program.running_at(self.now).now]

    @cached_property
    def upcoming_lines(self) -> list[SessionLine]:
        return [self.lines[slot.id] for slot in self.program.running_at(self.now).next]

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
    def date_text(self) -> str:
        """The dates as `15–17 May 2026`. A few days that are not consecutive are listed individually."""
        dates = [day.date for day in self.program.days]
        if not dates:
            return ""
        if (dates[-1] - dates[0]).days == len(dates) - 1 or len(dates) > 4:
            return language.format_day_range(dates[0], dates[-1], current_locale().language)
        return language.join_words(
            [language.format_day(date, current_locale().language) for date in dates], current_locale().language
        )

    @cached_property
    def time_zone_text(self) -> str:
        """The zone as `Times: Central European Summer Time (Paris)`, or `Times in Paris` if the offset changes."""
        place = self.zone.key.rpartition("/")[2].replace("_", " ")
        starts = [session.starts_at for session in self.program.sessions if session.starts_at] or [self.now]
        if len({at.astimezone(self.zone).utcoffset() for at in starts}) > 1:
            return gettext("Times in %(place)s") % {"place": place}
        words = language.format_zone_name(starts[0], self.zone, current_locale().language)
        return gettext("Times: %(what)s") % {"what": f"{words} ({place})"}

    @property
    def fresh_until(self) -> datetime | None:
        """The time when the page next changes, or None."""
        return min((edge for edge in self._change_times() if edge > self.now), default=None)

    def ads_at(self, place: str) -> list[Block]:
        return [ad for ad in self.program.ads_at(self.now) if ad.place == place]

    def _change_times(self) -> Iterator[datetime]:
        for session in self.program.sessions:
            if session.starts_at:
                yield session.starts_at
        yield from self.program.ends.values()
        for block in self.program.blocks:
            if block.kind == Block.AD:
                yield from (edge for edge in (block.shows_from, block.shows_until) if edge)
        # past days are collapsed, and today is marked
        dates = [day.date for day in self.program.days]
        for day in {*dates, *(date_of_day + timedelta(days=1) for date_of_day in dates)}:
            yield datetime.combine(day, datetime.min.time(), self.zone).astimezone(UTC)

    def _build_day(self, day: Day, lines: Sequence[SessionLine]) -> DayView:
        by_start = groupby(lines, key=lambda line: (line.starts, line.start))
        is_over = not self.is_over and not any(map(self._is_upcoming, self.sessions_by_day[day.pk]))
        return DayView(
            key=day.date.isoformat(),
            title=language.format_full_day(day.date, current_locale().language),
            short=_format_short_day(day),
            label=day.label,
            is_over=is_over and bool(lines) and not self.program_filter,
            is_today=day.date == self.today,
            hours=[StartGroup(starts, start, list(those)) for (starts, start), those in by_start],
            rooms=self._room_names(self.sessions_by_day[day.pk]),
        )

    def _is_upcoming(self, session: Session) -> bool:
        """Return whether a session is upcoming or running. An untimed session counts until its day is over."""
        if session.starts_at is None:
            return session.day.date >= self.today
        return self.program.ends.get(session.pk, session.starts_at) > self.now

    def _room_names(self, sessions: Sequence[Session]) -> list[str]:
        """Return the names of a day's rooms, in the owner's order."""
        used = {session.room_id for session in sessions}
        return [room.name for room in self.program.rooms if room.pk in used]

    def _build_line(
        self,
        session: Session,
        day: str,
        columns: dict[str, int],
        colors: dict[str, str],
    ) -> SessionLine:
        starts, ends = to_local_time(session.starts_at, self.zone), to_local_time(session.ends_at, self.zone)
        until = self.program.ends.get(session.pk) or session.ends_at
        room = session.room.name if session.room else ""
        speakers = self.program.speakers_for(session)
        return SessionLine(
            id=session.pk,
            title=session.title,
            cancelled=session.cancelled,
            kind=session.kind,
            starts=starts.isoformat(timespec="minutes") if starts else "",
            ends=ends.isoformat(timespec="minutes") if ends else "",
            start=f"{starts:%H:%M}" if starts else "",
            end=f"{ends:%H:%M}" if ends else "",
            begin_minute=_to_minutes(session.starts_at),
            until_minute=_to_minutes(until),
            label=session.time_label,
            day=day,
            room=room,
            room_id=session.room_id or "",
            column=columns.get(room, 0),
            track=session.track,
            color=colors.get(session.track, ""),
            speakers=" · ".join(speaker.name for speaker in speakers),
            image_ids=[speaker.image_id for speaker in speakers if speaker.image_id][:MAX_IMAGES],
            description=session.description,
            session=session,
        )

    def _matches_filter(self, line: SessionLine) -> bool:
        program_filter = self.program_filter
        return not program_filter or (
            program_filter.room in ("", line.room_id)
            and program_filter.track in ("", line.track)
            and program_filter.day in ("", line.session.day.date.isoformat())
            and program_filter.matches_text(
                line.title, line.speakers, line.room, line.track, line.label, line.description
            )
        )


def to_local_time(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """Convert a time to the program's time zone."""
    return moment.astimezone(zone) if moment else None


def _column_rooms(rooms: Sequence[str]) -> Sequence[str]:
    """Return the rooms of a day that are displayed side by side, which are all or none."""
    return rooms if 1 < len(rooms) <= MAX_COLUMNS else []


def _to_minutes(moment: datetime | None) -> int | None:
    return int(moment.timestamp()) // 60 if moment else None


def _format_short_day(day: Day) -> str:
    return language.format_short_weekday(day.date, current_locale().language)
