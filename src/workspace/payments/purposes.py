"""Purposes of payments.

A product declares its own in its manifest:

DEPOSIT = Purpose("bid.deposit", "Deposits", on_paid=mark_paid, pages=proposal_pages, on_changed=record_change)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from workspace.payments.models import Payment

# The changes passed to `on_changed`: states of a payment, or what happened to a paid one.
PROCESSING, FAILED, EXPIRED, REFUNDED, DISPUTED = "processing", "failed", "expired", "refunded", "disputed"


def _ignore_change(payment: Payment, change: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Purpose:
    """A purpose of payments.

    `title` is its name in the plural. `on_paid(payment)` is called exactly once for each payment, in the transaction
    that saves it as paid. The number and order of events do not matter. A payment may be late: after its `hold_until`,
    or after another payment. `on_changed(payment, what)` is called in the same way for other changes. Both take their
    locks before they write, and wait for nothing else. `pages` returns the paths of the owner's pages by subject.
    """

    name: str
    title: str
    on_paid: Callable[[Payment], None]
    pages: Callable[[Sequence[Payment]], Mapping[str, str]]
    on_changed: Callable[[Payment, str], None] = _ignore_change


_purposes: dict[str, Purpose] = {}


def register(purpose: Purpose) -> None:
    _purposes[purpose.name] = purpose


def find_purpose(payment: Payment) -> Purpose | None:
    """Return the purpose of a payment, or None if its product is not installed."""
    return _purposes.get(payment.purpose)


def pages_for(payments: Sequence[Payment]) -> dict[str, str]:
    """Return the owner's pages, keyed by payment id, or "" if the subject was deleted. Make one call per purpose."""
    by_name: dict[str, list[Payment]] = defaultdict(list)
    for payment in payments:
        by_name[payment.purpose].append(payment)
    pages = {name: _purposes[name].pages(some) for name, some in by_name.items() if name in _purposes}
    return {payment.pk: pages.get(payment.purpose, {}).get(payment.subject, "") for payment in payments}
