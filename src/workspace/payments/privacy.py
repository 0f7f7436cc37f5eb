"""Personal data of payments.

Payments are retained, as the law requires. The payer's data is erased.
"""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.accounts.privacy.data_subjects import PersonalTable
from workspace.payments.models import Connection, Payment, Refund
from workspace.payments.provider_calls import PAGE_PATH


def _erase_payers(account: Account, payments: Sequence[Payment]) -> None:
    Payment.objects.filter(pk__in=[one.pk for one in payments]).update(email="")


PERSONAL_DATA = (
    PersonalTable(
        model=Payment,
        noun="payment",
        rows=lambda account: Payment.objects.filter(account=account),
        identity_columns=("email",),
        delete_rows=_erase_payers,
        page_url=lambda row: PAGE_PATH,
    ),
    PersonalTable(
        model=Refund,
        noun="refund",
        rows=lambda account: Refund.objects.filter(payment__account=account),
        page_url=lambda row: PAGE_PATH,
    ),
    PersonalTable(
        model=Connection,
        noun="payment provider connection",
        rows=lambda account: Connection.objects.filter(account=account),
        page_url=lambda row: PAGE_PATH,
    ),
)
