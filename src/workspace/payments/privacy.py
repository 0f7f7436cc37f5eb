"""What payments hold of people. That money came is kept, as the law wants of a business; who paid it goes."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import Held
from workspace.payments.circuit_breaker import PAGE
from workspace.payments.models import Connection, Payment, Refund


def _forget_payers(account: Account, found: Sequence[Payment]) -> None:
    Payment.objects.filter(pk__in=[one.pk for one in found]).update(email="")


PERSONAL = (
    Held(
        model=Payment,
        noun="payment",
        rows=lambda account: Payment.objects.filter(account=account),
        theirs=("email",),
        drop=_forget_payers,
        page=lambda row: PAGE,
    ),
    Held(
        model=Refund,
        noun="refund",
        rows=lambda account: Refund.objects.filter(payment__account=account),
        page=lambda row: PAGE,
    ),
    Held(
        model=Connection,
        noun="connection of payments",
        rows=lambda account: Connection.objects.filter(account=account),
        page=lambda row: PAGE,
    ),
)
