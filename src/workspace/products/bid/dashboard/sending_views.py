"""The page that sends a proposal by email or shows its link."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.bid.api import sending_tools, tools
from workspace.products.bid.dashboard.item_layout import LAYOUT

MAIL_KINDS = ("proposal", "reminder")


@page("GET", "HEAD", "POST")
def send(request: SignedInRequest, id: str) -> HttpResponse:
    bid = call_tool(request, tools.get, id=id)
    kind = request.POST.get("_kind", "proposal")
    fixed = {"id": id, "kind": kind if kind in MAIL_KINDS else "proposal"}
    form = ToolForm(sending_tools.send, request, fixed=fixed, labels={"message": gettext("Your message")})
    if answer := form.submit(request.caller):
        is_reminder = answer.data["kind"] == "reminder"
        text = gettext("Reminder sent to %(email)s.") if is_reminder else gettext("Proposal sent to %(email)s.")
        return redirect_with_message(request, text % {"email": answer.data["to"]}, f"{LAYOUT.home}/{id}/timeline")
    was_mailed = [event for event in bid["status_history"] if event["what"] in ("mailed", "reminded")]
    context = {
        "bid": bid,
        "form": form,
        "is_open": bid["status"] in ("draft", "sent", "viewed") and not bid["expired"],
        "was_mailed": bool(was_mailed),
        "owner": request.account.owner.email,
    }
    return LAYOUT.render_item_page(request, id, "bid/owner/send.html", context, form.status)


@page("POST")
def mark_sent(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.get_share_link, id=id, mark_sent=True)
    return redirect_with_message(
        request, gettext("Marked as sent. Share the link with your client."), f"{LAYOUT.home}/{id}/send"
    )
