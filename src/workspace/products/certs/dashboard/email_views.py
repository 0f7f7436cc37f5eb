"""The mail that a certificate comes with: its words beside how it looks to who gets it."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.views.decorators.cache import never_cache

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.previews import attempt
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.certs.api import export_tools, tools
from workspace.products.certs.dashboard.layout import FRAME
from workspace.products.certs.domain import emails, previews
from workspace.products.certs.domain.queries import template_of

LABELS = {"mail_subject": "Subject", "mail_text": "Words"}
# a mail holds its colours itself, since it loads no sheet; nothing in it runs or leads anywhere
POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)


@page("GET", "HEAD", "POST")
def letter(request: SignedInRequest, id: str) -> HttpResponse:
    form = _form(request, id)
    if form.submit(request.caller):
        return done(request, "Saved.", f"{FRAME.home}/{id}/letter")
    ours = emails.preview(_template(request, id, own=False), _sample(request, id))
    return FRAME.page(request, id, "certs/owner/letter.html", {"form": form, "ours": ours.subject}, form.status)


@never_cache
@page("GET", "HEAD", "POST")
def seen(request: SignedInRequest, id: str) -> HttpResponse:
    """As it would be with what is in the form."""

    def draw() -> str:
        return emails.preview(_template(request, id), _sample(request, id)).html

    html = attempt(request, _form(request, id), draw)[0] if request.method == "POST" else draw()
    response = HttpResponse(html)
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@page("POST")
def sample(request: SignedInRequest, id: str) -> HttpResponse:
    """The mail, to whoever asks."""
    to = call(request, export_tools.sample, template_id=id)["to"]
    return done(request, f"A sample is on its way to {to}.", f"{FRAME.home}/{id}/letter")


def _form(request: SignedInRequest, id: str) -> ToolForm:
    found: Any = call(request, tools.get, id=id)["template"]
    initial = {name: found[name] for name in LABELS}
    return ToolForm(
        tools.save_template, request, initial=initial, fixed={"template_id": id}, editing=True, labels=LABELS
    )


def _template(request: SignedInRequest, id: str, *, own: bool = True) -> Any:
    template = template_of(request.account, id)
    template.account = request.account
    if not own:
        template.mail_subject = template.mail_text = ""
    return template


def _sample(request: SignedInRequest, id: str) -> Any:
    template = _template(request, id)
    found = previews.sample(template)
    found.title, found.organization = template.title, template.organization
    return found
