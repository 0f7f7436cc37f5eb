"""Reading a connected calendar: changes are requested, and responses are expanded in a subprocess.

Nothing here uses the database."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from workspace.delivery import messages
from workspace.delivery.calendars import caldav
from workspace.delivery.calendars.caldav import MAX_CALENDAR_BYTES
from workspace.delivery.dav.client import DavError, DavSession, describe_status, url_host
from workspace.delivery.models.calendar import CalendarKind, CalendarPart
from workspace.lib.errors import BusyError
from workspace.lib.ics.subprocess_reader import MODULE, BusyReply, build_request, parse_reply
from workspace.lib.subprocess_worker.pool import SubprocessError, SubprocessLimits

LOOKAHEAD = timedelta(days=740)  # beyond the furthest date that a page can be booked for
LOOKBEHIND = timedelta(days=1)
MAX_MEGABYTES, MAX_CPU_SECONDS = 256, 10  # limits of a subprocess: memory in addition to its libraries, and CPU time
TIMEOUT_SECONDS = 40.0  # for all requests to one server
# one subprocess of this kind at a time, so that their memory does not add up; other kinds of subprocesses do not wait
_expansion_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ReadJob:
    """Everything needed to read one calendar.

    With `is_full_read`, unchanged parts are read again too, because the expanded period moves with time.
    """

    kind: str
    url: str
    credentials: tuple[str, str] | None
    parts: Sequence[CalendarPart]
    tags: Mapping[str, str]
    own_addresses: Sequence[str]
    hosts: Sequence[str]
    tentative: bool
    is_full_read: bool
    now: datetime


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of reading one part. `reply` is None if the part has not changed."""

    place: int
    tag: str
    reply: BusyReply | None


@dataclass(slots=True)
class ReadResult:
    """The result of reading one calendar.

    `problem` describes the first part that could not be read. `is_busy` means that this machine had no capacity.
    `is_permanent` means that retrying soon cannot help. `seconds` is how long the read took."""

    part_results: list[PartResult] = field(default_factory=list)
    problem: str = ""
    is_busy: bool = False
    is_permanent: bool = False
    seconds: float = 0.0


def read_calendar(job: ReadJob) -> ReadResult:
    """Read all selected parts of a calendar. Server errors are returned, never raised."""
    outcome = ReadResult()
    began = time.monotonic()
    session = DavSession(
        job.credentials, min(TIMEOUT_SECONDS, 10.0 + 5.0 * len(job.parts)), credential_host=url_host(job.url)
    )
    for place, part in enumerate(job.parts):
        if not part["reads"]:
            continue
        try:
            come = (
                _read_ics(session, job, place)
                if job.kind == CalendarKind.ICS
                else _read_caldav(session, job, place, part)
            )
            if come.reply is not None and come.reply.problem:
                raise DavError(come.reply.problem)
            outcome.part_results.append(come)
        except DavError as trouble:
            named = f"{part['name']}: {trouble}" if len(job.parts) > 1 else str(trouble)
            outcome.problem, outcome.is_permanent = (
                outcome.problem or named,
                outcome.is_permanent or trouble.is_permanent,
            )
        except BusyError:
            outcome.is_busy = True
    outcome.seconds = time.monotonic() - began
    return outcome


def _read_ics(session: DavSession, job: ReadJob, place: int) -> PartResult:
    kept = _load_tag(job, place)
    asks = {"If-None-Match": kept.get("etag", ""), "If-Modified-Since": kept.get("date", "")}
    headers = {name: value for name, value in asks.items() if value and not job.is_full_read}
    reply, _ = session.request(
        "GET", job.url, headers={"Accept": "text/calendar, */*;q=0.1", **headers}, max_bytes=MAX_CALENDAR_BYTES
    )
    if reply.status == 304:
        return PartResult(place, job.tags[str(place)], None)
    if reply.status != 200:
        raise DavError(describe_status(reply.status), status=reply.status, is_permanent=reply.status in (404, 410))
    tag = {"etag": reply.headers.get("etag", "")[:200], "date": reply.headers.get("last-modified", "")[:60]}
    return _expand_part(job, place, reply.body, tag, kept)


def _read_caldav(session: DavSession, job: ReadJob, place: int, part: CalendarPart) -> PartResult:
    kept = _load_tag(job, place)
    tag = caldav.fetch_tag(session, part["url"])
    if tag and tag == kept.get("etag") and not job.is_full_read:
        return PartResult(place, job.tags[str(place)], None)
    body = caldav.fetch_events(session, part["url"], job.now - LOOKBEHIND, job.now + LOOKAHEAD)
    return _expand_part(job, place, body, {"etag": tag}, kept)


def _expand_part(job: ReadJob, place: int, body: bytes, tag: dict[str, str], etags: dict[str, str]) -> PartResult:
    """Expand one part. If the server sends no tag, a hash of the content is used to avoid expanding it again."""
    tag["hash"] = hashlib.sha256(body).hexdigest()
    if tag["hash"] == etags.get("hash") and not job.is_full_read:
        return PartResult(place, json.dumps(tag), None)
    content = build_request(
        body,
        is_caldav=job.kind == CalendarKind.CALDAV,
        start=(job.now - LOOKBEHIND).isoformat(),
        end=(job.now + LOOKAHEAD).isoformat(),
        tentative=job.tentative,
        mine=list(job.own_addresses),
        hosts=list(job.hosts),
    )
    try:
        with _expansion_lock:
            return PartResult(
                place,
                json.dumps(tag),
                parse_reply(SubprocessLimits(MAX_MEGABYTES, MAX_CPU_SECONDS).run(MODULE, content)),
            )
    except SubprocessError:
        raise DavError(messages.CALENDAR_TOO_SLOW, is_permanent=True) from None


def _load_tag(job: ReadJob, place: int) -> dict[str, str]:
    kept = job.tags.get(str(place), "")
    return dict(json.loads(kept)) if kept else {}
