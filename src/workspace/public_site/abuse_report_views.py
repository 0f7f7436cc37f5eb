"""Abuse reports: a form for guests, and an email to the administrator."""

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

from workspace.brand.active_brand import use_brand
from workspace.lib.text import has_control_characters
from workspace.public_site.guest_page import render_state
from workspace.public_site.post_redirect import redirect_posts
from workspace.public_site.spam_protection import SpamVerdict, check_submission, render_hidden_fields
from workspace.publishing.locale import current_locale, with_guest_locale
from workspace.publishing.models import Address, Report
from workspace.rate_limits.counter import consume
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

REASONS = {
    "phishing": _("It’s a scam or impersonates someone"),
    "malware": _("It spreads harmful software"),
    "illegal": _("It shows something illegal"),
    "spam": _("It’s spam"),
    "rights": _("It uses my work, name or picture without permission"),
    "other": _("Something else"),
}
MAX_NOTE_LENGTH = 2000
_FORM = "report"


@dataclass
class ReportForm:
    """The values of a submitted form, and problems by field."""

    reason: str = ""
    note: str = ""
    email: str = ""
    problems: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_request(cls, request: HttpRequest) -> ReportForm:
        reason, note, email = (request.POST.get(name, "").strip() for name in ("reason", "note", "email"))
        form = cls(reason, note.replace("\r\n", "\n"), email)
        if form.reason not in REASONS:
            form.problems["reason"] = gettext("Choose a reason")
        if len(form.note) > MAX_NOTE_LENGTH:
            form.problems["note"] = gettext("Use at most %(most)s characters") % {"most": MAX_NOTE_LENGTH}
        elif has_control_characters(form.note, multiline=True):
            form.problems["note"] = gettext("Remove control characters")
        if form.email:
            try:
                validate_email(form.email)
            except ValidationError:
                form.problems["email"] = gettext("Enter a valid email address, or leave this empty")
        return form


# Guests have no cookies, so there is no CSRF token: `check_submission` checks where the form was sent from.
@csrf_exempt
@redirect_posts
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_guest_locale
def report(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Show and process the form about a public address, regardless of its state. Return a 404 if it does not exist."""
    # PostgreSQL rejects NUL.
    address = None if "\0" in kind + slug else Address.find_by_slug(kind, slug)
    if address is None:
        return render_state(request, kind, "unknown")
    if request.method != "POST":
        return _render_form(request, address, ReportForm(), was_sent="sent" in request.GET)
    verdict = check_submission(request, _FORM)
    if verdict is SpamVerdict.TRAPPED:
        return _thank_you_redirect(address)
    form = ReportForm.from_request(request)
    if verdict is not SpamVerdict.FINE:
        form.problems["form"] = verdict.advice
    if form.problems:
        return _render_form(request, address, form, status=400)
    if not consume("report", request):
        form.problems["form"] = gettext("You’ve sent several reports. Try again in an hour.")
        return _render_form(request, address, form, status=429)
    _save_report(address, form)
    return _thank_you_redirect(address)


def _save_report(address: Address, form: ReportForm) -> None:
    with write_transaction():
        Report.objects.create(publication=address.publication, reason=form.reason, note=form.note, email=form.email)
        if not settings.OPERATOR_EMAIL:
            return
        try:
            send_mail(
                f"Report: {form.reason} at {address}", _format_mail(address, form), None, [settings.OPERATOR_EMAIL]
            )
        except ValueError:
            logger.exception("The report is saved, but WORKSPACE_OPERATOR_EMAIL is no address")


def _format_mail(address: Address, form: ReportForm) -> str:
    lines = [
        f"A guest has reported {address} ({address.publication_id}) at {settings.BASE_URL}.",
        f"Reason: {REASONS[form.reason]}",
        f"From: {form.email or 'not provided'}",
        "",
        form.note or "No note.",
    ]
    return "\n".join(lines) + "\n"


def _thank_you_redirect(address: Address) -> HttpResponse:
    # Redirect, so that a reload does not send the report again.
    return HttpResponseRedirect(current_locale().localize_url(f"{_report_path(address)}?sent"), status=303)


def _report_path(address: Address) -> str:
    return reverse("report", args=[address.kind, address.slug])


def _render_form(
    request: HttpRequest, address: Address, form: ReportForm, *, was_sent: bool = False, status: int = 200
) -> HttpResponse:
    context = {
        "address": address,
        "form": form,
        "sent": was_sent,
        "action": current_locale().localize_url(_report_path(address)),
        "reasons": [(reason, gettext(words)) for reason, words in REASONS.items()],
        "hidden_fields": render_hidden_fields(_FORM),
        "longest_note": MAX_NOTE_LENGTH,
    }
    with use_brand(address.publication.account):
        return render(request, "public/report.html", context, status=status)
