"""Closing the account: fourteen days in which its owner may take it back, then it is erased."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts import change_log
from workspace.accounts.closure import close
from workspace.accounts.models import Account
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_only import by_owner
from workspace.interfaces.sign_in import html_email
from workspace.lib import clock
from workspace.publishing.account_lifecycle import grace_period
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task


class CloseForm(forms.Form):
    name = forms.CharField(label="Type the name of your business to confirm", max_length=200)

    def __init__(self, name: str, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.wanted = name
        self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        if typed.strip() != self.wanted.strip():
            raise forms.ValidationError("That is not the name. Type it exactly as it stands above.")
        return typed


@by_owner
def close_account(request: SignedInRequest) -> HttpResponse:
    account = request.account
    if account.closes_at is not None:
        return render(request, "account_pages/closing.html")
    form = CloseForm(account.name, *([request.POST] if request.method == "POST" else []))
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(
            request, "account_pages/close.html", {"form": form, "days": grace_period.GRACE.days}, status=status
        )
    account = grace_period.begin(account)
    change_log.note(account, request.caller, "closing", "Closed the account: it is kept for 14 days")
    _write(account, f"{account.name} is being closed", "closing")
    return redirect("close_account")


@require_POST
@by_owner
def take_back(request: SignedInRequest) -> HttpResponse:
    pages = grace_period.take_back(request.account)
    change_log.note(request.account, request.caller, "closing", "Took the account back")
    messages.success(
        request, f"{request.account.name} is back, with all its pages." if pages else "The account is back."
    )
    return redirect("account")


def sweep() -> None:
    """Tell owners whose account's end is near, and erase the accounts that are due."""
    warn_of_end()
    erase_due()


@row_task("accounts.warn_before_closure", lambda: grace_period.near().values_list("pk", flat=True))
def warn_of_end(id: str) -> None:
    """Tell an owner that their account is erased in two days."""
    with writing():
        account = grace_period.near().filter(pk=id).first()
        if account is not None and Account.objects.filter(pk=id, closing_told=False).update(closing_told=True):
            _write(account, f"{account.name} is erased in two days", "closing_soon")


@row_task("accounts.erase_closed_accounts", lambda: grace_period.due().values_list("pk", flat=True))
def erase_due(id: str) -> None:
    """Erase an account whose time is over, and tell its owner."""
    account = grace_period.due().filter(pk=id).first()
    if account is None:
        return
    name, email = account.name, account.owner.email
    close(account)
    html_email.send(email, f"{name} is deleted", "account_pages/email/closed.txt", {"name": name})


def _write(account: Account, subject: str, template: str) -> None:
    told: dict[str, object] = {
        "name": account.name,
        "day": clock.local(account.closes_at, account.zone),
        "back": f"{settings.BASE_URL}/app/account/close",
        "along": f"{settings.BASE_URL}/app/account/along",
    }
    html_email.send(account.owner.email, subject, f"account_pages/email/{template}.txt", told)


def account_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/closed.html")
