"""The account page: names, time zone, plans, and the ways to what guards the sign-in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.dashboard.session import SignedInRequest, signed_in
from workspace.interfaces.account_pages.owner import owns
from workspace.interfaces.sign_in import time_zones
from workspace.interfaces.sign_in.forms import no_controls
from workspace.storage.database import writing


class ProfileForm(forms.Form):
    name = forms.CharField(label="Name of your business", max_length=120, validators=[no_controls])
    person = forms.CharField(
        label="Your own name",
        max_length=120,
        required=False,
        validators=[no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    time_zone = forms.ChoiceField(label="Time zone", choices=time_zones.choices)


@signed_in
def profile(request: SignedInRequest) -> HttpResponse:
    account, person = request.account, request.user
    present = {"name": account.name, "person": person.name, "time_zone": account.time_zone}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=present)
    if form.is_valid():
        given = form.cleaned_data
        account.name, account.time_zone, person.name = given["name"], given["time_zone"], given["person"]
        with writing():
            account.save(update_fields=["name", "time_zone"])
            person.save(update_fields=["name"])
        messages.success(request, "Saved.")
        return redirect("account")
    rows = plan_rows(account)
    page = {
        "form": form,
        "plans": [row for row in rows if row["is_built"]],
        "later": [row for row in rows if not row["is_built"]],
        "is_owner": owns(request),
    }
    return render(request, "account_pages/account.html", page, status=422 if form.errors else 200)


def plan_rows(account: Account) -> list[dict[str, Any]]:
    """Every product with the account's plan and its limits in words."""
    return [
        {
            "title": product.title,
            "plan": account.plan(key),
            "is_built": plans.is_built(key),
            "limits": [_limit(name, most) for name, most in plans.describe_limits(key, account.plan(key)).items()],
        }
        for key, product in plans.PRODUCTS.items()
    ]


def _limit(name: str, most: Any) -> str:
    words = name.removeprefix("max_").replace("_", " ")
    if most is None:
        return f"unlimited {words}"
    if isinstance(most, bool):
        return words if most else f"no {words}"
    return f"{most} {words}"
