"""The account page: names, time zone, plans, and the ways to what guards the sign-in."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts import plans
from workspace.brand.models import Brand
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.delivery import account_settings_tools
from workspace.interfaces.account_pages.owner_only import owns
from workspace.interfaces.sign_in.forms import no_controls
from workspace.interfaces.sign_in.region import countries
from workspace.lib import time_zones
from workspace.lib.money import currencies
from workspace.publishing import items
from workspace.storage.database.transactions import writing


class PersonForm(forms.Form):
    """One's own name is the person's and not the account's, so no tool changes it."""

    person = forms.CharField(
        label="Your own name",
        max_length=120,
        required=False,
        validators=[no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


@signed_in
def profile(request: SignedInRequest) -> HttpResponse:
    account, person = request.account, request.user
    brand = Brand.of(account)
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
        with writing():
            person.save(update_fields=["name"])
        messages.success(request, "Saved.")
        return redirect("account")
    page = {
        "form": form,
        "own": own,
        "time_zones": time_zones.choices,
        "countries": countries(),
        "currencies": currencies(),
        "sells": plans.sells(),
        "larger": next(filter(None, (account.larger(key) for key in plans.PRODUCTS if plans.is_built(key))), ""),
        "is_owner": owns(request),
        "takes_time": items.take_time(),
    }
    return render(request, "account_pages/account.html", page, status=422 if own.errors else form.status)
