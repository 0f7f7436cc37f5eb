"""The account page: names, time zone, plans, and links to the sign-in settings."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts import plans
from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.delivery import account_settings_tools
from workspace.interfaces.account_pages.owner_requirement import is_owner
from workspace.interfaces.sign_in.forms import validate_no_controls
from workspace.interfaces.sign_in.region_guess import list_countries
from workspace.lib import time_zones
from workspace.lib.money import currency_choices
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.payments.connection import describe_provider
from workspace.publishing import items
from workspace.storage.database.transactions import write_transaction


class PersonForm(forms.Form):
    """A form for the person's own name. It belongs to the person and not to the account, so no tool changes it."""

    person = forms.CharField(
        label=owner_gettext_lazy("Your name"),
        max_length=120,
        required=False,
        validators=[validate_no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


@require_sign_in
def profile(request: SignedInRequest) -> HttpResponse:
    account, person = request.account, request.user
    brand = Brand.for_account(account)
    present = {
        "name": account.name,
        "time_zone": account.time_zone,
        "country": brand.country,
        "currency": brand.currency,
    }
    form = ToolForm(account_settings_tools.edit, request, initial=present, editing=True)
    own = PersonForm(request.POST if request.method == "POST" else None, initial={"person": person.name})
    if own.is_valid() and form.submit(request.caller):
        person.name = own.cleaned_data["person"]
        with write_transaction():
            person.save(update_fields=["name"])
        messages.success(request, owner_gettext("Profile saved."))
        return redirect("account")
    page = {
        "form": form,
        "own": own,
        "time_zones": time_zones.zone_choices,
        "countries": list_countries(),
        "currencies": currency_choices(),
        "sells": plans.is_selling(),
        "larger": next(filter(None, (account.upgrade_hint(key) for key in plans.PRODUCTS if plans.is_built(key))), ""),
        "is_owner": is_owner(request),
        "provider_titles": describe_provider(account),
        "takes_time": items.has_calendar_products(),
    }
    return render(request, "account_pages/account.html", page, status=422 if own.errors else form.status)
