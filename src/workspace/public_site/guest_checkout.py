"""Online payments by guests.

A payment starts in the guest's transaction, and the guest is then redirected to the provider's page. Error messages are
written for guests.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payment_clients.errors import ProviderError, ProviderUnreachableError
from workspace.payments import checkout
from workspace.payments.models import Payment
from workspace.payments.provider import OPEN, OPENING
from workspace.public_site.guest_page import GuestActionDeclinedError

CONFIRMATION_PERIOD = timedelta(minutes=15)  # after the guest's return, during which the payment is not offered again


def start_payment(
    account: Account,
    purpose: str,
    subject: str,
    amount: int,
    currency: str,
    *,
    title: str,
    return_url: str,
    email: str = "",
    language: str = "",
    hold_until: datetime | None = None,
) -> Payment:
    """Start a payment as `checkout.start_payment` does. Raise GuestActionDeclinedError if it is not possible."""
    try:
        return checkout.start_payment(
            account,
            purpose,
            subject,
            amount,
            currency,
            title=title,
            return_url=return_url,
            email=email,
            language=language,
            hold_until=hold_until,
        )
    except OperationNotAllowedError:
        raise offline_error(account) from None


def payment_url(payment: Payment) -> str:
    """Return the URL of the provider's page for a payment.

    Raise GuestActionDeclinedError, with advice for the guest, if it is not available.
    """
    try:
        return checkout.fetch_payment_url(payment)
    except ProviderUnreachableError:
        words = gettext("The payment page isn’t available right now. Try again in a minute.")
        raise GuestActionDeclinedError(words, status=503) from None
    except ProviderError:
        raise offline_error(payment.account) from None


def offline_error(account: Account) -> GuestActionDeclinedError:
    return GuestActionDeclinedError(
        gettext("Online payment isn’t available right now. Ask %(business)s how to pay.") % {"business": account.name},
        status=409,
    )


def is_checking(payment: Payment) -> bool:
    """Return whether the guest has just returned from the provider, whose response is still missing."""
    back, checked_at = payment.returned_at, payment.checked_at
    is_back = (
        back is not None and back > clock.now() - CONFIRMATION_PERIOD and (checked_at is None or checked_at < back)
    )
    return payment.state in (OPEN, OPENING) and is_back
