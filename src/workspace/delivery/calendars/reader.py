"""Reading a connected calendar anew: asked for what has changed, and what came expanded in a child process. Nothing
here touches the database."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from workspace.delivery.calendars import caldav
from workspace.delivery.calendars.caldav import MOST
from workspace.delivery.dav.client import Conversation, Trouble, host_of, in_words
from workspace.delivery.models.calendar import Kind, Part
from workspace.lib.errors import Busy
from workspace.lib.ics.worker import MODULE, Told, asked, told
from workspace.lib.subprocess_worker.pool import ChildFailed, Turn

AHEAD = timedelta(days=740)  # the farthest that a page may be booked, and some more
BEHIND = timedelta(days=1)
MEGABYTES, SECONDS = 256, 10  # of a child, beyond its libraries; of the processor
LONGEST = 40.0  # seconds for all that is asked of one server in a row
TAKES_TOO_LONG = "This calendar takes too long to read: something in it repeats too often, or it is too large"
# one child of this kind at a time, so that their memory does not add up; others than this lane's are not held up
_turn = threading.Lock()


@dataclass(frozen=True, slots=True)
class Job:
    """All that it takes to read one calendar. With `whole`, also what has not changed: time goes on, and what was far
    is near."""

    kind: str
    url: str
    credentials: tuple[str, str] | None
    parts: Sequence[Part]
    tags: Mapping[str, str]
    mine: Sequence[str]
    hosts: Sequence[str]
    tentative: bool
    whole: bool
    now: datetime


@dataclass(frozen=True, slots=True)
class Came:
    """What was read of one part; `told` is None where it has not changed."""

    place: int
    tag: str
    told: Told | None


@dataclass(slots=True)
class Outcome:
    """`problem` says what is wrong where a part could not be read. `is_busy`: this machine had no time for it, which is
    nobody's fault; `lasts`: trying again soon cannot help; `seconds` is how long it took."""

    came: list[Came] = field(default_factory=list)
    problem: str = ""
    is_busy: bool = False
    lasts: bool = False
    seconds: float = 0.0


def read(job: Job) -> Outcome:
    """Never raises for what others do."""
    outcome = Outcome()
    began = time.monotonic()
    talk = Conversation(job.credentials, min(LONGEST, 10.0 + 5.0 * len(job.parts)), home=host_of(job.url))
    for place, part in enumerate(job.parts):
        if not part["reads"]:
            continue
        try:
            come = _ics(talk, job, place) if job.kind == Kind.ICS else _caldav(talk, job, place, part)
            if come.told is not None and come.told.problem:
                raise Trouble(come.told.problem)
            outcome.came.append(come)
        except Trouble as trouble:
            named = f"{part['name']}: {trouble}" if len(job.parts) > 1 else str(trouble)
            outcome.problem, outcome.lasts = outcome.problem or named, outcome.lasts or trouble.lasts
        except Busy:
            outcome.is_busy = True
    outcome.seconds = time.monotonic() - began
    return outcome


def _ics(talk: Conversation, job: Job, place: int) -> Came:
    kept = _tag(job, place)
    asks = {"If-None-Match": kept.get("etag", ""), "If-Modified-Since": kept.get("date", "")}
    headers = {name: value for name, value in asks.items() if value and not job.whole}
    reply, _ = talk.ask("GET", job.url, headers={"Accept": "text/calendar, */*;q=0.1", **headers}, most=MOST)
    if reply.status == 304:
        return Came(place, job.tags[str(place)], None)
    if reply.status != 200:
        raise Trouble(in_words(reply.status), status=reply.status, lasts=reply.status in (404, 410))
    tag = {"etag": reply.headers.get("etag", "")[:200], "date": reply.headers.get("last-modified", "")[:60]}
    return _expanded(job, place, reply.body, tag, kept)


def _caldav(talk: Conversation, job: Job, place: int, part: Part) -> Came:
    kept = _tag(job, place)
    tag = caldav.tag_of(talk, part["url"])
    if tag and tag == kept.get("etag") and not job.whole:
        return Came(place, job.tags[str(place)], None)
    body = caldav.events_of(talk, part["url"], job.now - BEHIND, job.now + AHEAD)
    return _expanded(job, place, body, {"etag": tag}, kept)


def _expanded(job: Job, place: int, body: bytes, tag: dict[str, str], kept: dict[str, str]) -> Came:
    """A server that tells no tag is no reason to read the same again."""
    tag["hash"] = hashlib.sha256(body).hexdigest()
    if tag["hash"] == kept.get("hash") and not job.whole:
        return Came(place, json.dumps(tag), None)
    content = asked(
        body,
        is_caldav=job.kind == Kind.CALDAV,
        start=(job.now - BEHIND).isoformat(),
        end=(job.now + AHEAD).isoformat(),
        tentative=job.tentative,
        mine=list(job.mine),
        hosts=list(job.hosts),
    )
    try:
        with _turn:
            return Came(place, json.dumps(tag), told(Turn(MEGABYTES, SECONDS).run(MODULE, content)))
    except ChildFailed:
        raise Trouble(TAKES_TOO_LONG, lasts=True) from None


def _tag(job: Job, place: int) -> dict[str, str]:
    kept = job.tags.get(str(place), "")
    return dict(json.loads(kept)) if kept else {}
