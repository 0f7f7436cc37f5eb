"""The page for the email of a certificate: its text next to a preview."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.previews import apply_and_roll_back
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.certs.api import export_tools, tools
from workspace.products.certs.dashboard.item_layout import LAYOUT
from workspace.products.certs.domain import emails, previews
from workspace.products.certs.domain.queries import get_template

LABELS = {"mail_subject": gettext_lazy("Subject"), "mail_text": gettext_lazy("Text")}
# an email has inline styles, because it loads no style sheets; nothing in it runs, and its links do not work
PREVIEW_CSP = (
    "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)


@page("GET", "HEAD", "POST")
def email(request: SignedInRequest, id: str) -> HttpResponse:
    form = _build_form(request, id)
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Email saved."), f"{LAYOUT.home}/{id}/letter")
    ours = emails.render_preview(_get_template(request, id, own=False), _build_sample(request, id))
    return LAYOUT.render_item_page(
        request, id, "certs/owner/email.html", {"form": form, "ours": ours.subject}, form.status
    )


@never_cache
@page("GET", "HEAD", "POST")
def preview(request: SignedInRequest, id: str) -> HttpResponse:
    """Render the email with the values in the form."""

    def render_html() -> str:
        return emails.render_preview(_get_template(request, id), _build_sample(request, id)).html

    html = (
        apply_and_roll_back(request, _build_form(request, id), render_html)[0]
        if request.method == "POST"
        else render_html()
    )
    response = HttpResponse(html)
    response.headers["Content-Security-Policy"] = PREVIEW_CSP
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@page("POST")
def send_sample(request: SignedInRequest, id: str) -> HttpResponse:
    """Send a sample to the person who requested it."""
    to = call_tool(request, export_tools.email_sample, template_id=id)["to"]
    text = gettext("Sample sent to %(email)s.") % {"email": to}
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}/letter")


def _build_form(request: SignedInRequest, id: str) -> ToolForm:
    template: Any = call_tool(request, tools.get, id=id)["template"]
    initial = {name: template[name] for name in LABELS}
    return ToolForm(
        tools.save_template, request, initial=initial, fixed={"template_id": id}, editing=True, labels=LABELS
    )


def _get_template(request: SignedInRequest, id: str, *, own: bool = True) -> Any:
    template = get_template(request.account, id)
    template.account = request.account
    if not own:
        template.mail_subject = template.mail_text = ""
    return template


def _build_sample(request: SignedInRequest, id: str) -> Any:
    template = _get_template(request, id)
    certificate = previews.build_sample(template)
    certificate.title, certificate.organization = template.title, template.organization
    return certificate
