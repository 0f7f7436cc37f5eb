"""Purchases of event credits. Credits are granted on payment and revoked on a refund."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from workspace.accounts import event_credits
from workspace.billing.models import Purchase
from workspace.billing.models.purchase import CREDITS, DONE, EXPIRED, FAILED, OPEN, PROCESSING
from workspace.storage.database.transactions import write_transaction


@dataclass(frozen=True, slots=True)
class CheckoutStatus:
    """A checkout as reported by the provider, with its payment's id, refunded cents, and whether it failed."""

    session: Mapping[str, Any]
    intent: str = ""
    refunded: int = 0
    is_over: bool = False


def record_checkout(id: str, status: CheckoutStatus, asked_at: datetime) -> None:
    """Store the state of a checkout, unless a later request has already stored one."""
    row = Purchase.objects.select_related("account").filter(pk=id).first()
    if row is None:
        return
    with write_transaction():
        account = row.account.lock()
        row = Purchase.objects.get(pk=id)
        if row.checked_at is not None and row.checked_at > asked_at:
            return
        was_back = row.refunded >= row.amount
        row.state, row.checked_at = _compute_state(status), asked_at
        row.payment_intent, row.refunded = status.intent or row.payment_intent, status.refunded
        if row.state == DONE and row.paid_at is None:
            row.paid_at = asked_at
            if row.kind == CREDITS:
                event_credits.grant_credits(account, row.quantity, f"purchase:{row.pk}", "Purchased")
        if row.kind == CREDITS and row.paid_at is not None and row.refunded >= row.amount and not was_back:
            event_credits.revoke_credits(account, f"purchase:{row.pk}", "Refunded")
        row.save()


def _compute_state(status: CheckoutStatus) -> str:
    if status.session.get("payment_status") in ("paid", "no_payment_required"):
        return DONE
    if status.session.get("status") == "expired":
        return EXPIRED
    if status.session.get("status") != "complete":
        return OPEN
    return FAILED if status.is_over else PROCESSING  # a bank takes days
