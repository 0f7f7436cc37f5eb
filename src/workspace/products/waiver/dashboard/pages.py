"""The list of waivers, making one, its text, its rules, and who has signed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.things import done, moment
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.waiver import signature_tools, tools
from workspace.products.waiver.dashboard.frame import FRAME
from workspace.products.waiver.models import KIND

PAGE = 50
LABELS = {
    "title": "Title",
    "text": "Text",
    "clauses": "Clauses",
    "clauses.title": "Title of clause",
    "clauses.text": "Text of clause",
    "clauses.initials": "Initials",
    "material": "Must people sign again?",
    "age_of_majority": "Of age at",
    "minors": "Minors",
    "guardian_participates": "The guardian",
    "max_minors": "Minors at once",
    "signature": "How people sign",
    "email_required": "Ask for an e-mail address",
    "phone_required": "Ask for a phone number",
    "accepting": "Accepting signatures",
    "marketing_opt_in": "A box to tick",
    "redirect_url": "Where signers go on to",
    "webhook_url": "Webhook",
}
RULES = (
    "accepting", "minors", "age_of_majority", "guardian_participates", "max_minors", "signature", "email_required",
    "phone_required", "marketing_opt_in", "redirect_url", "webhook_url",
)  # fmt: skip
CHOICES = {
    "material": [("true", "Yes, it is another text now"), ("false", "No, earlier signatures stay")],
    "minors": [
        ("guardian", "A guardian signs for them"),
        ("allowed", "They sign themselves"),
        ("refused", "Not at all"),
    ],
    "guardian": [("ask", "They are asked"), ("yes", "Always"), ("no", "Never")],
    "kinds": [("either", "As they like"), ("typed", "By typing their name"), ("drawn", "By drawing")],
}
REASONS = {
    "valid": ("Valid", "good"),
    "expired": ("Expired", "wait"),
    "outdated": ("Signed an older text", "wait"),
    "of_age": ("Of age now", "wait"),
    "voided": ("Voided", "bad"),
}


@page()
def waivers(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.list_waivers)
    return FRAME.listing(request, found, _line, most=request.account.limits(KIND).waivers)


def _line(row: Mapping[str, Any]) -> Line:
    about = "" if row["accepting"] else "Takes no signatures"
    return Line(title=row["title"], about=about, number=row["signed_count"], unit="signatures")


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    return render(request, "waiver/owner/new.html", {"form": form}, status=form.status)


@page("GET", "HEAD", "POST")
def text(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)
    initial = {name: found[name] for name in ("title", "text", "clauses")}
    form = FRAME.form(request, id, labels=LABELS, initial=initial)
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}")
    return FRAME.page(request, id, "waiver/owner/text.html", {"form": form, "waiver": found, **CHOICES}, form.status)


@page("GET", "HEAD", "POST")
def rules(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)
    form = FRAME.form(request, id, labels=LABELS, initial={name: found[name] for name in RULES})
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}/rules")
    return FRAME.page(request, id, "waiver/owner/rules.html", {"form": form, "waiver": found, **CHOICES}, form.status)


@page()
def signatures(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q = request.GET.get("q", "")[:200].strip()
    found = call(request, signature_tools.search, q=q, waiver_id=id, limit=PAGE, offset=offset)
    rows = [
        {**row, "at": moment(row["signed_at"]), "until": moment(row["expires_at"]), "badge": REASONS[row["reason"]]}
        for row in found["items"]
    ]
    context = {"listing": found, "rows": rows, "q": q, "limit": PAGE}
    return FRAME.page(request, id, "waiver/owner/signatures.html", context)
