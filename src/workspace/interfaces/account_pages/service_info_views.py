"""Public pages about the service: a description, prices, and the privacy policy."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from workspace.accounts import plans
from workspace.interfaces.account_pages import plan_limit_text
from workspace.owner_translation import owner_gettext
from workspace.publishing import items


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/about.html")


@require_safe
def pricing(request: HttpRequest) -> HttpResponse:
    """List every plan with its price. Raise Http404 on an instance without payments."""
    if not settings.PAYMENTS:
        raise Http404
    rows = [
        {
            "title": one.title,
            "about": one.description,
            "icon": items.get_manifest(one.key).icon,
            "offers": [
                {
                    "plan": name,
                    "price": offer.price,
                    "per": owner_gettext("per event")
                    if (one.key, name) == plans.EVENT_CREDIT_PLAN
                    else owner_gettext("per month"),
                    "limits": plan_limit_text.describe_plan(one.key, name),
                }
                for name, offer in one.plans.items()
            ],
        }
        for one in plans.PRODUCTS.values()
        if one.is_built
    ]
    later = [one.title for one in plans.PRODUCTS.values() if not one.is_built]
    return render(request, "account_pages/pricing.html", {"products": rows, "later": later})


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/privacy.html")
