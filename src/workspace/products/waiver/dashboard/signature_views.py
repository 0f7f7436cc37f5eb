"""Who has signed: the list with its filters, and one person's page with all that they signed, their visits, and what
can be done about them."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_lists import Chip
from workspace.dashboard.item_presenters import done, moment
from workspace.dashboard.session import SignedInRequest, is_part, redirect_whole
from workspace.dashboard.tool_views import call, page, whole_number, words
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.dashboard.layout import FRAME
from workspace.products.waiver.dashboard.presenters import shown

PAGE = 50
FILTERS = {
    "": "All",
    "valid": "Valid",
    "expiring": "Ends soon",
    "minor": "Minors",
    "expired": "Ended",
    "outdated": "Older text",
    "voided": "Voided",
}
WHY_NOT = {False: "They were asked today already.", True: "They want no mail that asks them to sign."}
LABELS = {"reason": "Why", "ask_again": "Ask to sign again"}


@page()
def signatures(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q, state = words(request.GET.get("q"), 200), request.GET.get("state", "")
    state = state if state in FILTERS else ""
    narrowed = {"state": state} if state else {}
    found = call(request, signature_tools.search, q=q, waiver_id=id, limit=PAGE, offset=offset, **narrowed)
    context = {
        "listing": found,
        "rows": [shown(row, request.account.zone) for row in found["items"]],
        "q": q,
        "state": state,
        "chips": [
            Chip(
                label,
                None,
                f"?{urlencode({'state': key, **({'q': q} if q else {})})}" if key or q else "?",
                key == state,
            )
            for key, label in FILTERS.items()
        ],
        "limit": PAGE,
    }
    return FRAME.page(request, id, "waiver/owner/signatures.html", context)


@page("GET", "HEAD", "POST")
def person(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """Posting voids this one signature, and none of those that were signed together with it."""
    found: Any = call(request, tools.get, id=signature)
    back = f"{FRAME.home}/{id}/signatures"
    if found["id"] != id:
        return redirect_whole(request, f"{FRAME.home}/{found['id']}/signatures/{signature}")
    form = ToolForm(signature_tools.void, request, fixed={"signature_ids": [signature]}, labels=LABELS)
    if answer := form.submit(request.caller):
        mailed = " They were asked by mail to sign again." if answer.data["mailed"] else ""
        return done(request, f"It does not count any more.{mailed}", f"{back}/{signature}")
    one, zone = found["signed"], request.account.zone
    labels = {question["key"]: question["label"] for question in found["questions"]}
    clauses = {clause["key"]: clause["title"] or clause["text"][:60] for clause in found["clauses"]}
    context = {
        "waiver": found,
        "one": shown(one, zone),
        "others": [shown(row, zone) for row in one["others"]],
        "history": [shown(row, zone) for row in one["history"]],
        "visits": [{**visit, "at": moment(visit["at"])} for visit in one["visits"]],
        "born": date.fromisoformat(one["birth_date"]) if one["birth_date"] else None,
        "answers": [(labels.get(key, key), _answer(value)) for key, value in one["answers"].items()],
        "initials": [(clauses.get(key, key), value) for key, value in one["initials"].items()],
        "paper": f"/files/waiver/export?{urlencode({'kind': 'pdf', 'id': signature})}" if one["pdf_sha256"] else "",
        "form": form,
        "back": back,
    }
    return FRAME.page(request, id, "waiver/owner/person.html", context, form.status)


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


@page("POST")
def visit(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """One tap: what stood there before says when they came in."""
    made = call(request, signature_tools.record_visit, signature_id=signature)
    if is_part(request):
        return render(request, "waiver/owner/came.html", {"at": moment(made["at"])})
    messages.success(request, f"{made['signature']['participant']} came in.")
    return redirect_whole(request, _back(request, f"{FRAME.home}/{id}/signatures/{signature}"))


@page("POST")
def again(request: SignedInRequest, id: str, signature: str) -> HttpResponse:
    """The signing link to who signed, by mail."""
    one = call(request, tools.get, id=signature)["signed"]
    made = call(request, signature_tools.invite, id=id, emails=[one["signer_email"]])
    told = f"The mail to {one['signer_email']} is on its way." if made["sent"] else WHY_NOT[bool(made["quiet"])]
    return done(request, told, f"{FRAME.home}/{id}/signatures/{signature}")


def _back(request: SignedInRequest, usual: str) -> str:
    back = request.POST.get("back", "")
    return back if back.startswith(f"{FRAME.home}/") else usual
