"""The timeline of a proposal: events, questions, and the decision with its proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.payments import checkout
from workspace.products.bid.api import sending_tools, tools
from workspace.products.bid.dashboard.forms import format_price
from workspace.products.bid.dashboard.item_layout import LAYOUT

EVENT_LABELS = {
    "made": "Made, as a draft",
    "sent": "Sent: the link works",
    "mailed": "Mail to the client",
    "revised": "Changed: a new version",
    "viewed": "Opened",
    "reminded": "Reminded",
    "asked": "A question came in",
    "answered": "You answered",
    "code_sent": "A code went to the client's address",
    "code_right": "The client typed the right code",
    "code_wrong": "A wrong code was typed",
    "approved": "Approved",
    "declined": "Declined",
    "withdrawn": "Withdrawn",
    "reopened": "Reopened",
    "sealed": "The signed PDF was sealed",
    "downloaded": "The client took the signed PDF",
    "deposit_paid": "The deposit came",
    "deposit_coming": "The deposit is on its way, by a bank",
    "deposit_failed": "The payment of the deposit failed",
    "deposit_back": "The deposit was given back",
    "bounced": "A mail came back",
    "quiet": "The client wants no reminders",
}
SECTION_LABELS = {
    "intro": "beginning",
    "packages": "packages",
    "lines": "lines",
    "total": "sums",
    "terms": "terms",
    "approve": "signing",
}
DEVICE_LABELS = {"phone": "a phone", "tablet": "a tablet", "desktop": "a computer"}
REASON_LABELS = {
    "price": "The price",
    "timing": "The timing",
    "scope": "Not what they need",
    "other_offer": "Another offer",
    "other": "Something else",
}
DEPOSIT_LABELS = {
    "checking": "is being confirmed",
    "processing": "is on its way by a bank",
    "failed": "was tried to be paid, and failed",
    "partly_refunded": "came, a part was given back",
    "refunded": "was given back",
    "disputed": "came, and is disputed at the bank",
    "lost": "was taken back by the bank",
}
DECISION_MESSAGES = {
    "approved": "Recorded: approved.",
    "declined": "Recorded: declined.",
    "withdrawn": "Withdrawn. Its page says so.",
    "reopened": "It is open again.",
}


@page("GET", "HEAD", "POST")
def timeline(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the timeline. A POST answers a question."""
    bid = call_tool(request, tools.get, id=id)
    form = ToolForm(sending_tools.send, request, fixed={"id": id, "kind": "reply"}, labels={"message": "Your answer"})
    if answer := form.submit(request.caller):
        return redirect_with_message(request, f"Your answer goes to {answer.data['to']}.", f"{request.path}#questions")
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
    return LAYOUT.render_item_page(request, id, "bid/timeline.html", context, form.status)


@page("POST")
def decide(request: SignedInRequest, id: str) -> HttpResponse:
    """Record a decision that the client made elsewhere, or one of the owner."""
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
    text = "The deposit is noted." if "deposit_paid" in fields else DECISION_MESSAGES.get(decision, "Recorded.")
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/timeline")


@page("POST")
def create_version(request: SignedInRequest, id: str) -> HttpResponse:
    copied_bid = call_tool(request, tools.copy, id=id, kind="version")
    return redirect_with_message(request, "This is the new version, as a draft.", f"{LAYOUT.home}/{copied_bid['id']}")


@page("POST")
def save_template(request: SignedInRequest, id: str) -> HttpResponse:
    call_tool(request, tools.copy, id=id, kind="template")
    return redirect_with_message(request, "Kept as a template.", f"{LAYOUT.home}/library")


def _present_event(event: Mapping[str, Any]) -> dict[str, Any]:
    spent = [
        f"{SECTION_LABELS[name]} {_format_duration(seconds)}"
        for name, seconds in event["seconds"].items()
        if name in SECTION_LABELS
    ]
    device = DEVICE_LABELS.get(event["device"], "") if event["what"] == "viewed" else ""
    return {
        "at": parse_time(event["at"]),
        "what": EVENT_LABELS.get(event["what"], event["what"]) + (f" on {device}" if device else ""),
        "by": event["by"],
        "kind": event["what"],
        "revision": event["revision"],
        "spent": ", ".join(spent),
    }


def _format_duration(seconds: int) -> str:
    return f"{seconds} s" if seconds < 90 else f"{seconds // 60} min"


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
        "deposit_told": DEPOSIT_LABELS.get(item["deposit_state"], ""),
        "asked": format_price(sums["deposit"], bid["currency"]) if sums and sums["deposit"] else "",
        "holds": item["proof"] == "holds",
        "why": REASON_LABELS.get(item["reason"], ""),
    }
