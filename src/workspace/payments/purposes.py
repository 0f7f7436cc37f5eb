"""What payments are for. A product names its own in its manifest:

DEPOSIT = Purpose("bid.deposit", "Deposits", paid=on_paid, changed=on_changed, page=page_of)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from workspace.payments.models import Payment

# what `changed` is told of: the payment's state, or what became of what is paid
PROCESSING, FAILED, EXPIRED, REFUNDED, DISPUTED = "processing", "failed", "expired", "refunded", "disputed"


def _nothing(payment: Payment, what: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Purpose:
    """`title` is what they are, in the plural. `paid(payment)` is called exactly once for each payment, in the very
    transaction that keeps it as paid, however often and in whatever order its provider tells of it, also late: behind
    its `until`, or when another has paid already. `changed(payment, what)` is called likewise for what else became of
    it. Both lock what they need before they write, and neither waits for anybody. `page` is the owner's of its subject,
    a path."""

    name: str
    title: str
    paid: Callable[[Payment], None]
    page: Callable[[Payment], str]
    changed: Callable[[Payment, str], None] = _nothing


_purposes: dict[str, Purpose] = {}


def register(purpose: Purpose) -> None:
    _purposes[purpose.name] = purpose


def purpose_of(payment: Payment) -> Purpose | None:
    """None where its product is not installed any more."""
    return _purposes.get(payment.purpose)
