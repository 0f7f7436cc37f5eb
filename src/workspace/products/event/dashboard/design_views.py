"""What a program says of the event, and how it looks."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.lib.text import counted
from workspace.products.event.api import tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.layout import FRAME, LABELS

NAMED = ("title", "description", "venue", "address", "colour", "picture_id")


@page("GET", "HEAD", "POST")
def look(request: SignedInRequest, id: str) -> HttpResponse:
    found = FRAME.find(request, id)
    form = FRAME.form(request, id, labels=LABELS, initial={name: getattr(found, name) or "" for name in NAMED})
    if request.method == "POST":
        form_images.take(request, form, "picture", "picture_id")
        if not form.errors and form.submit(request.caller):
            return done(request, "Saved. Guests see it on their next load.", request.path)
    return FRAME.drawn(request, found, "event/owner/look.html", {"form": form}, form.status)


@page("GET", "HEAD", "POST")
def publish(request: SignedInRequest, id: str) -> HttpResponse:
    """What it takes, before anything is spent."""
    if request.method == "POST":
        call(request, tools.edit, event_id=id, published=True)
        return done(request, "Published. Guests see it now.", f"{FRAME.home}/{id}/share")
    found = presenters.whole(request, id)
    if not found["publishing"]["costs_credits"] or not found["publishing"]["unused_credits"]:
        return FRAME.page(request, id, "event/owner/publish.html", {"program": found})
    left = found["publishing"]["unused_credits"] - 1
    return ask(
        request,
        title=f"Publish “{found['title']}” for one event credit?",
        text=f"Guests see it at once. The credit is spent for ever, {counted(left, 'credit')} left then; the program "
        "stays paid for, also when you take it down for a while.",
        button="Publish for one credit",
        back=f"{FRAME.home}/{id}",
    )
