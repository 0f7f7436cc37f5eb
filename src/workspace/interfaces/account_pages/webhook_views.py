"""Webhooks: where they lead, their secret (shown to the owner, once), and what was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, pages, whole_number
from workspace.delivery import webhooks as room
from workspace.integrations import webhook_tools
from workspace.integrations.webhook_tools import edit
from workspace.interfaces.account_pages.owner_only import by_owner, owns

PAGE = 25
STATES = {
    "on": ("On", "good"),
    "off": ("Off", "wait"),
    "gone": ("Gone", "bad"),
    "failing": ("Given up", "bad"),
    "waiting": ("Waiting", "wait"),
    "delivered": ("Arrived", "good"),
    "failed": ("Did not arrive", "bad"),
    "stopped": ("Stopped", ""),
}
LABELS = {"url": "Address", "events": "Events"}
# what can be done with one button, and what is told then
ACTS: dict[str, tuple[dict[str, Any], str]] = {
    "test": ({"send": "test"}, "A test is on its way: look at what was sent in a moment."),
    "rotate": ({"rotate": True}, "It has a new secret. The old one signs too for 24 hours."),
    "on": ({"live": True}, "It is on."),
    "off": ({"live": False}, "It is off, and what was waiting was dropped."),
}
page = pages(home=room.PAGE, ids=("webhook_id",), above=lambda request: "/".join(request.path.split("/")[:5]))


@page("GET", "HEAD", "POST")
def webhooks(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(edit, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect("webhook", id=answer.data["webhook_id"])
    found = call(request, webhook_tools.log, limit=1)["webhooks"]
    context = {"rows": [_shown(one) for one in found], "form": form, "events": room.events()}
    return render(request, "account_pages/webhooks.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def webhook(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**6)
    log = call(request, webhook_tools.log, webhook_id=id, limit=PAGE, offset=offset)
    row = log["webhooks"][0]
    form = ToolForm(edit, request, labels=LABELS, initial=row, fixed={"webhook_id": id}, editing=True)
    if form.submit(request.caller):
        return done(request, "Saved.", request.path)
    context = {
        "row": _shown(row),
        "form": form,
        "events": room.events(),
        "log": log,
        "pushed": [_shown(one) for one in log["items"]],
        "limit": PAGE,
        "is_owner": owns(request),
        "has_shown": request.account.endpoints.get(pk=id).has_shown,
    }
    return render(request, "account_pages/webhook.html", context, status=form.status)


@by_owner
def secret(request: SignedInRequest, id: str) -> HttpResponse:
    """A POST shows it; who comes here by GET is asked to sign in again, and sent back."""
    endpoint = get_object_or_404(request.account.endpoints, pk=id)
    if request.method != "POST":
        return redirect("webhook", id=id)
    found = endpoint.reveal()
    if not found:
        return done(request, "It was shown already. Replace it to see a new one.", f"{room.PAGE}/{id}")
    response = render(request, "account_pages/webhook_secret.html", {"secret": found, "url": f"{room.PAGE}/{id}"})
    response["Cache-Control"] = "no-store"
    return response


@page("POST")
def act(request: SignedInRequest, id: str, act: str) -> HttpResponse:
    if act == "again":
        call(request, edit, send="again", delivery_id=request.POST.get("delivery_id", ""))
        return done(request, "On its way again.", f"{room.PAGE}/{id}")
    if act not in ACTS:
        raise Http404
    arguments, told = ACTS[act]
    call(request, edit, webhook_id=id, **arguments)
    return done(request, told, f"{room.PAGE}/{id}")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call(request, edit, webhook_id=id, url="")
        return done(request, "Removed.", room.PAGE)
    url = call(request, webhook_tools.log, webhook_id=id, limit=1)["webhooks"][0]["url"]
    return ask(
        request,
        title="Remove this webhook?",
        text=f"Nothing is pushed to {url} any more, and what was sent there is forgotten.",
        button="Remove",
        back=f"{room.PAGE}/{id}",
    )


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    times: dict[str, Any] = {
        name: moment(row[name]) for name in ("at", "tried_at", "next_at", "failing_since") if name in row
    }
    return {**row, **times, "badge": STATES.get(row["state"], (row["state"].capitalize(), ""))}
