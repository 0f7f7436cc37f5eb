"""The list of templates, a template's design, issuing with it, and what was issued."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.lists import Line
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.things import done
from workspace.dashboard.tool_pages import call, page, whole_number
from workspace.products.certs import issuing, papers, tools
from workspace.products.certs.dashboard.frame import FRAME
from workspace.products.certs.drawing import DESIGNS, FACES
from workspace.products.certs.models import KIND
from workspace.products.certs.pasting import recipients_of
from workspace.products.certs.rows import template_of
from workspace.toolkit.errors import InvalidInput, Refusal
from workspace.toolkit.text import counted

PAGE = 50
MAX_BYTES = 4 * 1024 * 1024
LABELS = {
    "name": "Name of the template",
    "title": "Heading",
    "organization": "Issued by",
    "lead": "Above the name",
    "body": "Below the name",
    "description": "Small print",
    "criteria": "What it takes",
    "valid_months": "Valid for",
    "signers.name": "Name of signer",
    "signers.role": "Role of signer",
}
FIELDS = (
    "name", "title", "organization", "lead", "body", "description", "criteria", "hours_label", "custom_label",
    "valid_months", "signers", "layout",
)  # fmt: skip
CHOICES = {
    "designs": [(one, one.capitalize()) for one in DESIGNS],
    "papers": [("a4", "A4"), ("letter", "US letter")],
    "ways": [("true", "Landscape"), ("false", "Portrait")],
    "faces": [("", "As the brand"), *((one, f"{one.capitalize()} ({face})") for one, face in FACES.items())],
    "seals": [("none", "None"), ("rosette", "Rosette"), ("ribbon", "Rosette with ribbons")],
}
STATES = {
    "valid": ("Valid", "good"),
    "expired": ("Expired", "wait"),
    "revoked": ("Revoked", "bad"),
    "replaced": ("Replaced", "wait"),
}


@page()
def templates(request: SignedInRequest) -> HttpResponse:
    found = FRAME.found(request, tools.templates)
    return FRAME.listing(request, found, _line)


def _line(row: Mapping[str, Any]) -> Line:
    return Line(title=row["name"], about=row["title"], number=row["issued"], unit="issued")


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.save_template, request, labels=LABELS)
    if answer := form.submit(request.caller):
        return redirect_whole(request, f"{FRAME.home}/{answer.data['id']}?made")
    return render(request, "certs/owner/new.html", {"form": form, **CHOICES}, status=form.status)


@page("GET", "HEAD", "POST")
def design(request: SignedInRequest, id: str) -> HttpResponse:
    found: Any = call(request, tools.get, id=id)["template"]
    form = FRAME.form(request, id, labels=LABELS, initial={name: found[name] for name in FIELDS})
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}")
    context = {"form": form, "template": found, **CHOICES}
    return FRAME.page(request, id, "certs/owner/design.html", context, form.status)


@never_cache
@page()
def picture(request: SignedInRequest, id: str) -> HttpResponse:
    """How it looks, with somebody who does not exist."""
    template = template_of(request.account, id)
    template.account = request.account
    return HttpResponse(papers.picture(template, width=900), content_type="image/png")


@page("GET", "HEAD", "POST")
def issue(request: SignedInRequest, id: str) -> HttpResponse:
    left = issuing.left_this_month(request.account)
    context: dict[str, Any] = {"left": left, "typed": request.POST, "problems": []}
    status = 200
    if request.method == "POST":
        try:
            people = recipients_of(_sent(request))
            if not people:
                raise InvalidInput.at("people", "Write a name, or choose a file")
            given = {
                name: text
                for name in ("course", "date", "hours", "custom")
                if (text := request.POST.get(name, "").strip())
            }
            found: Any = call(request, tools.issue, template_id=id, recipients=people, **given)
        except Refusal as refusal:
            issues = getattr(refusal, "issues", ())
            context["problems"] = [f"{one.path}: {one.message}" for one in issues] or [refusal.message]
            status = 400
        else:
            more = f" {found['did_not_fit']} did not fit into this month." if found["did_not_fit"] else ""
            told = f"Issued {counted(found['issued'], 'certificate')}.{more} The PDFs are ready in a moment."
            return done(request, told, f"{FRAME.home}/{id}/issued")
    return FRAME.page(request, id, "certs/owner/issue.html", context, status)


def _sent(request: HttpRequest) -> bytes | str:
    file = request.FILES.get("file")
    if file is not None and file.size:
        if file.size > MAX_BYTES:
            raise InvalidInput.at("file", "This file is too large: send up to 500 people at once")
        return file.read()
    return request.POST.get("people", "")


@page()
def issued(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q = request.GET.get("q", "")[:200].strip()
    found = call(request, tools.list_certificates, q=q, template_id=id, limit=PAGE, offset=offset)
    rows = [{**row, "badge": STATES[row["state"]]} for row in found["items"]]
    return FRAME.page(
        request, id, "certs/owner/issued.html", {"listing": found, "rows": rows, "q": q, "limit": PAGE, "kind": KIND}
    )


@page("POST")
def turn(request: SignedInRequest, id: str) -> HttpResponse:
    """Revoke one, or restore it."""
    template_of(request.account, id)
    state = "valid" if request.POST.get("state") == "valid" else "revoked"
    call(request, tools.edit, ids=[request.POST.get("certificate", "")[:60]], state=state)
    return done(request, "Restored." if state == "valid" else "Revoked.", f"{FRAME.home}/{id}/issued")
