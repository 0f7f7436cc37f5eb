"""Files of a program: calendars, and the descriptions that a phone searches."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.lib.etags import is_not_modified
from workspace.products.event.domain.calendar_feed import build_calendar
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Event
from workspace.products.event.public.views import get_star_list
from workspace.public_site.page_cache import RenderedPage, build_page, get_or_render
from workspace.publishing.models import Address, ItemGoneError

CALENDAR_TYPE = "text/calendar; charset=utf-8"


@require_safe
def calendar_feed(request: HttpRequest, address: Address) -> HttpResponse:
    """Return all sessions as a calendar to subscribe to: `/e/SLUG.ics`."""

    def render_feed() -> bytes:
        program = Program.load(Event.from_address(address))
        return build_calendar(program, program.sessions, program.event.title)

    return _file_response(request, address, render_feed, CALENDAR_TYPE, "program.ics", part=".ics")


@require_safe
def session_calendar(request: HttpRequest, address: Address, session: str) -> HttpResponse:
    """Return a session as a calendar file: `/e/SLUG/s/ID.ics`."""
    program = Program.load(Event.from_address(address))
    result = program.sessions_by_id.get(session)
    if result is None or result.starts_at is None:
        raise ItemGoneError
    return _file_response(
        request,
        address,
        lambda: build_calendar(program, [result], result.title),
        CALENDAR_TYPE,
        f"{_file_name(result.title)}.ics",
    )


@require_safe
def starred_feed(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """Return a guest's starred sessions as a calendar to subscribe to: `/e/SLUG/my/TOKEN.ics`."""
    event = Event.from_address(address)
    chosen = set(get_star_list(event, token).sessions)

    def render_feed() -> bytes:
        program = Program.load(event)
        mine = [session for session in program.sessions if session.pk in chosen]
        return build_calendar(program, mine, gettext("My program: {title}").format(title=event.title))

    return _file_response(request, address, render_feed, CALENDAR_TYPE, "my-program.ics")


@require_safe
def session_descriptions(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the description of each session by its id: `/e/SLUG.json`.

    The page loads it later, so that the page itself stays small.
    """

    def render_json() -> bytes:
        result = {
            session.pk: session.description
            for session in Event.from_address(address).sessions.all()
            if session.description
        }
        return json.dumps(result, ensure_ascii=False).encode()

    return _file_response(request, address, render_json, "application/json", "", part=".json")


def _file_response(
    request: HttpRequest, address: Address, render: Callable[[], bytes], kind: str, name: str, part: str = ""
) -> HttpResponse:
    """Return a file that browsers revalidate by its ETag.

    With a `part`, it is cached like a page until the program changes.
    """
    is_open = not address.publication.password
    if part and is_open:
        page = get_or_render(request, address, lambda: RenderedPage(render().decode()), part=part)
    else:
        page = build_page(lambda: RenderedPage(render().decode()))
    if is_open and is_not_modified(page.etag, request.headers.get("If-None-Match")):
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


def _file_name(title: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")[:60] or "session"
