"""A page's words and address, its code, its widget and its figures; pausing and deleting it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import visits
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.things import ask, done
from workspace.dashboard.tool_pages import call, page
from workspace.products.reviews import item_tools, tools
from workspace.products.reviews.dashboard.shown import HOME, page_of, slots
from workspace.products.reviews.models import KIND

MOST_QUESTIONS, MOST_HOSTS = 6, 20
LABELS = {
    "title": "Heading",
    "intro": "A few words below it",
    "questions": "Guiding questions",
    "consent_text": "What guests agree to",
    "disclosure": "What readers should know",
    "thanks": "Thanks after sending",
    "slug": "Address",
    "hosts": "Website",
}
WORDS = ("title", "intro", "questions", "consent_text", "disclosure", "thanks", "slug")


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_of(request, page_id)
    form = _form(request, found, WORDS)
    if form.submit(request.caller):
        return done(request, "Saved. Guests see it at their next load.", found["settings_url"])
    context = {"page": found, "form": form, "questions": slots(form, "questions", MOST_QUESTIONS)}
    return render(request, "reviews/settings.html", context, status=form.status)


@page()
def share(request: SignedInRequest, page_id: str) -> HttpResponse:
    """The address and its code."""
    return render(request, "reviews/share.html", {"page": page_of(request, page_id), "is_new": "made" in request.GET})


@page()
def figures(request: SignedInRequest, page_id: str) -> HttpResponse:
    most = request.account.limits(KIND).history_days
    stats = call(request, item_tools.stats, page_id=page_id, days=visits.asked_days(request, most))
    context = {
        "page": page_of(request, page_id),
        "stats": stats,
        "shown_note": f"of {stats['received']} that came in",
        "visits": visits.charts(stats, stats["by_day"], most),
    }
    return render(request, "reviews/figures.html", context)


@page("GET", "HEAD", "POST")
def widget(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_of(request, page_id)
    form = _form(request, found, ("hosts",))
    if form.submit(request.caller):
        return done(request, "Saved. These websites may show the widget.", found["widget_url"])
    filled = len(form.field("hosts").texts)
    context = {
        "page": found,
        "form": form,
        "hosts": slots(form, "hosts", min(MOST_HOSTS, filled + 2)),
        "room": len(found["hosts"]) < MOST_HOSTS,
    }
    return render(request, "reviews/widget.html", context, status=form.status)


@page("POST")
def pause(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, tools.edit, page_id=page_id, live=False)
    told = f"“{found['title']}” is paused. Guests see a page that names {request.account.name}."
    return done(request, told, f"{HOME}/{page_id}/settings")


@page("POST")
def resume(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, tools.edit, page_id=page_id, live=True)
    return done(request, f"“{found['title']}” is open again.", f"{HOME}/{page_id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = page_of(request, page_id)
    if request.method == "POST":
        call(request, item_tools.delete, ids=[page_id])
        return done(request, f"“{found['title']}” is deleted. For 30 days it can be brought back.", HOME)
    return ask(
        request,
        title=f"Delete “{found['title']}”?",
        text=f"Its {found['testimonials']} testimonials and their photos go with it, and printed codes will say that "
        "it is gone. For 30 days it can be brought back. To close the page for a while, pause it instead.",
        button="Delete this page",
        back=found["settings_url"],
    )


def _form(request: SignedInRequest, found: dict[str, object], names: tuple[str, ...]) -> ToolForm:
    initial = {name: found[name] for name in names}
    return ToolForm(tools.edit, request, initial=initial, fixed={"page_id": found["id"]}, editing=True, labels=LABELS)
