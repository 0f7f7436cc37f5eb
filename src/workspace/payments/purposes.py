"""What payments are for. A product names its own in its manifest:

DEPOSIT = Purpose("bid.deposit", "Deposits", paid=on_paid, changed=on_changed, pages=pages_of)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workspace.payments.models import Payment

# what `on_changed` is told of: the payment's state, or what became of what is paid
PROCESSING, FAILED, EXPIRED, REFUNDED, DISPUTED = "processing", "failed", "expired", "refunded", "disputed"


def _ignore_change(payment: Payment, what: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Purpose:
    """`title` is what they are, in the plural. `on_paid(payment)` is called exactly once for each payment, in the very
    transaction that keeps it as paid, however often and in whatever order its provider tells of it, also late: behind
    its `until`, or when another has paid already. `on_changed(payment, what)` is called likewise for what else became
    of it. Both lock what they need before they write, and neither waits for anybody. `pages` are the owner's of the
    subjects of some payments, paths by the subjects."""

    name: str
    title: str
    on_paid: Callable[[Payment], None]
    pages: Callable[[Sequence[Payment]], Mapping[str, str]]
    on_changed: Callable[[Payment, str], None] = _ignore_change


_purposes: dict[str, Purpose] = {}


def register(purpose: Purpose) -> None:
    _purposes[purpose.name] = purpose


def find_purpose(payment: Payment) -> Purpose | None:
    """None where its product is not installed any more."""
    return _purposes.get(payment.purpose)


def pages_for(payments: Sequence[Payment]) -> dict[str, str]:
    """Where the owner sees what each was for, by the payments' ids; empty where that is gone. One call a purpose."""
    by_name: dict[str, list[Payment]] = defaultdict(list)
    for payment in payments:
        by_name[payment.purpose].append(payment)
    pages = {name: _purposes[name].pages(some) for name, some in by_name.items() if name in _purposes}
    return {payment.pk: pages.get(payment.purpose, {}).get(payment.subject, "") for payment in payments}
