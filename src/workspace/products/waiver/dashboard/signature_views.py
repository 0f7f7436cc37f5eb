"""The list of signatures with its filters, and a person's page with their signatures, attendance and actions."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import FilterChip
from workspace.dashboard.item_presenters import parse_time, redirect_with_message
from workspace.dashboard.session import SignedInRequest, is_partial, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.dashboard.item_layout import LAYOUT
from workspace.products.waiver.dashboard.presenters import present_signature

PAGE_SIZE = 50
STATE_FILTERS = {
    "": owner_gettext_lazy("All"),
    "valid": owner_gettext_lazy("Valid"),
    "expiring": owner_gettext_lazy("Expiring soon"),
    "minor": owner_gettext_lazy("Minors"),
    "expired": owner_gettext_lazy("Expired"),
    "outdated": owner_gettext_lazy("Outdated text"),
    "voided": owner_gettext_lazy("Voided"),
}
NOT_SENT_MESSAGES = {
    False: owner_gettext_lazy("Already emailed today. Try again tomorrow."),
    True: owner_gettext_lazy("Not sent. This person unsubscribed from these emails."),
}
LABELS = {"reason": owner_gettext_lazy("Reason"), "ask_again": owner_gettext_lazy("Ask to sign again by email")}


@page()
def list_signatures(request: SignedInRequest, id: str) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q, state = clean_text(request.GET.get("q"), 200), request.GET.get("state", "")
    state = state if state in STATE_FILTERS else ""
    narrowed = {"state": state} if state else {}
    listing = call_tool(request, signature_tools.search, q=q, waiver_id=id, limit=PAGE_SIZE, offset=offset, **narrowed)
    context = {
        "listing": listing,
        "rows": [present_signature(row, request.account.zone) for row in listing["items"]],
        "q": q,
        "state": state,
        "chips": [
            FilterChip(
                label,
                None,
                f"?{urlencode({'state': key, **({'q': q} if q else {})})}" if key or q else "?",
                key == state,
            )
            for key, label in STATE_FILTERS.items()
        ],
        "limit": PAGE_SIZE,
    }
    return LAYOUT.render_item_page(request, id, "waiver/owner/signatures.html", context)


@page("GET", "HEAD", "POST")
def show_person(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """Show a person. A POST voids only this signature, but not others that were signed together with it."""
    waiver: Any = call_tool(request, tools.get, id=signature)
    back = f"{LAYOUT.home}/{id}/signatures"
    if waiver["id"] != id:
        return redirect_full_page(request, f"{LAYOUT.home}/{waiver['id']}/signatures/{signature}")
    form = ToolForm(signature_tools.void_signatures, request, fixed={"signature_ids": [signature]}, labels=LABELS)
    if answer := form.submit(request.caller):
        text = gettext("Signature voided. Signer notified.") if answer.data["mailed"] else gettext("Signature voided.")
        return redirect_with_message(request, text, f"{back}/{signature}")
    item, zone = waiver["signed"], request.account.zone
    labels = {question["key"]: question["label"] for question in waiver["questions"]}
    clauses = {clause["key"]: clause["title"] or clause["text"][:60] for clause in waiver["clauses"]}
    context = {
        "waiver": waiver,
        "signature": present_signature(item, zone),
        "others": [present_signature(row, zone) for row in item["others"]],
        "history": [present_signature(row, zone) for row in item["history"]],
        "visits": [{**visit, "at": parse_time(visit["at"])} for visit in item["visits"]],
        "born": date.fromisoformat(item["birth_date"]) if item["birth_date"] else None,
        "answers": [(labels.get(key, key), _format_answer(value)) for key, value in item["answers"].items()],
        "initials": [(clauses.get(key, key), value) for key, value in item["initials"].items()],
        "paper": f"/files/waiver/export?{urlencode({'kind': 'pdf', 'id': signature})}" if item["pdf_sha256"] else "",
        "form": form,
        "back": back,
    }
    return LAYOUT.render_item_page(request, id, "waiver/owner/person.html", context, form.status)


def _format_answer(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@page("POST")
def record_visit(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """Record attendance with one tap. The button is then replaced with the time of check-in."""
    recorded_attendance = call_tool(request, signature_tools.record_visit, signature_id=signature)
    if is_partial(request):
        return render(request, "waiver/owner/attended.html", {"at": parse_time(recorded_attendance["at"])})
    messages.success(
        request, gettext("%(name)s checked in.") % {"name": recorded_attendance["signature"]["participant"]}
    )
    return redirect_full_page(request, _return_url(request, f"{LAYOUT.home}/{id}/signatures/{signature}"))


@page("POST")
def resend_invitation(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """Email the signing link to the signer."""
    signature_detail = call_tool(request, tools.get, id=signature)["signed"]
    people = call_tool(request, signature_tools.invite_people, id=id, emails=[signature_detail["signer_email"]])
    text = (
        gettext("Request sent to %(email)s.") % {"email": signature_detail["signer_email"]}
        if people["sent"]
        else str(NOT_SENT_MESSAGES[bool(people["quiet"])])
    )
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/signatures/{signature}")


def _return_url(request: SignedInRequest, default: str) -> str:
    back = request.POST.get("back", "")
    return back if back.startswith(f"{LAYOUT.home}/") else default
