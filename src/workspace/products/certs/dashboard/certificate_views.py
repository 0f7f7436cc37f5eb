"""What was issued: found again, mailed again, corrected, revoked and restored, and taken along."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, whole_number
from workspace.delivery.jobs import tools as jobs_tools
from workspace.lib.errors import NotFound
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.layout import FRAME
from workspace.products.certs.domain import downloads
from workspace.products.certs.domain.queries import STATE, template_of

PAGE = 50
STATES = {
    "valid": ("Valid", "good"),
    "expired": ("Expired", "wait"),
    "revoked": ("Revoked", "bad"),
    "replaced": ("Replaced", "wait"),
}
MAILS = {"queued": "mail on its way", "sent": "mailed", "bounced": "mail bounced", "kept": "mail kept here"}
LABELS = {"course": "Course", "date": "Date", "hours": "Hours", "custom": "Your own text", "email": "E-mail"}
CORRECTED = ("name", "email", "course", "date", "hours", "custom", "expires")


@page()
def issued(request: SignedInRequest, id: str) -> HttpResponse:
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q = request.GET.get("q", "")[:200].strip()
    state = request.GET.get("state", "")
    state = state if state in STATES else ""
    words = f"{q} {STATE}{state}" if state else q
    found = call(request, tools.list_certificates, q=words, template_id=id, limit=PAGE, offset=offset)
    template = template_of(request.account, id)
    job = _job(request)
    context = {
        "listing": found,
        "rows": [_row(row, id) for row in found["items"]],
        "q": q,
        "state": state,
        "states": [("", "All"), *((key, words) for key, (words, _) in STATES.items())],
        "limit": PAGE,
        "job": job,
        # while papers are being made the list follows
        "follows": job is not None and not job.get("ended_at"),
        "pdfs": downloads.url_of(template, kind="pdf", q=words),
        "badges": downloads.url_of(template, kind="badge", q=words),
        "csv": f"/files/certs/export?{urlencode({'kind': 'list', 'template_id': id})}",
    }
    return FRAME.page(request, id, "certs/owner/issued.html", context)


def _row(row: Any, id: str) -> dict[str, Any]:
    return {
        **row,
        "badge": STATES[row["state"]],
        "day": shown_day(row["date"]),
        "mailed": MAILS.get(row["mail"], row["mail"] and f"mail {row['mail']}"),
        "page": f"{FRAME.home}/{id}/issued/{row['id']}",
    }


def _job(request: SignedInRequest) -> Any:
    batch = request.GET.get("batch", "")[:60]
    try:
        return call(request, jobs_tools.get, job_id=batch) if batch else None
    except NotFound:
        return None


@page("GET", "HEAD", "POST")
def one(request: SignedInRequest, id: str, certificate: str) -> HttpResponse:
    """One of them, with what can be done to it."""
    template_of(request.account, id)
    found: Any = call(request, tools.get, id=certificate).get("certificate")
    if found is None or found["template_id"] != id:
        raise NotFound("There is no such certificate")
    here = f"{FRAME.home}/{id}/issued/{certificate}"
    form = ToolForm(
        tools.edit,
        request,
        initial={name: found[name] for name in CORRECTED},
        fixed={"ids": [certificate]},
        editing=True,
        labels=LABELS,
    )
    if request.method == "POST":
        changed = form.arguments.keys() & set(CORRECTED)
        if not changed:
            return done(request, "Nothing was changed.", here)
        if answer := form.submit(request.caller):
            new = answer.data["items"][0]
            told = "Corrected: this is the new one." if new["id"] != certificate else "Saved."
            return done(request, told, f"{FRAME.home}/{id}/issued/{new['id']}")
    context = {
        "form": form,
        "row": _row(found, id),
        "certificate": found,
        "here": here,
        "day": shown_day(found["date"]),
        "expires": shown_day(found["expires"]),
    }
    return FRAME.page(request, id, "certs/owner/one.html", context, form.status)


def shown_day(text: str) -> str:
    try:
        return date.fromisoformat(text).strftime("%-d %B %Y")
    except ValueError:
        return text


@page("POST")
def turn(request: SignedInRequest, id: str, certificate: str) -> HttpResponse:
    """Revoke one, restore it, or mail it once more."""
    template_of(request.account, id)
    here = f"{FRAME.home}/{id}/issued/{certificate}"
    act = request.POST.get("act", "")
    notify = request.POST.get("notify") == "true"
    if act == "send":
        call(request, tools.edit, ids=[certificate], notify=True)
        return done(request, "Mailed once more.", here)
    if act == "restore":
        call(request, tools.edit, ids=[certificate], state="valid", notify=notify)
        return done(request, "Restored.", here)
    reason = request.POST.get("reason", "").strip()
    why = {"reason": reason[:300]} if reason else {}
    call(request, tools.edit, ids=[certificate], state="revoked", notify=notify, **why)
    return done(request, "Revoked.", here)
