"""Notifications to the owner about payments, in addition to those of the products."""

from __future__ import annotations

from typing import Any

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
from workspace.lib.money import format_amount
from workspace.payments import provider_calls
from workspace.payments.models import Payment, Refund
from workspace.payments.provider_registry import get_title

PAYMENT_PROBLEM = NotificationKind(
    "payments.trouble",
    "Payments disputed or not given back",
    "A customer disputes a payment, or a refund fails",
    provider_calls.PAGE_PATH,
)


def notify_dispute(payment: Payment) -> None:
    _notify_owner(payment, f"dispute_{payment.dispute}" if payment.dispute else "dispute_won")


def notify_refund_failure(payment: Payment, refund: Refund, reason: str) -> None:
    _notify_owner(payment, "refund", why=reason, sum=format_price(refund.amount, payment.currency))


def _notify_owner(payment: Payment, template: str, **more: Any) -> None:
    given = {
        "payment": payment,
        "what": template,
        "provider": get_title(payment.provider),
        "sum": format_price(payment.amount, payment.currency),
        "page": provider_calls.page_url(),
    }
    notifications.notify_owner(payment.account, PAYMENT_PROBLEM, "payments_problem", {**given, **more})


def format_price(amount: int, currency: str) -> str:
    """Format an amount for owners: `€50.00`."""
    return format_amount(amount, currency)
