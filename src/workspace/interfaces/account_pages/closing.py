"""Deleting the account for good."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from workspace.accounts.closing import close
from workspace.accounts.models import Person
from workspace.dashboard.session import SignedInRequest
from workspace.interfaces.account_pages.owner import by_owner
from workspace.interfaces.sign_in import letter


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
    account, person = request.account, request.user
    form = CloseForm(account.name, *([request.POST] if request.method == "POST" else []))
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "account_pages/close.html", {"form": form}, status=status)
    name, email = account.name, person.email
    close(account)
    letter.send(email, f"{name} is deleted", "account_pages/email/closed.txt", {"name": name})
    if Person.objects.filter(pk=person.pk).exists():
        messages.success(request, f"{name} is deleted.")
        return redirect("/app")
    logout(request)
    return redirect("account_closed")


def account_closed(request: HttpRequest) -> HttpResponse:
    return render(request, "account_pages/closed.html")
