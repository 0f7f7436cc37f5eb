"""Adapters for allauth: who may sign up, the client's address, and how recent a sign-in must be."""

from __future__ import annotations

import ipaddress
import logging
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from workspace.accounts import change_log, invites
from workspace.accounts.models import Person
from workspace.interfaces.sign_in import device_name, email_sent_page, encrypted_mfa, html_email, pending_invitation
from workspace.interfaces.sign_in.allauth_internals import record_authentication
from workspace.interfaces.sign_in.recent_login import has_recent_login
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

# notification emails of allauth, with the texts logged in the activity of the person's accounts
NOTIFICATION_TEXTS = {
    "account/email/password_changed": "Changed their password",
    "account/email/password_set": "Set a password",
    "account/email/password_reset": "Reset their password with a link in an email",
    "account/email/email_changed": "Changed their sign-in email address",
    "mfa/email/totp_activated": "Turned on two-step verification",
    "mfa/email/totp_deactivated": "Turned off two-step verification",
    "mfa/email/recovery_codes_generated": "Created new recovery codes",
    "mfa/email/webauthn_added": "Added a passkey",
    "mfa/email/webauthn_removed": "Removed a passkey",
}
METHOD_NAMES = {
    "password": "a password",
    "password_reset": "a new password",
    "link": "a link from the administrator",
    "mail": "a confirmed email address",
    "totp": "an authenticator app",
    "recovery_codes": "a recovery code",
    "webauthn": "a passkey",
}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": owner_gettext_lazy(
            "The email address and password don’t match. Check both, or reset your password."
        ),
        "too_many_login_attempts": owner_gettext_lazy("Too many attempts. Wait 5 minutes, then try again."),
        "incorrect_password": owner_gettext_lazy("Wrong password. Try again."),
        "enter_current_password": owner_gettext_lazy("Wrong current password. Try again."),
        "duplicate_email": owner_gettext_lazy("This is already your email address."),
        "account_inactive": owner_gettext_lazy("This sign-in has been disabled."),
        "rate_limited": owner_gettext_lazy("Too many attempts. Wait a few minutes, then try again."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether sign-up is open, either for everyone (a setting) or for an invited person."""
        return settings.SIGNUP_OPEN or pending_invitation.find_invitation(request) is not None

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address from the bridge.

        Clients with unknown addresses share one limit, which is only stricter.
        """
        try:
            return str(ipaddress.ip_address(request.client_address))  # type: ignore[attr-defined]
        except ValueError:
            return "0.0.0.0"  # noqa: S104

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return False if the person signed in recently, because a recent sign-in counts as reauthentication."""
        return not has_recent_login(context.request)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address, unless another person signs in with it.

        Allauth does not see such a person while the address is unverified.
        """
        if Person.objects.filter(email=email_address.email.lower()).exclude(pk=email_address.user_id).exists():
            failed = "account/messages/email_confirmation_failed.txt"
            self.add_message(request, messages.ERROR, failed, {"email": email_address.email})
            return False
        with write_transaction():
            is_confirmed = bool(super().confirm_email(request, email_address))
            if is_confirmed:
                invites.confirm_invites(email_address.user)
        return is_confirmed

    def respond_email_verification_sent(self, request: HttpRequest, user: Person | None) -> HttpResponseBase:
        if user is not None:
            email_sent_page.remember_sign_up(request, user.email)
        response: HttpResponseBase = super().respond_email_verification_sent(request, user)
        return response

    def login(self, request: HttpRequest, user: Person) -> None:
        """Sign the person in after the last step. Log the device but not its address."""
        super().login(request, user)
        if not get_authentication_records(request, user):
            # after sign-up, people who confirm the address have just chosen a password and need not enter it again
            record_authentication(request, user, method="mail")
        where = device_name.describe_device(self.get_http_user_agent(request))
        methods = {record.get("type", record["method"]) for record in get_authentication_records(request, user)}
        by = " and ".join(words for method, words in METHOD_NAMES.items() if method in methods)
        change_log.log_sign_in(user, f"Signed in{f' by {by}' if by else ''}, {where}")

    def send_notification_mail(self, template_prefix: str, user: Person, *args: Any, **named: Any) -> None:
        super().send_notification_mail(template_prefix, user, *args, **named)
        if template_prefix in NOTIFICATION_TEXTS:
            change_log.log_sign_in(user, NOTIFICATION_TEXTS[template_prefix])

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the email with links to the base URL.

        Allauth builds links from the request's Host, which an attacker can set when requesting an email for another
        person.
        """
        absolute_context = {
            name: _at_base_url(value) if name.endswith("_url") else value for name, value in context.items()
        }
        super().send_mail(template_prefix, email, absolute_context)

    def render_mail(self, template_prefix: str, email: Any, context: Any, headers: Any = None) -> EmailMessage:
        mail: EmailMultiAlternatives = super().render_mail(template_prefix, email, context, headers)
        mail.attach_alternative(html_email.render_html(str(mail.body)), "text/html")
        return mail

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return a key without the Host. Otherwise, an attempt under another Host would count as the first."""
        return str(credentials.get("email", "")).lower()

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return "/app/account"


class SecondFactorAdapter(DefaultMFAAdapter):
    """The adapter for allauth's second factors. It encrypts their secrets."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": owner_gettext_lazy("The code is wrong or expired. Try again with a new code."),
        "unverified_email": owner_gettext_lazy("Verify your email address first, then set up two-step verification."),
    }

    def encrypt(self, text: str) -> str:
        return encrypted_mfa.encrypt_text(text)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return encrypted_mfa.decrypt_text(encrypted_text)
        except encrypted_mfa.MfaDecryptionError:
            logger.error("Cannot decrypt a second factor: it was set up with a different secret key")
            page = render(context.request, "sign_in/mfa_unreadable.html", status=409)
            raise ImmediateHttpResponse(page) from None

    def _get_site_name(self) -> str:
        return "Workspace Tools"

    def generate_authenticator_name(self, user: Person, type: Authenticator.Type) -> str:
        count = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return owner_gettext("Passkey") if count == 0 else owner_gettext("Passkey %(count)s") % {"count": count + 1}


def _at_base_url(address: str) -> str:
    parts = urlsplit(address)
    return settings.BASE_URL + urlunsplit(("", "", parts.path, parts.query, parts.fragment))
