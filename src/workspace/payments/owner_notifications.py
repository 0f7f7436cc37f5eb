"""What the owner of an account is told of payments, beside what their products tell."""

from __future__ import annotations

from typing import Any

from workspace.delivery import notifications
from workspace.delivery.notifications import Kind
from workspace.lib.money import shown
from workspace.payments import circuit_breaker
from workspace.payments.models import Payment, Refund

TROUBLE = Kind(
    "payments.trouble",
    "Payments disputed or not given back",
    "A customer disputes a payment, or a refund fails",
    circuit_breaker.PAGE,
)


def disputed(payment: Payment) -> None:
    _tell(payment, f"dispute_{payment.dispute}" if payment.dispute else "dispute_won")


def refund_failed(payment: Payment, refund: Refund, why: str) -> None:
    _tell(payment, "refund", why=why, sum=price(refund.amount, payment.currency))


def _tell(payment: Payment, what: str, **more: Any) -> None:
    given = {
        "payment": payment,
        "what": what,
        "sum": price(payment.amount, payment.currency),
        "page": circuit_breaker.page(),
    }
    notifications.tell(payment.account, TROUBLE, "payments_trouble", {**given, **more})


def price(amount: int, currency: str) -> str:
    """`€50.00`, for owners."""
    return shown(amount, currency)
