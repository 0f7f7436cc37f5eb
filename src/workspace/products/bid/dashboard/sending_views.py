"""Sending a proposal: by mail, or by its link."""

from __future__ import annotations

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.bid.api import sending_tools, tools
from workspace.products.bid.dashboard.layout import FRAME

KINDS = ("proposal", "reminder")


@page("GET", "HEAD", "POST")
def send(request: SignedInRequest, id: str) -> HttpResponse:
    found = call(request, tools.get, id=id)
    kind = request.POST.get("_kind", "proposal")
    fixed = {"id": id, "kind": kind if kind in KINDS else "proposal"}
    form = ToolForm(sending_tools.send, request, fixed=fixed, labels={"message": "Your words"})
    if answer := form.submit(request.caller):
        return done(request, f"The mail to {answer.data['to']} is on its way.", f"{FRAME.home}/{id}/timeline")
    was_mailed = [event for event in found["status_history"] if event["what"] in ("mailed", "reminded")]
    context = {
        "found": found,
        "form": form,
        "is_open": found["status"] in ("draft", "sent", "viewed") and not found["expired"],
        "was_mailed": bool(was_mailed),
        "owner": request.account.owner.email,
    }
    return FRAME.page(request, id, "bid/send.html", context, form.status)


@page("POST")
def mark(request: SignedInRequest, id: str) -> HttpResponse:
    call(request, tools.share_link, id=id, mark_sent=True)
    return done(request, "It counts as sent. Give your client the link.", f"{FRAME.home}/{id}/send")
