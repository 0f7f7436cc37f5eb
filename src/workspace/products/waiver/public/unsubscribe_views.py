"""`/w/SLUG/quiet`: unsubscribing from emails that ask people to sign again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render

from workspace.products.waiver.domain import renewals
from workspace.products.waiver.domain.returning_signers import find_signing
from workspace.products.waiver.models import Waiver
from workspace.products.waiver.public.views import private_response
from workspace.public_site.guest_page import guest_transaction
from workspace.publishing.models import Address


def unsubscribe(request: HttpRequest, address: Address) -> HttpResponse:
    """Ask for confirmation before unsubscribing. Link scanners therefore change nothing.

    The one-click unsubscribe of an email client is a POST.
    """
    waiver, who = Waiver.from_address(address), request.GET.get("who", "")
    signing = find_signing(waiver, who)
    if request.method not in ("GET", "HEAD", "POST"):
        return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
    if request.method == "POST" and signing is not None:
        with guest_transaction(address.publication_id):
            renewals.mute_reminders(signing)
    context = {
        "waiver": waiver,
        "slug": waiver.slug,
        "business": waiver.account.name,
        "who": who,
        "is_known": signing is not None,
        "is_done": request.method == "POST",
    }
    return private_response(render(request, "waiver/mute_reminders.html", context, status=200 if signing else 404))
