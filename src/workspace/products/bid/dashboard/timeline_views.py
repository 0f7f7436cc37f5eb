"""The timeline of a proposal: events, questions, and the decision with its proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import owner_gettext_lazy as _
from workspace.payments import checkout
from workspace.products.bid.api import sending_tools, tools
from workspace.products.bid.dashboard.forms import format_price
from workspace.products.bid.dashboard.item_layout import LAYOUT

EVENT_LABELS = {
    "made": _("Created as a draft"),
    "sent": _("Marked as sent"),
    "mailed": _("Emailed to the client"),
    "revised": _("New version created"),
    "viewed": _("Opened"),
    "reminded": _("Reminder sent"),
    "asked": _("Question received"),
    "answered": _("You replied"),
    "code_sent": _("Verification code sent to the client"),
    "code_right": _("Client entered the correct code"),
    "code_wrong": _("Wrong code entered"),
    "approved": _("Approved"),
    "declined": _("Declined"),
    "withdrawn": _("Withdrawn"),
    "reopened": _("Reopened"),
    "sealed": _("Signed PDF created"),
    "downloaded": _("Client downloaded the signed PDF"),
    "deposit_paid": _("Deposit paid"),
    "deposit_coming": _("Deposit payment pending at the bank"),
    "deposit_failed": _("Deposit payment failed"),
    "deposit_back": _("Deposit refunded"),
    "bounced": _("Email couldn’t be delivered"),
    "quiet": _("Client stopped reminders"),
}
OPENED_LABELS = {
    "phone": _("Opened on a phone"),
    "tablet": _("Opened on a tablet"),
    "desktop": _("Opened on a computer"),
}
SECTION_LABELS = {
    "intro": _("introduction"),
    "packages": _("packages"),
    "lines": _("line items"),
    "total": _("totals"),
    "terms": _("terms"),
    "approve": _("signature"),
}
OUTCOME_LABELS = {"approved": _("Approved"), "declined": _("Declined"), "withdrawn": _("Withdrawn")}
REASON_LABELS = {
    "price": _("Price"),
    "timing": _("Timing"),
    "scope": _("Not what they need"),
    "other_offer": _("Chose another provider"),
    "other": _("Something else"),
}
DEPOSIT_LABELS = {
    "checking": _("Payment is being confirmed"),
    "processing": _("Bank payment pending"),
    "failed": _("Payment failed"),
    "partly_refunded": _("Partially refunded"),
    "refunded": _("Refunded"),
    "disputed": _("Paid, disputed by the client’s bank"),
    "lost": _("Lost in a dispute"),
}
DECISION_MESSAGES = {
    "approved": _("Proposal marked as approved."),
    "declined": _("Proposal marked as declined."),
    "withdrawn": _("Proposal withdrawn."),
    "reopened": _("Proposal reopened."),
}


@page("GET", "HEAD", "POST")
def timeline(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the timeline. A POST answers a question."""
    bid = call_tool(request, tools.get, id=id)
    labels = {"message": gettext("Your reply")}
    form = ToolForm(sending_tools.send, request, fixed={"id": id, "kind": "reply"}, labels=labels)
    if answer := form.submit(request.caller):
        text = gettext("Reply sent to %(email)s.") % {"email": answer.data["to"]}
        return redirect_with_message(request, text, f"{request.path}#questions")
    standing = next((decision for decision in bid["decisions"] if decision["stands"]), None)
    context = {
        "bid": bid,
        "form": form,
        "events": [_present_event(event) for event in reversed(bid["status_history"])],
        "thread": [{**message, "at": parse_time(message["at"])} for message in bid["messages"]],
        "decision": _present_decision(standing, bid) if standing else None,
        "earlier": [_present_decision(decision, bid) for decision in bid["decisions"] if not decision["stands"]],
        "takes_money": checkout.find_connection(request.account) is not None,
        "is_draft": bid["status"] == "draft",
        "is_open": bid["status"] in ("sent", "viewed"),
        "options": [line for line in bid["line_items"] if line["optional"]],
    }
    return LAYOUT.render_item_page(request, id, "bid/owner/timeline.html", context, form.status)


@page("POST")
def decide(request: SignedInRequest, id: str) -> HttpResponse:
    """Record a decision that the client made elsewhere, or a decision of the owner."""
    LAYOUT.get_item(request, id)
    decision = request.POST.get("decision", "")
    fields: dict[str, Any] = {"decision": decision, "note": request.POST.get("note", "")}
    if decision == "approved" and "deposit" in request.POST:
        fields["deposit_paid"] = request.POST["deposit"] == "yes"
    elif decision == "approved":
        package = request.POST.get("package", "")
        fields["selection"] = {
            **({"package": package} if package else {}),
            "options": request.POST.getlist("option"),
        }
    call_tool(request, sending_tools.decide, id=id, **fields)
    text = str(DECISION_MESSAGES.get(decision, _("Decision recorded.")))
    if "deposit_paid" in fields:
        text = gettext("Deposit marked as paid.") if fields["deposit_paid"] else gettext("Deposit marked as unpaid.")
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/timeline")


@page("POST")
def create_version(request: SignedInRequest, id: str) -> HttpResponse:
    copied_bid = call_tool(request, tools.copy, id=id, kind="version")
    return redirect_with_message(
        request, gettext("New version created as a draft."), f"{LAYOUT.home}/{copied_bid['id']}"
    )


@page("POST")
def save_template(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.copy, id=id, kind="template")
    return redirect_with_message(request, gettext("Template saved."), f"{LAYOUT.home}/library")


def _present_event(event: Mapping[str, Any]) -> dict[str, Any]:
    spent = [
        f"{SECTION_LABELS[name]} {_format_duration(seconds)}"
        for name, seconds in event["seconds"].items()
        if name in SECTION_LABELS
    ]
    label = EVENT_LABELS.get(event["what"], event["what"])
    if event["what"] == "viewed":
        label = OPENED_LABELS.get(event["device"], label)
    return {
        "at": parse_time(event["at"]),
        "what": label,
        "by": event["by"],
        "kind": event["what"],
        "revision": event["revision"],
        "spent": ", ".join(spent),
    }


def _format_duration(seconds: int) -> str:
    if seconds < 90:
        return gettext("%(seconds)s s") % {"seconds": seconds}
    return gettext("%(minutes)s min") % {"minutes": seconds // 60}


def _present_decision(item: Mapping[str, Any], bid: Mapping[str, Any]) -> dict[str, Any]:
    chosen = item["selection"] or {"package": None, "options": []}
    names = {line["id"]: line["name"] for line in bid["line_items"]}
    packages = {package["id"]: package["name"] for package in bid["packages"]}
    sums = item["totals"]
    return {
        **item,
        "at": parse_time(item["at"]),
        "sealed_at": parse_time(item["sealed_at"]),
        "deposit_paid_at": parse_time(item["deposit_paid_at"]),
        "chosen": [
            *([packages[chosen["package"]]] if chosen["package"] in packages else []),
            *(names[id] for id in chosen["options"] if id in names),
        ],
        "sum": format_price(sums["total"], bid["currency"]) if sums else "",
        "label": OUTCOME_LABELS.get(item["outcome"], item["outcome"]),
        "deposit_label": DEPOSIT_LABELS.get(item["deposit_state"], ""),
        "asked": format_price(sums["deposit"], bid["currency"]) if sums and sums["deposit"] else "",
        "holds": item["proof"] == "holds",
        "why": REASON_LABELS.get(item["reason"], ""),
    }
