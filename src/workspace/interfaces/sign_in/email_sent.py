"""What comes after a mail with a link was sent: a page that names the address, sends the mail again, and leads back to
the form with all that was typed. It says the same of every address, whether we know it or not."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.email_verification import send_verification_email_to_address
from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

HELD = "mailed_to"


def note(request: HttpRequest, email: str, **typed: str) -> None:
    """Keep for this browser where its mail went, with what was typed beside the address (never a password)."""
    held = typed_by(request)
    same = held if held.get("email") == email else {}
    request.session[HELD] = {**same, "email": email, **typed}


def typed_by(request: HttpRequest) -> dict[str, Any]:
    """By the names of the sign-up's fields."""
    held = request.session.get(HELD)
    return held if isinstance(held, dict) else {}


@require_safe
def sent(request: HttpRequest) -> HttpResponse:
    context = {"address": typed_by(request).get("email", ""), "is_again": "again" in request.GET}
    return render(request, "account/verification_sent.html", context)


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """Within the limits that all mails to one address have."""
    address = EmailAddress.objects.filter(email=typed_by(request).get("email", ""), verified=False).first()
    if address is not None:
        send_verification_email_to_address(request, address, signup=True)
    return redirect(f"{reverse('account_email_verification_sent')}?again")
