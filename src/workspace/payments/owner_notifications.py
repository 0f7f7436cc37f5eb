"""Notifications to the owner about payments, in addition to those of the products."""

from __future__ import annotations

from typing import Any

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
from workspace.lib.money import format_amount
from workspace.owner_translation import owner_gettext_lazy
from workspace.payments import provider_calls
from workspace.payments.models import Payment, Refund
from workspace.payments.provider import DISPUTED, LOST, WON
from workspace.payments.provider_registry import get_title

PAYMENT_PROBLEM = NotificationKind(
    "payments.trouble",
    owner_gettext_lazy("Payment problems"),
    owner_gettext_lazy("A customer disputes a payment, or a refund fails"),
    provider_calls.PAGE_PATH,
)
_DISPUTE_TEMPLATES = {
    DISPUTED: "owner/payments_dispute_opened",
    WON: "owner/payments_dispute_won",
    LOST: "owner/payments_dispute_lost",
}


def notify_dispute(payment: Payment) -> None:
    _notify_owner(payment, _DISPUTE_TEMPLATES.get(payment.dispute, "owner/payments_dispute_won"))


def notify_refund_failure(payment: Payment, refund: Refund, reason: str) -> None:
    amount = format_price(refund.amount, payment.currency)
    _notify_owner(payment, "owner/payments_refund_failed", why=reason, sum=amount)


def _notify_owner(payment: Payment, template: str, **more: Any) -> None:
    given = {
        "payment": payment,
        "provider": get_title(payment.provider),
        "sum": format_price(payment.amount, payment.currency),
        "page": provider_calls.page_url(),
    }
    notifications.notify_owner(payment.account, PAYMENT_PROBLEM, template, {**given, **more})


def format_price(amount: int, currency: str) -> str:
    """Format an amount for owners: `€50.00`."""
    return format_amount(amount, currency)
