"""API keys: created, shown once, listed with their use, revoked."""

from __future__ import annotations

from datetime import timedelta

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from workspace.accounts import change_log, product_scope
from workspace.accounts.models import ApiKey
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.dashboard.session import SignedInRequest, require_sign_in
from workspace.interfaces import product_choices
from workspace.interfaces.account_pages.owner_requirement import is_owner, require_owner
from workspace.interfaces.sign_in.forms import validate_no_controls
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.rate_limits.models import CallQuota
from workspace.storage.database.transactions import write_transaction


class KeyForm(forms.Form):
    name = forms.CharField(
        label=owner_gettext_lazy("Name"),
        max_length=80,
        validators=[validate_no_controls],
        help_text=owner_gettext_lazy("Where you will use the key. This helps you identify it later."),
        widget=forms.TextInput(attrs={"placeholder": owner_gettext_lazy("Website"), "autocomplete": "off"}),
    )
    scope = forms.ChoiceField(
        label=owner_gettext_lazy("Access"),
        choices=[("full", owner_gettext_lazy("Read and change everything")), ("read", owner_gettext_lazy("Read only"))],
        widget=forms.RadioSelect,
        initial="full",
    )
    days = forms.ChoiceField(
        label=owner_gettext_lazy("Expires"),
        choices=[
            ("", owner_gettext_lazy("Never")),
            ("30", owner_gettext_lazy("In 30 days")),
            ("90", owner_gettext_lazy("In 90 days")),
            ("365", owner_gettext_lazy("In a year")),
        ],
        required=False,
    )


@require_sign_in
def keys(request: SignedInRequest) -> HttpResponse:
    live = list(request.account.keys.filter(revoked_at=None))
    meters = CallQuota.objects.in_bulk([key.bucket for key in live])
    rows = [_present_key(key, meters.get(key.bucket)) for key in live]
    page = {"rows": rows, "is_owner": is_owner(request), "daily_calls": request.account.daily_calls, "most": MAX_KEYS}
    return render(request, "account_pages/keys.html", page)


@require_owner
def create_key(request: SignedInRequest) -> HttpResponse:
    form = KeyForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = form.cleaned_data
        expires_at = clock.now() + timedelta(days=int(given["days"])) if given["days"] else None
        try:
            with write_transaction():
                key, secret = ApiKey.create(
                    request.account,
                    name=given["name"],
                    by=request.user,
                    read_only=given["scope"] == "read",
                    expires_at=expires_at,
                )
                access = "read-only" if key.read_only else "full access"
                _log_change(request, f"Created the API key “{key.name}” ({access})")
        except OperationNotAllowedError as full:
            form.add_error(None, full.message)
        else:
            return render(request, "account_pages/key_created.html", {"key": key, "secret": secret})
    return render(request, "account_pages/key_new.html", {"form": form}, status=422 if form.errors else 200)


@require_owner
def edit_key(request: SignedInRequest, id: str) -> HttpResponse:
    """Edit the products that the key may use. Everything else is fixed when the key is created."""
    key = get_object_or_404(request.account.keys, pk=id, revoked_at=None)
    if request.method == "POST":
        key.set_products(product_choices.parse_selected_products(request.POST))
        titles = product_scope.describe_scope(product_scope.parse_scope(key.products))
        _log_change(
            request,
            f"Limited the API key “{key.name}” to {titles}",
        )
        messages.success(
            request,
            owner_gettext("“%(name)s” can now use: %(titles)s.") % {"name": key.name, "titles": titles},
        )
        return redirect("keys")
    return render(
        request,
        "account_pages/key.html",
        {"key": key, **product_choices.build_checkbox_context(product_scope.parse_scope(key.products))},
    )


@require_owner
def revoke_key(request: SignedInRequest, id: str) -> HttpResponse:
    key = get_object_or_404(request.account.keys, pk=id, revoked_at=None)
    if request.method == "POST":
        with write_transaction():
            key.revoke()
            _log_change(request, f"Revoked the API key “{key.name}”")
        messages.success(
            request,
            owner_gettext("“%(name)s” revoked. Programs that use it no longer have access.") % {"name": key.name},
        )
        return redirect("keys")
    return render(request, "account_pages/key_revoke.html", {"key": key})


def _log_change(request: SignedInRequest, text: str) -> None:
    change_log.log_change(request.account, request.caller, "keys", text)


def _present_key(key: ApiKey, meter: CallQuota | None) -> dict[str, object]:
    return {
        "key": key,
        "last_used_at": meter.last_used_at if meter else None,
        "calls": meter.used if meter and meter.day == clock.today() else 0,
        "products": product_scope.describe_scope(product_scope.parse_scope(key.products))
        if key.products is not None
        else "",
        "is_over": key.expires_at is not None and key.expires_at <= clock.now(),
    }
