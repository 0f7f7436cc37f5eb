"""What is printed: each paper with a picture of it, its size and its file."""

from __future__ import annotations

from typing import Any, cast

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header

from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import Busy, Refusal, Unavailable
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain.pdf import chart_data, renderer
from workspace.products.seat.domain.queries import chart_of
from workspace.products.seat.models import Reply

KINDS = {
    "poster": ("Poster by surname", "Found fastest: everybody with their table, on one large sheet."),
    "poster_first": ("Poster by first name", "Everyone by first name with their table, on one large sheet."),
    "poster_tables": ("Poster by table", "Each table with its guests, on one large sheet."),
    "cards": ("Place cards", "Tents of 85 × 55 mm, ten to a sheet, the name on both sides."),
    "escort": ("Escort cards", "One a party, with the way to their table."),
    "numbers": ("Table numbers", "A sheet a table, folded once to stand."),
    "kitchen": ("For the kitchen", "Meals by table and course, allergies by name."),
    "door": ("For the door", "Everybody by surname, with a box to tick."),
    "plan": ("Floor plan", "To scale, with chairs."),
}
PAPERS = {"a1": "A1", "a2": "A2", "a3": "A3", "a4": "A4", "letter": "US letter", "24x36": "24 × 36 in"}
DESIGNS = {"plain": "Plain", "frame": "Framed", "twigs": "Twigs", "band": "Band", "night": "Night and gold"}
SEEN = 480  # pixels


@page()
def papers(request: SignedInRequest, id: str) -> HttpResponse:
    chart = chart_of(request.account, id)
    kinds = [
        {
            "key": key,
            "title": title,
            "about": about,
            "papers": [(one, PAPERS[one]) for one in renderer.PAPERS[key]],
            "design": _design(request) if key in renderer.DESIGNED else "",
        }
        for key, (title, about) in KINDS.items()
    ]
    designs = [(key, words, key == _design(request)) for key, words in DESIGNS.items()]
    coming = chart.guests.exclude(reply=Reply.NO)
    counts = {"guests": coming.count(), "seated": coming.exclude(table=None).count()}
    context = {"kinds": kinds, "designs": designs, "version": chart.version, **counts}
    return FRAME.page(request, id, "seat/papers.html", context)


def _design(request: SignedInRequest) -> Any:
    asked = request.GET.get("design", "")
    return asked if asked in DESIGNS else "plain"


@page()
def paper(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    """The file."""
    made = _made(request, id, kind, request.GET.get("paper") or None)
    if isinstance(made, Refusal):
        return done(request, made.message, f"{FRAME.home}/{id}/print")
    response = HttpResponse(made, content_type="application/pdf")
    name = content_disposition_header(True, f"{kind.replace('_', '-')}.pdf")
    response.headers["Content-Disposition"] = name or "attachment"
    return response


@page()
def picture(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    """Its first page, small; asked for with the chart's version, so that it may be kept."""
    if kind not in KINDS:
        raise Http404
    chart = chart_of(request.account, id)
    try:
        content = renderer.picture_of(chart_data.paper_of(chart), cast(Any, kind), design=_design(request), width=SEEN)
    except (Busy, Unavailable):
        return HttpResponse(status=503)  # others are drawn just now: the page asks again
    except Refusal:
        raise Http404("It cannot be drawn") from None
    response = HttpResponse(content, content_type="image/png")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


def _made(request: SignedInRequest, id: str, kind: str, size: str | None) -> bytes | Refusal:
    if kind not in KINDS:
        raise Http404
    chart = chart_of(request.account, id)
    try:
        return renderer.pdf_of(chart_data.paper_of(chart), cast(Any, kind), size, _design(request))
    except Refusal as refusal:
        return refusal
