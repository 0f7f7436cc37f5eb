"""What a program gives besides its pages: calendars, and the words by which a phone searches it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.lib.etags import is_known
from workspace.products.event.domain.calendar_feed import calendar
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Event
from workspace.products.event.public.views import starred_of
from workspace.public_site.page_cache import Drawn, kept, seal
from workspace.publishing.models import Address, Gone

CALENDAR = "text/calendar; charset=utf-8"


@require_safe
def feed(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG.ics`: all of it, to subscribe to."""

    def draw() -> bytes:
        program = Program.of(Event.at(address))
        return calendar(program, program.sessions, program.event.title)

    return _file(request, address, draw, CALENDAR, "program.ics", part=".ics")


@require_safe
def entry(request: HttpRequest, address: Address, session: str) -> HttpResponse:
    """`/e/SLUG/s/ID.ics`: one session."""
    program = Program.of(Event.at(address))
    found = program.session.get(session)
    if found is None or found.starts_at is None:
        raise Gone
    return _file(
        request, address, lambda: calendar(program, [found], found.title), CALENDAR, f"{_name(found.title)}.ics"
    )


@require_safe
def my_feed(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """`/e/SLUG/my/TOKEN.ics`: what somebody has starred, to subscribe to."""
    event = Event.at(address)
    chosen = set(starred_of(event, token).sessions)

    def draw() -> bytes:
        program = Program.of(event)
        mine = [session for session in program.sessions if session.pk in chosen]
        return calendar(program, mine, gettext("My program: {title}").format(title=event.title))

    return _file(request, address, draw, CALENDAR, "my-program.ics")


@require_safe
def texts(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG.json`: what is said of each session, by its id. It comes behind the page, so that that is small."""

    def draw() -> bytes:
        found = {one.pk: one.description for one in Event.at(address).sessions.all() if one.description}
        return json.dumps(found, ensure_ascii=False).encode()

    return _file(request, address, draw, "application/json", "", part=".json")


def _file(
    request: HttpRequest, address: Address, draw: Callable[[], bytes], kind: str, name: str, part: str = ""
) -> HttpResponse:
    """Revalidated by its ETag; what has a `part` is kept as pages are, until the program changes."""
    is_open = not address.publication.password
    if part and is_open:
        page = kept(request, address, lambda: Drawn(draw().decode()), part=part)
    else:
        page = seal(Drawn(draw().decode()))
    if is_open and is_known(page.etag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        response = HttpResponse(page.body, content_type=kind)
        if name:
            response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    if is_open:
        response.headers["ETag"] = page.etag
    response.headers["Cache-Control"] = "no-cache" if is_open else "no-store"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or "session"
