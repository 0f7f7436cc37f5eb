"""The page of an invite link, `/i/CODE`: the inviter and the reward.

It stores the first such link that a browser opens in a cookie.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from workspace.accounts import invites, plans
from workspace.accounts.models import Account
from workspace.brand.active_brand import use_brand
from workspace.publishing.locale import with_guest_locale
from workspace.rate_limits.counter import consume


@never_cache
@require_safe
@with_guest_locale
def invitation(request: HttpRequest, code: str) -> HttpResponse:
    with use_brand(None):
        if not consume("invite-link", request):
            page_texts = {"heading": gettext("Too many attempts"), "text": gettext("Try again in an hour.")}
            return render(request, "public/message.html", page_texts, status=429)
        inviter = invites.find_inviter(code)
        if inviter is None:
            page_texts = {
                "heading": gettext("Invitation not found"),
                "text": gettext("Check the link, or ask the person who sent it to you."),
            }
            return render(request, "public/message.html", page_texts, status=404)
        context = {
            "business": inviter.name,
            "first_name": inviter_first_name(inviter),
            "is_paid_for": settings.PAYMENTS,
            "code": inviter.invite_code,
            "sign_up": reverse("account_signup") if settings.SIGNUP_OPEN else "",
            "days": invites.CODE_ENTRY_PERIOD.days,
            "products": [one for one in plans.PRODUCTS.values() if one.is_built],
        }
        response = render(request, "public/invitation.html", context)
    invites.set_invite_cookie(request, response, inviter)
    return response


def inviter_first_name(inviter: Account) -> str:
    """Return the owner's first name if they agreed to show it, or ""."""
    return (inviter.owner.name.split() or [""])[0] if inviter.invite_shows_name else ""
