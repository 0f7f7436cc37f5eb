"""Closing an account: the owner can cancel within 14 days, then the account is erased."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from workspace.accounts import change_log
from workspace.accounts.account_deletion import purge_account
from workspace.accounts.models import Account
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner_requirement import require_owner
from workspace.interfaces.sign_in import html_email
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.publishing.account_lifecycle import closure_grace_period
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task


class CloseForm(forms.Form):
    name = forms.CharField(label=owner_gettext_lazy("Enter your business name to confirm"), max_length=200)

    def __init__(self, name: str, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.expected_name = name
        self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        if typed.strip() != self.expected_name.strip():
            raise forms.ValidationError(owner_gettext("The name does not match. Enter it exactly as shown above."))
        return typed


@require_owner
def close_account(request: SignedInRequest) -> HttpResponse:
    account = request.account
    if account.closes_at is not None:
        return render(request, "account_pages/closing.html")
    form = CloseForm(account.name, *([request.POST] if request.method == "POST" else []))
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(
            request,
            "account_pages/close.html",
            {"form": form, "days": closure_grace_period.GRACE_PERIOD.days},
            status=status,
        )
    account = closure_grace_period.start_closure(account)
    change_log.log_change(account, request.caller, "closing", "Closed the account. It can be restored for 14 days.")
    _email_owner(account, owner_gettext("%(name)s is scheduled for closure"), "closing")
    return redirect("close_account")


@require_POST
@require_owner
def cancel_closure(request: SignedInRequest) -> HttpResponse:
    pages = closure_grace_period.cancel_closure(request.account)
    change_log.log_change(request.account, request.caller, "closing", "Canceled the account closure")
    messages.success(
        request,
        owner_gettext("Closure canceled. %(name)s and all its pages are back online.") % {"name": request.account.name}
        if pages
        else owner_gettext("Account closure canceled."),
    )
    return redirect("account")


def process_closures() -> None:
    """Notify owners whose accounts will soon be erased, and erase the accounts that are due."""
    warn_owner()
    erase_account()


@row_task(
    "accounts.warn_before_closure", lambda: closure_grace_period.list_accounts_to_warn().values_list("pk", flat=True)
)
def warn_owner(id: str) -> None:
    """Notify an owner that their account will be erased in two days."""
    with write_transaction():
        account = closure_grace_period.list_accounts_to_warn().filter(pk=id).first()
        if account is not None and Account.objects.filter(pk=id, closing_notified=False).update(closing_notified=True):
            _email_owner(account, owner_gettext("%(name)s will be deleted in 2 days"), "closing_soon")


@row_task(
    "accounts.erase_closed_accounts", lambda: closure_grace_period.list_due_accounts().values_list("pk", flat=True)
)
def erase_account(id: str) -> None:
    """Erase an account whose grace period is over, and notify its owner."""
    account = closure_grace_period.list_due_accounts().filter(pk=id).first()
    if account is None:
        return
    name, email = account.name, account.owner.email
    purge_account(account)
    subject = owner_gettext("%(name)s has been deleted") % {"name": name}
    html_email.send_html_email(email, subject, "account_pages/email/owner/closed.txt", {"name": name})


def _email_owner(account: Account, subject: str, template: str) -> None:
    context: dict[str, object] = {
        "name": account.name,
        "day": clock.format_local(account.closes_at, account.zone),
        "back": f"{settings.BASE_URL}/app/account/close",
        "along": f"{settings.BASE_URL}/app/account/takeout",
    }
    path = f"account_pages/email/owner/{template}.txt"
    html_email.send_html_email(account.owner.email, subject % {"name": account.name}, path, context)


def account_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/closed.html")
