"""What a guest meets at `/e/SLUG`: the program, a session, who speaks, what is good to know, and what is starred."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from workspace.brand.models import Brand
from workspace.lib import clock
from workspace.lib.person_name import Name, initials
from workspace.products.event.domain.program import Program
from workspace.products.event.models import KIND, OPENED, Event, Speaker, Starred
from workspace.products.event.public.filters import Wishes
from workspace.products.event.public.print_pages import sheets
from workspace.products.event.public.program_view import Board
from workspace.products.event.public.structured_data import script_of
from workspace.public_site import guest_page, qr_image_views
from workspace.public_site.page_cache import Drawn
from workspace.public_site.share_preview import Face, sharing
from workspace.publishing.language import days, folded
from workspace.publishing.locale import saying, voice
from workspace.publishing.markdown import html
from workspace.publishing.models import Address, Gone
from workspace.storage.files.images import picture_url


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """The program. What is unpublished never comes here: its address answers 404, but for its owner's look at it.
    `?q=`, `?room=`, `?track=` and `?day=` are for where no script runs: drawn for that guest and kept nowhere."""
    wishes = Wishes.of(request.GET)
    with _in_its_language(address):
        if wishes:
            return _once(request, address, partial(drawn, wishes=wishes))
        return guest_page.show(request, address, partial(drawn, wishes=wishes))


def coming_soon(request: HttpRequest, address: Address) -> HttpResponse | None:
    """Answer for a program that was never published: its title and dates, and nothing else of it. None for one that
    was, so that guests read that it is paused."""
    event = Event.at(address)
    if not event.is_coming:
        return None
    dates = list(event.days.values_list("date", flat=True))
    with _in_its_language(address):
        when = days(min(dates), max(dates), voice().language) if dates else ""
        return guest_page.told(request, KIND, "coming", address, title=event.title, when=when)


def session(request: HttpRequest, address: Address, session: str) -> HttpResponse:
    """`/e/SLUG/s/ID`."""
    with _in_its_language(address):
        response = guest_page.show(request, address, partial(_session, id=session), event=None, keep=False)
    if request.method == "GET":
        guest_page.count(request, address.publication, OPENED, part=session)
    return response


def speakers(request: HttpRequest, address: Address) -> HttpResponse:
    with _in_its_language(address):
        return guest_page.show(request, address, _speakers, event=None, part="/speakers")


def info(request: HttpRequest, address: Address) -> HttpResponse:
    with _in_its_language(address):
        return guest_page.show(request, address, _info, event=None, part="/info")


def paper(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG/print`: by day, rooms side by side, or one list by `?list=1`; on A4 or by `?paper=letter` on that;
    `?day=` is one of them alone."""
    wishes = Wishes(day=Wishes.of(request.GET).day)
    letter, listed = request.GET.get("paper") == "letter", request.GET.get("list") == "1"
    with _in_its_language(address):
        return _once(request, address, partial(_paper, wishes=wishes, letter=letter, listed=listed))


def my(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """`/e/SLUG/my/TOKEN`: what somebody has starred; a phone that opens it stars the same."""
    with _in_its_language(address):
        response = _once(request, address, partial(_my, token=token))
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
def my_code(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """`/e/SLUG/my/TOKEN.svg`: the way to another phone."""
    starred = starred_of(Event.at(address), token)
    way = f"{starred.event.public_url}/my/{starred.pk}".upper()  # in upper case it takes fewer modules
    response = qr_image_views.picture(
        request, way, "svg", etag=starred.pk, file_name="my-program", title=gettext("My program")
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def worker(request: HttpRequest, address: Address) -> HttpResponse:
    """`/e/SLUG/sw.js`: keeps an opened program for a place without signal, and reaches no further than it."""
    response = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-store" if address.publication.password else "no-cache"
    response.headers["Service-Worker-Allowed"] = request.path.removesuffix("/sw.js")
    return response


@cache
def _worker() -> bytes:
    return (Path(__file__).parents[1] / "static" / "event" / "sw.js").read_bytes()


def face_at(address: Address) -> Face:
    return face_of(Event.at(address))


def face_of(event: Event) -> Face:
    text = event.venue or event.description or Brand.of(event.account).line
    return Face.of(event.account, event.title, text, look=event.look, photo=event.picture_id or "")


def starred_of(event: Event, token: str) -> Starred:
    """Raises Gone."""
    found = event.starred.filter(pk=token.lower()).first()
    if found is None:
        raise Gone
    return found


@contextmanager
def _in_its_language(address: Address) -> Iterator[None]:
    """The program's own, where its owner says one that is ours and the guest has not chosen another."""
    own, spoken = folded(Event.at(address).language), voice()
    with saying(replace(spoken, language=own) if own and not spoken.choice else spoken):
        yield


def _once(request: HttpRequest, address: Address, draw: Callable[[Address], Drawn]) -> HttpResponse:
    """A page beside the program's own: drawn for each request, revalidated like it, and not counted as a view."""
    response = guest_page.show(request, address, draw, event=None, keep=False)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _context(address: Address, board: Board) -> dict[str, object]:
    """What every page of a program shows."""
    event = board.program.event
    logo = Brand.of(event.account).logo_id
    return {
        "board": board,
        "event": event,
        "slug": address.slug,
        "base": f"/e/{address.slug}",
        "along": voice().along(""),
        "host": settings.BASE_URL.partition("://")[2],
        "look": event.look,
        "logo": picture_url(logo, 192) if logo else "",
        "has_speakers": bool(board.program.speakers),
    }


def _board(address: Address, wishes: Wishes | None = None) -> Board:
    return Board(Program.of(Event.at(address)), clock.now(), wishes or Wishes())


def drawn(address: Address, wishes: Wishes) -> Drawn:
    """The program as it is now."""
    board = _board(address, wishes)
    event = board.program.event
    text = " · ".join(filter(None, [board.when, event.venue]))
    context = {
        **_context(address, board),
        "wishes": wishes,
        "top": board.ads("top"),
        "between": board.ads("days"),
        "end": board.ads("end"),
        "cover": picture_url(event.picture_id, 768) if event.picture_id else "",
        "share": sharing(address, face_of(event), text=text),
        "json_ld": script_of(board.program),
    }
    return Drawn(render_to_string("event/guest.html", context), board.fresh_until)


def _session(address: Address, id: str) -> Drawn:
    board = _board(address)
    line = board.lines.get(id)
    if line is None:
        raise Gone
    found = line.session
    day = next(day for day in board.days if day.key == found.day.date.isoformat())
    text = " · ".join(filter(None, [day.short, line.label or line.start, line.room, line.speakers]))
    context = {
        **_context(address, board),
        "line": line,
        "day": day,
        "links": found.links,
        "speakers": [_person(speaker) for speaker in board.program.speakers_of(found)],
        "share": sharing(address, face_of(found.event), title=found.title, text=text, part=f"/s/{id}"),
    }
    return Drawn(render_to_string("event/session.html", context))


def _speakers(address: Address) -> Drawn:
    board = _board(address)
    speaking: dict[str, list[object]] = {}
    for session, ids in board.program.speaking.items():
        for id in ids:
            speaking.setdefault(id, []).append(session)
    people = []
    for speaker in board.program.speakers:
        theirs = set(map(str, speaking.get(speaker.pk, ())))
        lines = [line for id, line in board.lines.items() if id in theirs]
        people.append({**_person(speaker), "lines": lines})
    return Drawn(render_to_string("event/speakers.html", {**_context(address, board), "people": people}))


def _person(speaker: Speaker) -> dict[str, object]:
    words = speaker.name.split() or [""]
    return {
        "speaker": speaker,
        "picture": picture_url(speaker.picture_id, 192) if speaker.picture_id else "",
        "initials": initials(speaker.name, Name(words[0], words[-1] if words[1:] else "")),
        "about": ", ".join(filter(None, [speaker.role, speaker.organization])),
    }


def _info(address: Address) -> Drawn:
    board = _board(address)
    pages = [{"title": one.title, "html": html(one.text), "id": one.pk} for one in board.program.infos]
    return Drawn(render_to_string("event/info.html", {**_context(address, board), "pages": pages}))


def _paper(address: Address, wishes: Wishes, letter: bool, listed: bool) -> Drawn:
    board = _board(address, wishes)
    has_rooms = any(len(day.rooms) > 1 for day in board.days)
    context = {
        **_context(address, board),
        "letter": letter,
        "listed": listed,
        "has_rooms": has_rooms,
        "sheets": sheets(board, listed=listed),
    }
    return Drawn(render_to_string("event/print.html", context))


def _my(address: Address, token: str) -> Drawn:
    board = _board(address)
    starred = starred_of(board.program.event, token)
    chosen = set(starred.sessions)
    lines = [(day, [line for hour in day.hours for line in hour.lines if line.id in chosen]) for day in board.days]
    days = [(day, found) for day, found in lines if found]
    return Drawn(render_to_string("event/my.html", {**_context(address, board), "starred": starred, "days": days}))
