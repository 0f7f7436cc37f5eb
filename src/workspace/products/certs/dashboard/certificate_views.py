"""The pages for issued certificates: search, emailing again, correction, revocation, restoration and export."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page, parse_whole_number
from workspace.delivery.jobs import tools as jobs_tools
from workspace.lib.errors import NotFoundError
from workspace.products.certs import messages
from workspace.products.certs.api import tools
from workspace.products.certs.dashboard.item_layout import LAYOUT
from workspace.products.certs.domain import zip_download
from workspace.products.certs.domain.queries import STATE_PREFIX, get_template

PAGE_SIZE = 50
STATE_BADGES = {
    "valid": (gettext_lazy("Valid"), "good"),
    "expired": (gettext_lazy("Expired"), "wait"),
    "revoked": (gettext_lazy("Revoked"), "bad"),
    "replaced": (gettext_lazy("Replaced"), "wait"),
}
EMAIL_STATE_LABELS = {
    "queued": gettext_lazy("email queued"),
    "sent": gettext_lazy("email sent"),
    "bounced": gettext_lazy("email failed"),
    "kept": gettext_lazy("email not sent"),
    "withdrawn": gettext_lazy("email withdrawn"),
}
LABELS = {
    "course": gettext_lazy("Course"),
    "date": gettext_lazy("Date"),
    "hours": gettext_lazy("Hours"),
    "custom": gettext_lazy("Custom text"),
    "email": gettext_lazy("Email"),
}
CORRECTABLE_FIELDS = ("name", "email", "course", "date", "hours", "custom", "expires_on")


@page()
def list_issued(request: SignedInRequest, id: str) -> HttpResponse:
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    q = request.GET.get("q", "")[:200].strip()
    state = request.GET.get("state", "")
    state = state if state in STATE_BADGES else ""
    words = f"{q} {STATE_PREFIX}{state}" if state else q
    listing = call_tool(request, tools.list_certificates, q=words, template_id=id, limit=PAGE_SIZE, offset=offset)
    template = get_template(request.account, id)
    job = _find_job(request)
    context = {
        "listing": listing,
        "rows": [_present_certificate(row, id) for row in listing["items"]],
        "q": q,
        "state": state,
        "states": [("", gettext("All")), *((key, words) for key, (words, _) in STATE_BADGES.items())],
        "limit": PAGE_SIZE,
        "job": job,
        # the list is updated while PDFs are being created
        "follows": job is not None and not job.get("ended_at"),
        "pdfs": zip_download.download_url(template, kind="pdf", q=words),
        "badges": zip_download.download_url(template, kind="badge", q=words),
        "csv": f"/files/certs/export?{urlencode({'kind': 'list', 'template_id': id})}",
    }
    return LAYOUT.render_item_page(request, id, "certs/owner/issued.html", context)


def _present_certificate(row: Any, id: str) -> dict[str, Any]:
    return {
        **row,
        "badge": STATE_BADGES[row["state"]],
        "day": format_day(row["date"]),
        "mailed": EMAIL_STATE_LABELS.get(row["mail"], row["mail"]),
        "page": f"{LAYOUT.home}/{id}/issued/{row['id']}",
    }


def _find_job(request: SignedInRequest) -> Any:
    batch = request.GET.get("batch", "")[:60]
    try:
        return call_tool(request, jobs_tools.get, job_id=batch) if batch else None
    except NotFoundError:
        return None


@page("GET", "HEAD", "POST")
def show_certificate(request: SignedInRequest, id: str, certificate: str) -> HttpResponse:
    """Show a certificate and the actions for it."""
    get_template(request.account, id)
    template: Any = call_tool(request, tools.get, id=certificate).get("certificate")
    if template is None or template["template_id"] != id:
        raise NotFoundError(messages.CERTIFICATE_NOT_FOUND)
    here = f"{LAYOUT.home}/{id}/issued/{certificate}"
    form = ToolForm(
        tools.edit,
        request,
        initial={name: template[name] for name in CORRECTABLE_FIELDS},
        fixed={"ids": [certificate]},
        editing=True,
        labels=LABELS,
    )
    if request.method == "POST":
        changed = form.arguments.keys() & set(CORRECTABLE_FIELDS)
        if not changed:
            return redirect_with_message(request, gettext("No changes."), here)
        if answer := form.submit(request.caller):
            new = answer.data["items"][0]
            text = gettext("New certificate created.") if new["id"] != certificate else gettext("Changes saved.")
            return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/issued/{new['id']}")
    context = {
        "form": form,
        "row": _present_certificate(template, id),
        "certificate": template,
        "current_url": here,
        "day": format_day(template["date"]),
        "expires_on": format_day(template["expires_on"]),
    }
    return LAYOUT.render_item_page(request, id, "certs/owner/certificate.html", context, form.status)


def format_day(text: str) -> str:
    try:
        return date.fromisoformat(text).strftime("%-d %B %Y")
    except ValueError:
        return text


@page("POST")
def handle_action(request: SignedInRequest, id: str, certificate: str) -> HttpResponse:
    """Revoke, restore or email a certificate."""
    get_template(request.account, id)
    here = f"{LAYOUT.home}/{id}/issued/{certificate}"
    act = request.POST.get("act", "")
    notify = request.POST.get("notify") == "true"
    if act == "send":
        call_tool(request, tools.edit, ids=[certificate], notify=True)
        return redirect_with_message(request, gettext("Email sent."), here)
    if act == "restore":
        call_tool(request, tools.edit, ids=[certificate], state="valid", notify=notify)
        return redirect_with_message(request, gettext("Certificate restored."), here)
    reason = request.POST.get("reason", "").strip()
    why = {"reason": reason[:300]} if reason else {}
    call_tool(request, tools.edit, ids=[certificate], state="revoked", notify=notify, **why)
    return redirect_with_message(request, gettext("Certificate revoked."), here)
