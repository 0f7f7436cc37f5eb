"""Reports of abuse: a form for guests, a row and a mail for the operator."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from workspace.brand.active_style import wearing
from workspace.lib.text import has_controls
from workspace.public_site.guest_page import told
from workspace.public_site.post_redirect import redirecting
from workspace.public_site.spam_protection import Verdict, allow, hidden_fields, judge
from workspace.publishing.locale import spoken, voice
from workspace.publishing.models import Address, Report
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

REASONS = {
    "phishing": _("It asks for passwords, codes or money under a false name"),
    "malware": _("It spreads harmful software"),
    "illegal": _("It shows something illegal"),
    "spam": _("It is spam"),
    "rights": _("It uses my work, my name or my picture"),
    "other": _("Something else"),
}
LONGEST_NOTE = 2000
HOURLY = 5  # reports by one guest
_FORM = "report"


@dataclass
class Form:
    """What a guest has typed, and what is wrong with it by field."""

    reason: str = ""
    note: str = ""
    email: str = ""
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: HttpRequest) -> Form:
        reason, note, email = (request.POST.get(name, "").strip() for name in ("reason", "note", "email"))
        form = cls(reason, note.replace("\r\n", "\n"), email)
        if form.reason not in REASONS:
            form.problems["reason"] = gettext("Choose what is wrong")
        if len(form.note) > LONGEST_NOTE:
            form.problems["note"] = gettext("At most %(most)s characters") % {"most": LONGEST_NOTE}
        elif has_controls(form.note, multiline=True):
            form.problems["note"] = gettext("Leave out control characters")
        if form.email:
            try:
                validate_email(form.email)
            except ValidationError:
                form.problems["email"] = gettext("This is not an e-mail address; you may leave it empty")
        return form


# no cookie is set for guests, so there is no token to compare: `judge` looks at where the form came from
@csrf_exempt
@redirecting
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@spoken
def report(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """The form about one public address, whatever its state; 404 for an address that there is not."""
    # a NUL is no character to PostgreSQL
    address = None if "\0" in kind + slug else Address.find(kind, slug)
    if address is None:
        return told(request, kind, "unknown")
    if request.method != "POST":
        return _page(request, address, Form(), sent="sent" in request.GET)
    verdict = judge(request, _FORM)
    if verdict is Verdict.TRAPPED:
        return _thanks(address)
    form = Form.of(request)
    if verdict is not Verdict.FINE:
        form.problems["form"] = verdict.advice
    if form.problems:
        return _page(request, address, form, status=400)
    if not allow(request, "report", limit=HOURLY, window=3600):
        form.problems["form"] = gettext("You have sent several reports just now. Please come back in an hour.")
        return _page(request, address, form, status=429)
    _keep(address, form)
    return _thanks(address)


def _keep(address: Address, form: Form) -> None:
    with writing():
        Report.objects.create(publication=address.publication, reason=form.reason, note=form.note, email=form.email)
        if not settings.OPERATOR_EMAIL:
            return
        try:
            send_mail(f"Report: {form.reason} at {address}", _mail(address, form), None, [settings.OPERATOR_EMAIL])
        except ValueError:
            logger.exception("The report is kept, but WORKSPACE_OPERATOR_EMAIL is no address")


def _mail(address: Address, form: Form) -> str:
    lines = [
        f"A guest has reported {address} ({address.publication_id}) at {settings.BASE_URL}.",
        f"Reason: {REASONS[form.reason]}",
        f"From: {form.email or 'not told'}",
        "",
        form.note or "No note.",
    ]
    return "\n".join(lines) + "\n"


def _thanks(address: Address) -> HttpResponse:
    # a redirect, so that reloading does not report again
    return HttpResponseRedirect(voice().along(f"{_path(address)}?sent"), status=303)


def _path(address: Address) -> str:
    return reverse("report", args=[address.kind, address.slug])


def _page(request: HttpRequest, address: Address, form: Form, *, sent: bool = False, status: int = 200) -> HttpResponse:
    context = {
        "address": address,
        "form": form,
        "sent": sent,
        "action": voice().along(_path(address)),
        "reasons": [(reason, gettext(words)) for reason, words in REASONS.items()],
        "hidden_fields": hidden_fields(_FORM),
        "longest_note": LONGEST_NOTE,
    }
    with wearing(address.publication.account):
        return render(request, "public/report.html", context, status=status)
