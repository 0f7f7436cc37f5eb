"""A page's words and address, its code and figures, its widget; pausing and deleting it."""

from __future__ import annotations

from datetime import date

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.charts import Point
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_pages import call
from workspace.products.reviews.dashboard.calls import (
    HOME,
    PAGE_DELETE,
    PAGE_EDIT,
    PAGE_GET,
    PAGE_PAUSE,
    PAGE_RESUME,
    PAGE_STATS,
    WIDGET,
    page,
)
from workspace.products.reviews.dashboard.shown import page_shown, slots

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
SIZES = (512, 1024, 2048, 4096)


@page("GET", "HEAD", "POST")
def settings(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, PAGE_GET, page_id=page_id)
    form = ToolForm(
        PAGE_EDIT, request, initial=_initial(found), fixed={"page_id": page_id}, editing=True, labels=LABELS
    )
    if form.submit(request.caller):
        messages.success(request, "Saved. Guests see it at their next load.")
        return redirect_whole(request, f"{HOME}/{page_id}/settings")
    context = {
        "page": page_shown(found),
        "form": form,
        "questions": slots(form, "questions", MOST_QUESTIONS),
        "older": [slug for slug in found["slugs"] if slug != found["slug"]],
        "address": found["public_url"].removesuffix(found["slug"]).partition("://")[2],
    }
    return render(request, "reviews/settings.html", context, status=form.status)


@page()
def share(request: SignedInRequest, page_id: str) -> HttpResponse:
    """The address and its code, and how it does."""
    stats = call(request, PAGE_STATS, page_id=page_id)
    context = {
        "page": page_shown(call(request, PAGE_GET, page_id=page_id)),
        "stats": stats,
        "points": [Point(f"{date.fromisoformat(day['date']):%-d %b}", day["views"]) for day in stats["by_day"]],
        "shown_note": f"of {stats['received']}",
        "sizes": SIZES,
        "is_new": "made" in request.GET,
    }
    return render(request, "reviews/share.html", context)


@page("GET", "HEAD", "POST")
def widget(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, PAGE_GET, page_id=page_id)
    form = ToolForm(
        PAGE_EDIT, request, initial={"hosts": found["hosts"]}, fixed={"page_id": page_id}, editing=True, labels=LABELS
    )
    if form.submit(request.caller):
        messages.success(request, "Saved. These websites may show the widget.")
        return redirect_whole(request, f"{HOME}/{page_id}/widget")
    filled = len(form.field("hosts").texts)
    code = call(request, WIDGET, page_id=page_id)
    context = {
        "page": page_shown(found),
        "form": form,
        "hosts": slots(form, "hosts", min(MOST_HOSTS, filled + 2)),
        "code": code,
        "named": found["hosts"],
        "room": len(found["hosts"]) < MOST_HOSTS,
    }
    return render(request, "reviews/widget.html", context, status=form.status)


@page("POST")
def pause(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, PAGE_PAUSE, page_id=page_id)
    messages.success(request, f"“{found['title']}” is paused. Guests see a page that names {request.account.name}.")
    return redirect_whole(request, f"{HOME}/{page_id}/settings")


@page("POST")
def resume(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, PAGE_RESUME, page_id=page_id)
    messages.success(request, f"“{found['title']}” is open again.")
    return redirect_whole(request, f"{HOME}/{page_id}/settings")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, page_id: str) -> HttpResponse:
    found = call(request, PAGE_GET, page_id=page_id)
    if request.method == "POST":
        call(request, PAGE_DELETE, page_id=page_id)
        messages.success(request, f"“{found['title']}” is deleted. Its address will not be used again.")
        return redirect_whole(request, HOME)
    context = {
        "title": f"Delete “{found['title']}”?",
        "text": f"For good, with its {found['testimonials']} testimonials and their photos. Export them first if you "
        "want to keep them. To close the page for a while, pause it instead.",
        "action": request.path,
        "button": "Delete this page",
        "back": f"{HOME}/{page_id}/settings",
    }
    return render(request, "dashboard/confirm.html", context)


def _initial(found: dict[str, object]) -> dict[str, object]:
    names = ("title", "intro", "questions", "consent_text", "disclosure", "thanks", "slug")
    return {name: found[name] for name in names}
