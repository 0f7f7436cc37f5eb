"""The forms of the sign-in pages: allauth's, with our wording and the data that a new account needs."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account_forms
from allauth.account.models import EmailAddress
from allauth.account.utils import setup_user_email
from allauth.core import context
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse

from workspace.accounts import invites
from workspace.accounts.models import Account, Person
from workspace.brand.models import TRADES, Brand
from workspace.interfaces.messages import LINE_BREAKS, OTHER_INVITATION
from workspace.interfaces.sign_in import email_sent_page, pending_invitation
from workspace.interfaces.sign_in.region_guess import guess_region
from workspace.lib import time_zones
from workspace.lib.text import has_control_characters
from workspace.owner_translation import OwnerText, owner_gettext, owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction

PASSWORD_HELP = owner_gettext_lazy("At least 10 characters. A few words are easy to remember.")


def validate_no_controls(text: str) -> None:
    if has_control_characters(text):
        raise ValidationError(str(LINE_BREAKS))


def _set_field_texts(
    field: forms.Field, label: str, help_text: OwnerText = "", *, max_length: int, **attrs: Any
) -> None:
    """Set our label and help text on a field of allauth, and limit it to `max_length` characters.

    The label is above the field, and there is no placeholder.
    """
    field.label, field.help_text = label, str(help_text)
    field.validators.append(MaxLengthValidator(max_length))
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs |= {"maxlength": str(max_length)} | attrs


class SignUpForm(account_forms.SignupForm):
    """The sign-up form. It creates the person and their account in one transaction.

    The fields are `person`, `name`, `trade`, `email`, `password1` and the browser's `time_zone`. People with an
    invitation to another account are not asked about a business. Their own account gets their name.
    """

    person = forms.CharField(
        label=owner_gettext_lazy("Your name"),
        max_length=120,
        validators=[validate_no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    name = forms.CharField(
        label=owner_gettext_lazy("Business name"),
        max_length=120,
        validators=[validate_no_controls],
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    trade = forms.ChoiceField(
        label=owner_gettext_lazy("Industry"), choices=[("", owner_gettext_lazy("Choose…")), *TRADES.items()]
    )
    time_zone = forms.CharField(required=False, initial="UTC", widget=forms.HiddenInput)
    account_already_exists: bool
    initial: dict[str, Any]
    field_order = ("person", "name", "trade", "email", "password1", "time_zone")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_field_texts(self.fields["email"], owner_gettext("Email address"), max_length=254)
        _set_field_texts(self.fields["password1"], owner_gettext("Password"), PASSWORD_HELP, max_length=200)
        if pending_invitation.find_invitation(context.request) is not None:
            del self.fields["name"], self.fields["trade"]
        if not self.is_bound:
            self.initial = {
                **self.initial,
                **email_sent_page.get_remembered_sign_up(context.request),
            }  # for visitors who return to correct a value
            self.fields["time_zone"].widget.attrs["data-guess-time-zone"] = ""

    def clean_email(self) -> str:
        """Require the invited address if sign-up is open only to invited people."""
        email: str = super().clean_email()
        invitation = None if settings.SIGNUP_OPEN else pending_invitation.find_invitation(context.request)
        if invitation is not None and email != invitation.email:
            raise ValidationError(str(OTHER_INVITATION(email=invitation.email)))
        return email

    def clean_time_zone(self) -> str:
        """Return the browser's time zone, or UTC if it is missing or unknown. It can be changed later."""
        time_zone: str = self.cleaned_data["time_zone"]
        return time_zone if time_zone in time_zones.zone_names() else "UTC"

    def try_save(self, request: HttpRequest) -> tuple[Person | None, HttpResponse | None]:
        """Save the person. If the address is already registered, respond identically and after the same time."""
        typed = {name: self.cleaned_data.get(name, "") for name in ("person", "name", "trade", "email")}
        email_sent_page.remember_sign_up(request, **typed)
        if not self.account_already_exists:
            try:
                return self.save(request), None
            except IntegrityError:
                # two simultaneous requests with the same address: the second gets the response for a known address
                self.account_already_exists = True
        # A known address must not be answered faster than a new one.
        make_password(self.cleaned_data["password1"])
        known: tuple[Person | None, HttpResponse | None] = super().try_save(request)
        return known

    def save(self, request: HttpRequest) -> Person:
        given = self.cleaned_data
        person = Person(email=given["email"], name=given["person"])
        person.set_password(given["password1"])  # slow, so before the transaction
        with write_transaction():
            person.save()
            setup_user_email(request, person, [EmailAddress(email=given["email"])])
            account = Account.open(person, name=given.get("name") or given["person"], time_zone=given["time_zone"])
            region = guess_region(given["time_zone"], request.headers.get("Accept-Language", ""))
            invites.record_invite(request, account)
            Brand.for_account(account).edit(trade=given.get("trade") or "other", **region)
        return person


class SignInForm(account_forms.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_field_texts(self.fields["login"], owner_gettext("Email address"), max_length=254, autocomplete="username")
        _set_field_texts(self.fields["password"], owner_gettext("Password"), max_length=200)


class RequestPasswordResetForm(account_forms.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_field_texts(self.fields["email"], owner_gettext("Email address"), max_length=254)

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        email_sent_page.remember_sign_up(request, self.cleaned_data["email"])
        saved: str = super().save(request, **kwargs)
        return saved


class _SinglePasswordMixin:
    """A mixin that asks for a new password only once, because browsers can show and save it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, forms.Field] = self.fields  # type: ignore[attr-defined]
        del fields["password2"]
        _set_field_texts(fields["password1"], owner_gettext("New password"), PASSWORD_HELP, max_length=200)
        if "oldpassword" in fields:
            _set_field_texts(fields["oldpassword"], owner_gettext("Current password"), max_length=200)


class ChangePasswordForm(_SinglePasswordMixin, account_forms.ChangePasswordForm):
    pass


class SetPasswordForm(_SinglePasswordMixin, account_forms.SetPasswordForm):
    pass


class ResetPasswordForm(_SinglePasswordMixin, account_forms.ResetPasswordKeyForm):
    pass


class AddPasskeyForm(AddWebAuthnForm):
    """The form for adding a passkey: `name`, and whether it signs in without a password, which is the default."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _set_field_texts(
            self.fields["name"],
            owner_gettext("Name"),
            owner_gettext("Helps you identify your passkeys."),
            max_length=60,
        )
        alone = self.fields["passwordless"]
        alone.label, alone.initial = owner_gettext("Sign in with this passkey only"), True
        alone.help_text = owner_gettext("Turn this off for a security key that you use in addition to your password.")
