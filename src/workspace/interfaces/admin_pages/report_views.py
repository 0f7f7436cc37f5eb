"""Reports of abuse: reviewing, banning or dismissing; and the list of banned pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts.plans import PRODUCTS
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.admin_pages.access import HOME, paginate, require_operator
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.public_site.abuse_report_views import REASONS
from workspace.publishing import moderation
from workspace.publishing.models import Publication, Report

PAGE = f"{HOME}/reports"


class BanForm(forms.Form):
    reason = forms.CharField(label=owner_gettext_lazy("Reason"), max_length=200)


@require_operator()
def reports(request: SignedInRequest) -> HttpResponse:
    """List open reports, oldest first, or the banned pages."""
    is_banned = request.GET.get("show") == "banned"
    rows: list[dict[str, Any]]
    if is_banned:
        banned = Publication.objects.filter(banned_at__isnull=False, account__banned_at=None).select_related("account")
        shown, listing = paginate(request, banned.order_by("-banned_at", "-pk"))
        rows = [
            {
                "id": one.pk,
                "path": public_path(one),
                "business": _business_name(one),
                "why": one.ban_reason,
                "at": one.banned_at,
            }
            for one in shown
        ]
    else:
        found = Report.objects.filter(resolved_at=None).select_related("publication__account")
        shown, listing = paginate(request, found.order_by("created_at", "pk"))
        rows = [
            {
                "id": one.pk,
                "path": public_path(one.publication),
                "business": _business_name(one.publication),
                "account": f"{HOME}/accounts/{one.publication.account_id}",
                "why": REASONS.get(one.reason, one.reason),
                "note": one.note,
                "email": one.email,
                "at": one.created_at,
                "is_banned": one.publication.banned_at is not None,
            }
            for one in shown
        ]
    context = {"rows": rows, "is_banned": is_banned, "listing": listing, "here": PAGE, "home": HOME}
    return render(request, "operator_pages/reports.html", context)


@require_operator("POST")
def handle_action(request: SignedInRequest, id: int) -> HttpResponse:
    """Handle a report: ban its page for a reason, or dismiss the report."""
    report = Report.objects.filter(pk=id).select_related("publication").first()
    if report is None:
        raise Http404
    path = public_path(report.publication)
    if "aside" in request.POST:
        moderation.dismiss_report(report)
        return redirect_with_message(request, owner_gettext("Report about %(path)s dismissed.") % {"path": path}, PAGE)
    form = BanForm(request.POST)
    if not form.is_valid():
        return redirect_with_message(
            request, owner_gettext("Enter a reason to block the page. Nothing was changed."), PAGE
        )
    moderation.ban_publication(report.publication, form.cleaned_data["reason"])
    return redirect_with_message(request, owner_gettext("%(path)s blocked.") % {"path": path}, PAGE)


@require_operator("POST")
def restore_address(request: SignedInRequest, id: str) -> HttpResponse:
    found = Publication.objects.filter(pk=id.replace("\0", ""), banned_at__isnull=False).first()
    if found is None:
        raise Http404
    moderation.unban_publication(found)
    return redirect_with_message(
        request, owner_gettext("%(found)s unblocked.") % {"found": public_path(found)}, f"{PAGE}?show=banned"
    )


def _business_name(publication: Publication) -> str:
    return publication.account.name if publication.account else ""


def public_path(publication: Publication) -> str:
    product = PRODUCTS.get(publication.kind)
    return f"{product.path if product else f'/{publication.kind}/'}{publication.slug}"
