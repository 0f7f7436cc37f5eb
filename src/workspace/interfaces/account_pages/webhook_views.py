"""Webhooks: their URLs, their secret (shown once, to an owner), and sent messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool, parse_whole_number
from workspace.delivery import webhooks as room
from workspace.integrations import webhook_tools
from workspace.integrations.webhook_tools import edit
from workspace.interfaces.account_pages.owner_requirement import is_owner, require_owner
from workspace.owner_translation import OwnerText, owner_gettext, owner_gettext_lazy

PAGE_SIZE = 25
STATE_BADGES = {
    "on": (owner_gettext_lazy("On"), "good"),
    "off": (owner_gettext_lazy("Off"), "wait"),
    "gone": (owner_gettext_lazy("Address not found"), "bad"),
    "failing": (owner_gettext_lazy("Stopped after errors"), "bad"),
    "waiting": (owner_gettext_lazy("Waiting"), "wait"),
    "delivered": (owner_gettext_lazy("Delivered"), "good"),
    "failed": (owner_gettext_lazy("Failed"), "bad"),
    "stopped": (owner_gettext_lazy("Stopped"), ""),
}
LABELS = {"url": owner_gettext_lazy("Address"), "events": owner_gettext_lazy("Events")}
# actions with a single button, and the message after each
ACTIONS: dict[str, tuple[dict[str, Any], OwnerText]] = {
    "test": ({"send": "test"}, owner_gettext_lazy("Test event sent. See the result under Deliveries.")),
    "rotate": (
        {"rotate_secret": True},
        owner_gettext_lazy("New secret created. The old one keeps working for 24 hours."),
    ),
    "on": ({"live": True}, owner_gettext_lazy("Webhook turned on.")),
    "off": ({"live": False}, owner_gettext_lazy("Webhook turned off. Waiting deliveries were canceled.")),
}
page = build_page_decorator(
    list_path=room.PAGE_PATH,
    id_arguments=("webhook_id",),
    find_parent_url=lambda request: "/".join(request.path.split("/")[:5]),
)


@page("GET", "HEAD", "POST")
def webhooks(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(edit, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect("webhook", id=answer.data["webhook_id"])
    found = call_tool(request, webhook_tools.log, limit=1)["webhooks"]
    context = {"rows": [_present_webhook(one) for one in found], "form": form, "events": room.list_events()}
    return render(request, "account_pages/webhooks.html", context, status=form.status)


@page("GET", "HEAD", "POST")
def webhook(request: SignedInRequest, id: str) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**6)
    log = call_tool(request, webhook_tools.log, webhook_id=id, limit=PAGE_SIZE, offset=offset)
    row = log["webhooks"][0]
    form = ToolForm(edit, request, labels=LABELS, initial=row, fixed={"webhook_id": id}, editing=True)
    if form.submit(request.caller):
        return redirect_with_message(request, owner_gettext("Webhook saved."), request.path)
    context = {
        "row": _present_webhook(row),
        "form": form,
        "events": room.list_events(),
        "log": log,
        "pushed": [_present_webhook(one) for one in log["items"]],
        "limit": PAGE_SIZE,
        "is_owner": is_owner(request),
        "has_shown": request.account.endpoints.get(pk=id).secret_shown,
    }
    return render(request, "account_pages/webhook.html", context, status=form.status)


@require_owner
def secret(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the secret on POST. A GET, such as after signing in again, redirects back to the webhook."""
    endpoint = get_object_or_404(request.account.endpoints, pk=id)
    if request.method != "POST":
        return redirect("webhook", id=id)
    found = endpoint.reveal_secret()
    if not found:
        return redirect_with_message(
            request,
            owner_gettext("The secret was already shown. Replace it to get a new one."),
            f"{room.PAGE_PATH}/{id}",
        )
    response = render(request, "account_pages/webhook_secret.html", {"secret": found, "url": f"{room.PAGE_PATH}/{id}"})
    response["Cache-Control"] = "no-store"
    return response


@page("POST")
def handle_action(request: SignedInRequest, id: str, action: str) -> HttpResponse:
    if action == "again":
        call_tool(request, edit, send="again", delivery_id=request.POST.get("delivery_id", ""))
        return redirect_with_message(request, owner_gettext("Event resent."), f"{room.PAGE_PATH}/{id}")
    if action not in ACTIONS:
        raise Http404
    arguments, message = ACTIONS[action]
    call_tool(request, edit, webhook_id=id, **arguments)
    return redirect_with_message(request, message, f"{room.PAGE_PATH}/{id}")


@page("GET", "HEAD", "POST")
def remove(request: SignedInRequest, id: str) -> HttpResponse:
    if request.method == "POST":
        call_tool(request, edit, webhook_id=id, url="")
        return redirect_with_message(request, owner_gettext("Webhook deleted."), room.PAGE_PATH)
    url = call_tool(request, webhook_tools.log, webhook_id=id, limit=1)["webhooks"][0]["url"]
    return render_confirmation(
        request,
        title=owner_gettext("Delete this webhook?"),
        text=owner_gettext("No more events are sent to %(url)s, and its delivery log is deleted.") % {"url": url},
        button=owner_gettext("Delete webhook"),
        back=f"{room.PAGE_PATH}/{id}",
    )


def _present_webhook(row: Mapping[str, Any]) -> dict[str, Any]:
    times: dict[str, Any] = {
        name: parse_time(row[name]) for name in ("at", "tried_at", "next_at", "failing_since") if name in row
    }
    return {**row, **times, "badge": STATE_BADGES[row["state"]]}
