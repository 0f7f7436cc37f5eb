"""Reports of abuse: looked at, acted on, or set aside; and what is out of service."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts.plans import PRODUCTS
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.admin_pages.access import HOME, cut, for_operators
from workspace.public_site.abuse_report_views import REASONS
from workspace.publishing import moderation
from workspace.publishing.models import Publication, Report

HERE = f"{HOME}/reports"


class BanForm(forms.Form):
    reason = forms.CharField(label="Why", max_length=200)


@for_operators()
def reports(request: SignedInRequest) -> HttpResponse:
    """The oldest open one first, since somebody has waited longest there; or what was taken out of service."""
    is_banned = request.GET.get("show") == "banned"
    rows: list[dict[str, Any]]
    if is_banned:
        banned = Publication.objects.filter(banned_at__isnull=False, account__banned_at=None).select_related("account")
        shown, listing = cut(request, banned.order_by("-banned_at", "-pk"))
        rows = [
            {
                "id": one.pk,
                "path": path_of(one),
                "business": _business(one),
                "why": one.ban_reason,
                "at": one.banned_at,
            }
            for one in shown
        ]
    else:
        found = Report.objects.filter(resolved_at=None).select_related("publication__account")
        shown, listing = cut(request, found.order_by("created_at", "pk"))
        rows = [
            {
                "id": one.pk,
                "path": path_of(one.publication),
                "business": _business(one.publication),
                "account": f"{HOME}/accounts/{one.publication.account_id}",
                "why": REASONS.get(one.reason, one.reason),
                "note": one.note,
                "email": one.email,
                "at": one.created_at,
                "is_banned": one.publication.banned_at is not None,
            }
            for one in shown
        ]
    context = {"rows": rows, "is_banned": is_banned, "listing": listing, "here": HERE, "home": HOME}
    return render(request, "operator_pages/reports.html", context)


@for_operators("POST")
def act(request: SignedInRequest, id: int) -> HttpResponse:
    """On one report: its page out of service, for a reason, or the report set aside."""
    report = Report.objects.filter(pk=id).select_related("publication").first()
    if report is None:
        raise Http404
    path = path_of(report.publication)
    if "aside" in request.POST:
        moderation.set_aside(report)
        return done(request, f"The report about {path} is set aside. Nothing was changed.", HERE)
    form = BanForm(request.POST)
    if not form.is_valid():
        return done(request, "Nothing was changed: say why, for yourself and who comes after you.", HERE)
    moderation.take_down(report.publication, form.cleaned_data["reason"])
    return done(request, f"{path} is out of service.", HERE)


@for_operators("POST")
def put_back(request: SignedInRequest, id: str) -> HttpResponse:
    found = Publication.objects.filter(pk=id.replace("\0", ""), banned_at__isnull=False).first()
    if found is None:
        raise Http404
    moderation.put_back(found)
    return done(request, f"{path_of(found)} is back in service.", f"{HERE}?show=banned")


def _business(publication: Publication) -> str:
    return publication.account.name if publication.account else ""


def path_of(publication: Publication) -> str:
    product = PRODUCTS.get(publication.kind)
    return f"{product.path if product else f'/{publication.kind}/'}{publication.slug}"
