"""Splitting an iCalendar file into events and time zones by lines only.

Because lines are not interpreted further, a broken event cannot affect another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_CONTENT_LINE = re.compile(r"([A-Za-z0-9-]+)((?:;(?:[^\":;]|\"[^\"]*\")*)*):(.*)", re.DOTALL)
_PARAMETER = re.compile(r';([A-Za-z0-9-]+)=("[^"]*"|[^";:,]*)((?:,(?:"[^"]*"|[^";:,]*))*)')
# all properties that determine an event's times and whether it blocks them
_SINGLE_PROPERTIES = frozenset(
    {"UID", "DTSTART", "DTEND", "DURATION", "RECURRENCE-ID", "SEQUENCE", "STATUS", "TRANSP", "SUMMARY"}
    | {"X-MICROSOFT-CDO-BUSYSTATUS"}
)
RELEVANT_PROPERTIES = _SINGLE_PROPERTIES | {"RRULE", "RDATE", "EXDATE", "ATTENDEE"}
MAX_LINES = 2_000  # lines of one event to store, such as attendees and exceptions
MAX_LINE_LENGTH = 100_000


@dataclass(slots=True)
class ContentLine:
    """An unfolded content line: `NAME;PARAMETERS:VALUE`."""

    name: str
    parameters: list[tuple[str, str]]
    value: str

    def __str__(self) -> str:
        said = "".join(f";{name}={value}" for name, value in self.parameters)
        return f"{self.name}{said}:{self.value}"

    def get_parameter(self, name: str) -> str:
        return next((value.strip('"') for key, value in self.parameters if key == name), "")

    def set_parameter(self, name: str, value: str) -> None:
        """Set a parameter, or remove it if the value is empty."""
        self.parameters = [pair for pair in self.parameters if pair[0] != name]
        if value:
            self.parameters.append((name, f'"{value}"' if re.search("[:;,]", value) else value))


@dataclass(slots=True)
class EventBlock:
    """The relevant lines of one event."""

    lines: list[ContentLine] = field(default_factory=list)

    def __str__(self) -> str:
        return "\r\n".join(("BEGIN:VEVENT", *map(str, self.lines), "END:VEVENT"))

    def add_line(self, text: str) -> None:
        line = _parse_line(text)
        if line is None or line.name not in RELEVANT_PROPERTIES or len(self.lines) >= MAX_LINES:
            return
        if line.name in _SINGLE_PROPERTIES and self.has_property(line.name):
            return
        self.lines.append(line)

    def has_property(self, *names: str) -> bool:
        return any(line.name in names for line in self.lines)

    def get_value(self, name: str) -> str:
        return next((line.value.strip() for line in self.lines if line.name == name), "")

    def copy_without(self, *names: str) -> EventBlock:
        return EventBlock([line for line in self.lines if line.name not in names])

    @property
    def title(self) -> str:
        text = re.sub(r"\\([nN,;\\])", lambda found: " " if found[1] in "nN" else found[1], self.get_value("SUMMARY"))
        return " ".join("".join(char if char.isprintable() else " " for char in text).split())


@dataclass(slots=True)
class CalendarParts:
    """The parts of calendar files.

    `zones` are the definitions of time zones by TZID. `is_open` is true if a file ended before its calendar did.
    """

    calendars: int = 0
    is_open: bool = False
    name: str = ""
    events: list[EventBlock] = field(default_factory=list)
    zones: dict[str, list[str]] = field(default_factory=dict)


def split_calendar(text: str, into: CalendarParts) -> None:  # noqa: C901 - one case for each mark
    """Add the parts of a file to `into`."""
    event: EventBlock | None = None
    zone: list[str] | None = None
    depth = 0  # nesting depth of components within an event, such as alarms
    for line in _unfold_lines(text):
        mark = line.strip().upper()
        if mark == "BEGIN:VCALENDAR":
            into.calendars, into.is_open = into.calendars + 1, True
        elif mark == "END:VCALENDAR":
            into.is_open = False
        elif mark == "BEGIN:VEVENT":  # an unclosed event ends at the next one
            event, zone, depth = EventBlock(), None, 0
            into.events.append(event)
        elif mark == "END:VEVENT":
            event = None
        elif event is not None:
            depth += mark.startswith("BEGIN:") - mark.startswith("END:")
            if depth == 0 and not mark.startswith("END:"):
                event.add_line(line)
        elif mark == "BEGIN:VTIMEZONE":
            zone = [line]
        elif zone is not None:
            zone.append(line)
            if mark == "END:VTIMEZONE":
                into.zones.setdefault(next(map(_parse_tzid, filter(_is_tzid, zone)), ""), zone)
                zone = None
        elif mark.startswith(("X-WR-CALNAME", "NAME:", "NAME;")) and not into.name:
            named = _parse_line(line)
            into.name = EventBlock([ContentLine("SUMMARY", [], named.value)]).title if named else ""


def _unfold_lines(text: str) -> Iterator[str]:
    """Yield unfolded lines without NUL characters."""
    held: list[str] = []
    size = 0
    for line in re.split(r"\r\n|[\r\n]", text.removeprefix("\ufeff").replace("\x00", "")):
        if line[:1] in (" ", "\t") and held:
            if size < MAX_LINE_LENGTH:
                held.append(line[1:])
                size += len(line)
            continue
        if held:
            yield "".join(held)
        held, size = [line], len(line)
    yield "".join(held)


def _parse_line(text: str) -> ContentLine | None:
    found = _CONTENT_LINE.fullmatch(text)
    if found is None:
        return None
    parameters = [(one[1].upper(), one[2] + one[3]) for one in _PARAMETER.finditer(found[2])]
    return ContentLine(found[1].upper(), parameters, found[3])


def _is_tzid(line: str) -> bool:
    return line[:4].upper() == "TZID" and ":" in line


def _parse_tzid(line: str) -> str:
    return line.partition(":")[2].strip()
