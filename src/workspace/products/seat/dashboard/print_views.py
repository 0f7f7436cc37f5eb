"""The page of print files, each with a preview and its size."""

from __future__ import annotations

from typing import Any, cast

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import BusyError, ToolError, UnavailableError
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain.pdf import chart_data, renderer
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Reply

PRINT_KINDS = {
    "poster": (
        gettext_lazy("Poster by last name"),
        gettext_lazy("All guests by last name with their table, on one large sheet. The fastest to search."),
    ),
    "poster_first": (
        gettext_lazy("Poster by first name"),
        gettext_lazy("All guests by first name with their table, on one large sheet."),
    ),
    "poster_tables": (
        gettext_lazy("Poster by table"),
        gettext_lazy("All tables with their guests, on one large sheet."),
    ),
    "cards": (
        gettext_lazy("Place cards"),
        gettext_lazy("Folded cards of 85 × 55 mm with the name on both sides, ten per sheet."),
    ),
    "escort": (gettext_lazy("Escort cards"), gettext_lazy("One card per party with its table.")),
    "numbers": (gettext_lazy("Table numbers"), gettext_lazy("One sheet per table, folded once to stand.")),
    "kitchen": (gettext_lazy("Kitchen report"), gettext_lazy("Meals by table and course, and allergies by guest.")),
    "door": (gettext_lazy("Check-in list"), gettext_lazy("All guests by last name, with a box to check off.")),
    "plan": (gettext_lazy("Floor plan"), gettext_lazy("The room to scale, with tables and chairs.")),
}
PAPER_LABELS = {
    "a1": "A1",
    "a2": "A2",
    "a3": "A3",
    "a4": "A4",
    "letter": gettext_lazy("US Letter"),
    "24x36": gettext_lazy("24 × 36 in"),
}
DESIGN_LABELS = {
    "plain": gettext_lazy("Plain"),
    "frame": gettext_lazy("Framed"),
    "twigs": gettext_lazy("Twigs"),
    "band": gettext_lazy("Band"),
    "night": gettext_lazy("Night and gold"),
}
PREVIEW_WIDTH = 480  # pixels


@page()
def list_prints(request: SignedInRequest, id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    kinds = [
        {
            "key": key,
            "title": title,
            "about": about,
            "papers": [(value, PAPER_LABELS[value]) for value in renderer.PAPERS_BY_KIND[key]],
            "design": _parse_design(request) if key in renderer.DESIGNED_KINDS else "",
        }
        for key, (title, about) in PRINT_KINDS.items()
    ]
    designs = [(key, words, key == _parse_design(request)) for key, words in DESIGN_LABELS.items()]
    coming = chart.guests.exclude(reply=Reply.NO)
    counts = {"guests": coming.count(), "seated": coming.exclude(table=None).count()}
    context = {"kinds": kinds, "designs": designs, "version": chart.version, **counts}
    return LAYOUT.render_item_page(request, id, "seat/owner/print.html", context)


def _parse_design(request: SignedInRequest) -> Any:
    requested = request.GET.get("design", "")
    return requested if requested in DESIGN_LABELS else "plain"


@page()
def download_pdf(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    """Return the PDF as a download."""
    made = _render_pdf(request, id, kind, request.GET.get("paper") or None)
    if isinstance(made, ToolError):
        return redirect_with_message(request, made.message, f"{LAYOUT.home}/{id}/print")
    response = HttpResponse(made, content_type="application/pdf")
    name = content_disposition_header(True, f"{kind.replace('_', '-')}.pdf")
    response.headers["Content-Disposition"] = name or "attachment"
    return response


@page()
def preview_image(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    """Return the first page as a small image. The URL contains the chart's version, so the image can be cached."""
    if kind not in PRINT_KINDS:
        raise Http404
    chart = get_chart_with_counts(request.account, id)
    try:
        content = renderer.render_preview(
            chart_data.load_chart(chart), cast(Any, kind), design=_parse_design(request), width=PREVIEW_WIDTH
        )
    except (BusyError, UnavailableError):
        return HttpResponse(status=503)  # too many previews are being rendered: the page asks again
    except ToolError:
        raise Http404 from None
    response = HttpResponse(content, content_type="image/png")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


def _render_pdf(request: SignedInRequest, id: str, kind: str, size: str | None) -> bytes | ToolError:
    if kind not in PRINT_KINDS:
        raise Http404
    chart = get_chart_with_counts(request.account, id)
    try:
        return renderer.render_pdf(chart_data.load_chart(chart), cast(Any, kind), size, _parse_design(request))
    except ToolError as refusal:
        return refusal
