"""Reading a calendar in a subprocess: `build_request` writes its input, `parse_reply` reads its output."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from workspace.lib import error_messages

MODULE = "workspace.lib.ics.subprocess_reader"
_CALENDAR_DATA_TAG = "{urn:ietf:params:xml:ns:caldav}calendar-data"


@dataclass(frozen=True, slots=True)
class BusyReply:
    """The result of a subprocess.

    `ranges` are start, end, floating, title and, for our own events, the id. `remarks` are human-readable sentences.
    `problem` says why nothing could be read.
    """

    name: str
    ranges: list[tuple[datetime, datetime, bool, str, str]]
    remarks: list[str]
    problem: str


def build_request(body: bytes, *, is_caldav: bool, **query: Any) -> bytes:
    """Return the input of the subprocess.

    `query` contains the arguments of `busy_times.BusyQuery`, with times as ISO text and sets as lists.
    """
    return json.dumps({"is_caldav": is_caldav, **query}).encode() + b"\n" + body


def handle(content: bytes) -> bytes:
    """Find the busy times in a calendar and return them as JSON. This runs in the subprocess."""
    from workspace.lib.ics.busy_times import BusyQuery, InvalidCalendarError, find_busy_times

    head, _, body = content.partition(b"\n")
    given = json.loads(head)
    is_caldav = given.pop("is_caldav")
    for name in ("start", "end"):
        given[name] = datetime.fromisoformat(given[name])
    for name in ("mine", "hosts"):
        given[name] = frozenset(given.get(name, ()))
    try:
        texts = _extract_calendars(body) if is_caldav else [_decode_text(body)]
        if is_caldav and not texts:
            return json.dumps({"name": "", "ranges": [], "remarks": []}).encode()
        found = find_busy_times(texts, BusyQuery(**given))
    except InvalidCalendarError as problem:
        return json.dumps({"problem": str(problem)}).encode()
    ranges = [
        (int(one.start.timestamp()), int(one.end.timestamp()), one.is_floating, one.title, one.own_id)
        for one in found.ranges
    ]
    return json.dumps({"name": found.name, "ranges": ranges, "remarks": _describe_problems(found)}).encode()


def parse_reply(content: bytes) -> BusyReply:
    """Parse the output of the subprocess. Raise ValueError if it is invalid."""
    given: Mapping[str, Any] = json.loads(content)
    ranges = [
        (datetime.fromtimestamp(start, UTC), datetime.fromtimestamp(end, UTC), floating, title, own)
        for start, end, floating, title, own in given.get("ranges", ())
    ]
    return BusyReply(given.get("name", ""), ranges, given.get("remarks", []), given.get("problem", ""))


def _decode_text(body: bytes) -> str:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def _extract_calendars(body: bytes) -> list[str]:
    import xml.etree.ElementTree as ET  # noqa: PLC0415 - only the subprocess reads

    from workspace.lib.ics.busy_times import InvalidCalendarError

    try:
        text = body.decode("utf-8-sig")
        if "<!DOCTYPE" in text:  # untrusted XML: no entity is expanded or fetched
            raise ValueError
        return [one.text or "" for one in ET.fromstring(text).iter(_CALENDAR_DATA_TAG)]  # noqa: S314
    except (ValueError, ET.ParseError):
        raise InvalidCalendarError(str(error_messages.NOT_A_CALENDAR)) from None


# kind of problem: the text for one event, and for several
_PROBLEM_TEXTS = {
    "unread": (
        "1 event can’t be read, so it doesn’t block any time: {title}",
        "{count} events can’t be read, so they don’t block any time. The first: {title}",
    ),
    "rule": (
        "1 event has an unknown repeat rule, so it blocks only its first time: {title}",
        "{count} events have an unknown repeat rule, so they block only their first times. The first: {title}",
    ),
    "too_often": (
        "1 event repeats every second, so it blocks only its first time: {title}",
        "{count} events repeat every second, so they block only their first times. The first: {title}",
    ),
    "reversed": (
        "1 event ends before it starts, so it doesn’t block any time: {title}",
        "{count} events end before they start, so they don’t block any time. The first: {title}",
    ),
}


def _describe_problems(data: Any) -> list[str]:
    remarks = []
    for kind, (one, many) in _PROBLEM_TEXTS.items():
        if count := data.problem_counts[kind]:
            title = data.titles[kind] or "(no title)"
            remarks.append((one if count == 1 else many).format(count=f"{count:,}", title=title))
    if data.zones:
        names = ", ".join(f"“{name[:60]}”" for name in data.zones[:3])
        remarks.append(f"Unknown time zone {names}: the times are read in the time zone of your page")
    if data.problem_counts["more"]:
        remarks.append("The calendar has more than 50,000 busy times. Only the first 50,000 are used")
    return remarks
