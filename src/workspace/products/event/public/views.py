"""The guest pages at `/e/SLUG`: the program, a session, speakers, information, and starred sessions."""

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
from workspace.lib.person_name import PersonName, initials
from workspace.products.event.domain.program import Program
from workspace.products.event.models import KIND, SESSION_VIEW, Event, Speaker, StarList
from workspace.products.event.public.filters import ProgramFilter
from workspace.products.event.public.guest_program import GuestProgram
from workspace.products.event.public.print_layout import build_sheets
from workspace.products.event.public.structured_data import render_json_ld
from workspace.public_site import guest_page, qr_image_views
from workspace.public_site.page_cache import RenderedPage
from workspace.public_site.share_preview import SharePreview, build_metadata
from workspace.publishing.language import format_day_range, match_supported
from workspace.publishing.locale import current_locale, use_locale
from workspace.publishing.markdown import render_html
from workspace.publishing.models import Address, ItemGoneError
from workspace.storage.files.images import image_url


def page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the program. Unpublished programs return a 404 before this view is called, except in the owner's preview.

    `?q=`, `?room=`, `?track=` and `?day=` are for browsers without scripts. Such pages are never cached.
    """
    program_filter = ProgramFilter.from_query(request.GET)
    with _use_program_language(address):
        if program_filter:
            return _render_uncached(request, address, partial(render_program, program_filter=program_filter))
        return guest_page.render_page(request, address, partial(render_program, program_filter=program_filter))


def coming_soon(request: HttpRequest, address: Address) -> HttpResponse | None:
    """Show the title and dates of a program that has never been published.

    Return None for a program that was published before. Guests then see that it is paused.
    """
    event = Event.from_address(address)
    if not event.shows_coming_soon:
        return None
    dates = list(event.days.values_list("date", flat=True))
    with _use_program_language(address):
        when = format_day_range(min(dates), max(dates), current_locale().language) if dates else ""
        return guest_page.render_state(request, KIND, "coming", address, title=event.title, when=when)


def session(request: HttpRequest, address: Address, session: str) -> HttpResponse:
    """Show a session: `/e/SLUG/s/ID`."""
    with _use_program_language(address):
        response = guest_page.render_page(
            request, address, partial(_render_session, id=session), event=None, use_cache=False
        )
    if request.method == "GET":
        guest_page.count_visit(request, address.publication, SESSION_VIEW, part=session)
    return response


def speakers(request: HttpRequest, address: Address) -> HttpResponse:
    with _use_program_language(address):
        return guest_page.render_page(request, address, _render_speakers, event=None, part="/speakers")


def info(request: HttpRequest, address: Address) -> HttpResponse:
    with _use_program_language(address):
        return guest_page.render_page(request, address, _render_info, event=None, part="/info")


def print_page(request: HttpRequest, address: Address) -> HttpResponse:
    """Show the print version: `/e/SLUG/print`.

    Rooms are side by side or, with `?list=1`, in a single list. The paper is A4, or US letter with `?paper=letter`.
    `?day=` selects a day.
    """
    program_filter = ProgramFilter(day=ProgramFilter.from_query(request.GET).day)
    letter, listed = request.GET.get("paper") == "letter", request.GET.get("list") == "1"
    with _use_program_language(address):
        return _render_uncached(
            request, address, partial(_render_print, program_filter=program_filter, letter=letter, as_list=listed)
        )


def my_program(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """Show a guest's starred sessions: `/e/SLUG/my/TOKEN`.

    A phone that opens the page then has the same stars.
    """
    with _use_program_language(address):
        response = _render_uncached(request, address, partial(_render_my_program, token=token))
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@require_safe
def my_qr_code(request: HttpRequest, address: Address, token: str) -> HttpResponse:
    """Return the QR code with which a guest copies the stars to another phone: `/e/SLUG/my/TOKEN.svg`."""
    starred = get_star_list(Event.from_address(address), token)
    url = f"{starred.event.public_url}/my/{starred.pk}".upper()  # upper case needs fewer modules
    response = qr_image_views.render_image(
        request, url, "svg", etag=starred.pk, file_name="my-program", title=gettext("My program")
    )
    response.headers["Cache-Control"] = "no-store"
    return response


@require_safe
def service_worker(request: HttpRequest, address: Address) -> HttpResponse:
    """Return the service worker, which stores an opened program for offline use: `/e/SLUG/sw.js`.

    Its scope is limited to the program."""
    response = HttpResponse(_load_worker(), content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = "no-store" if address.publication.password else "no-cache"
    response.headers["Service-Worker-Allowed"] = request.path.removesuffix("/sw.js")
    return response


@cache
def _load_worker() -> bytes:
    return (Path(__file__).parents[1] / "static" / "event" / "sw.js").read_bytes()


def share_preview_at(address: Address) -> SharePreview:
    return share_preview(Event.from_address(address))


def share_preview(event: Event) -> SharePreview:
    text = event.venue or event.description or Brand.for_account(event.account).slogan
    return SharePreview.from_brand(event.account, event.title, text, style=event.style, photo=event.image_id or "")


def get_star_list(event: Event, token: str) -> StarList:
    """Return the list of starred sessions with this token. Raise ItemGoneError if it does not exist."""
    star_list = event.star_lists.filter(pk=token.lower()).first()
    if star_list is None:
        raise ItemGoneError
    return star_list


@contextmanager
def _use_program_language(address: Address) -> Iterator[None]:
    """Use the program's language if it is supported and the guest has not chosen another."""
    own, spoken = match_supported(Event.from_address(address).language), current_locale()
    with use_locale(replace(spoken, language=own) if own and not spoken.choice else spoken):
        yield


def _render_uncached(request: HttpRequest, address: Address, render: Callable[[Address], RenderedPage]) -> HttpResponse:
    """Render a page again for each request.

    It is revalidated like the program's page and not counted as a view.
    """
    response = guest_page.render_page(request, address, render, event=None, use_cache=False)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _context(address: Address, guest_program: GuestProgram) -> dict[str, object]:
    """Build the context that all pages of a program share."""
    event = guest_program.program.event
    logo = Brand.for_account(event.account).logo_id
    return {
        "board": guest_program,
        "event": event,
        "slug": address.slug,
        "base": f"/e/{address.slug}",
        "along": current_locale().localize_url(""),
        "host": settings.BASE_URL.partition("://")[2],
        "look": event.style,
        "logo": image_url(logo, 192) if logo else "",
        "has_speakers": bool(guest_program.program.speakers),
    }


def _build_view(address: Address, program_filter: ProgramFilter | None = None) -> GuestProgram:
    return GuestProgram(Program.load(Event.from_address(address)), clock.now(), program_filter or ProgramFilter())


def render_program(address: Address, program_filter: ProgramFilter) -> RenderedPage:
    """Render the program in its current state."""
    board = _build_view(address, program_filter)
    event = board.program.event
    text = " · ".join(filter(None, [board.date_text, event.venue]))
    context = {
        **_context(address, board),
        "program_filter": program_filter,
        "top": board.ads_at("top"),
        "between": board.ads_at("days"),
        "end": board.ads_at("end"),
        "cover": image_url(event.image_id, 768) if event.image_id else "",
        "share": build_metadata(address, share_preview(event), text=text),
        "json_ld": render_json_ld(board.program),
    }
    return RenderedPage(render_to_string("event/guest.html", context), board.fresh_until)


def _render_session(address: Address, id: str) -> RenderedPage:
    board = _build_view(address)
    line = board.lines.get(id)
    if line is None:
        raise ItemGoneError
    session = line.session
    day = next(day for day in board.days if day.key == session.day.date.isoformat())
    text = " · ".join(filter(None, [day.short, line.label or line.start, line.room, line.speakers]))
    context = {
        **_context(address, board),
        "line": line,
        "day": day,
        "links": session.links,
        "next_in_room": [following] if (following := board.next_in_room(line)) else [],
        "speakers": [_present_speaker(speaker) for speaker in board.program.speakers_for(session)],
        "share": build_metadata(address, share_preview(session.event), title=session.title, text=text, part=f"/s/{id}"),
    }
    return RenderedPage(render_to_string("event/session.html", context))


def _render_speakers(address: Address) -> RenderedPage:
    board = _build_view(address)
    speaking: dict[str, list[object]] = {}
    for session, ids in board.program.speaker_ids.items():
        for id in ids:
            speaking.setdefault(id, []).append(session)
    people = []
    for speaker in board.program.speakers:
        session_ids = set(map(str, speaking.get(speaker.pk, ())))
        lines = [line for id, line in board.lines.items() if id in session_ids]
        people.append({**_present_speaker(speaker), "lines": lines})
    return RenderedPage(render_to_string("event/speakers.html", {**_context(address, board), "people": people}))


def _present_speaker(speaker: Speaker) -> dict[str, object]:
    words = speaker.name.split() or [""]
    return {
        "speaker": speaker,
        "picture": image_url(speaker.image_id, 192) if speaker.image_id else "",
        "initials": initials(speaker.name, PersonName(words[0], words[-1] if words[1:] else "")),
        "about": ", ".join(filter(None, [speaker.role, speaker.organization])),
    }


def _render_info(address: Address) -> RenderedPage:
    board = _build_view(address)
    pages = [{"title": page.title, "html": render_html(page.text), "id": page.pk} for page in board.program.info_pages]
    return RenderedPage(render_to_string("event/info.html", {**_context(address, board), "pages": pages}))


def _render_print(address: Address, program_filter: ProgramFilter, letter: bool, as_list: bool) -> RenderedPage:
    board = _build_view(address, program_filter)
    has_rooms = any(len(day.rooms) > 1 for day in board.days)
    context = {
        **_context(address, board),
        "letter": letter,
        "listed": as_list,
        "has_rooms": has_rooms,
        "sheets": build_sheets(board, as_list=as_list),
    }
    return RenderedPage(render_to_string("event/print.html", context))


def _render_my_program(address: Address, token: str) -> RenderedPage:
    board = _build_view(address)
    starred = get_star_list(board.program.event, token)
    chosen = set(starred.sessions)
    lines = [(day, [line for hour in day.hours for line in hour.lines if line.id in chosen]) for day in board.days]
    days = [(day, lines) for day, lines in lines if lines]
    return RenderedPage(
        render_to_string("event/my_program.html", {**_context(address, board), "starred": starred, "days": days})
    )
