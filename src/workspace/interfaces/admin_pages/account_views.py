"""Accounts: searching, usage numbers, suspending and resuming. Their content is not shown."""

from __future__ import annotations

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.admin_cli.account_usage import compute_usage, search_owners
from workspace.interfaces.admin_pages.access import HOME, paginate, require_operator
from workspace.owner_translation import owner_gettext_lazy, owner_ngettext
from workspace.publishing.account_lifecycle import suspension


class SuspendForm(forms.Form):
    reason = forms.CharField(
        label=owner_gettext_lazy("Reason"),
        max_length=180,
        help_text=owner_gettext_lazy("Only visible to administrators. Guests see that the page is not available."),
    )


@require_operator()
def accounts(request: SignedInRequest) -> HttpResponse:
    sought = request.GET.get("q", "").strip()[:100]
    rows, listing = paginate(request, search_owners(sought))
    context = {"rows": rows, "sought": sought, "listing": listing, "home": HOME}
    return render(request, "operator_pages/accounts.html", context)


@require_operator("GET", "HEAD", "POST")
def account(request: SignedInRequest, id: str) -> HttpResponse:
    found = _get_account(id)
    form = SuspendForm(request.POST if request.method == "POST" and "resume" not in request.POST else None)
    here = f"{HOME}/accounts/{found.pk}"
    if request.method == "POST" and "resume" in request.POST and found.banned_at:
        pages = suspension.resume_account(found)
        text = owner_ngettext(
            "%(name)s resumed with %(count)s public page.", "%(name)s resumed with %(count)s public pages.", pages
        )
        return redirect_with_message(request, text % {"name": found.name, "count": pages}, here)
    if form.is_valid() and not found.banned_at:
        pages = suspension.suspend_account(found, form.cleaned_data["reason"])
        text = owner_ngettext(
            "%(name)s suspended with %(count)s public page.", "%(name)s suspended with %(count)s public pages.", pages
        )
        return redirect_with_message(request, text % {"name": found.name, "count": pages}, here)
    account_usage = compute_usage(found)
    lines = [
        (plans.PRODUCTS[key].title, plan, account_usage["things"].get(key, 0))
        for key, plan in account_usage["plans"].items()
    ]
    context = {"form": form, "account": found, "usage": account_usage, "lines": lines, "here": here, "home": HOME}
    return render(request, "operator_pages/account.html", context, status=422 if form.errors else 200)


def _get_account(id: str) -> Account:
    found = Account.objects.filter(pk=id.replace("\0", "")).first()
    if found is None:
        raise Http404
    return found
