"""Free months: recorded first, then credited to the account's next invoice at the provider."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.billing import effective_plans, stripe
from workspace.billing.models import Customer, InviteMonth
from workspace.billing.models.invite import BANKED, CREDITED, GONE, RETURNING, SENDING
from workspace.billing.outbox import enqueue_request
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

CREDIT_DESCRIPTION = "Free month for an invitation"


def credit_free_months(account: Account) -> None:
    """Credit the account's free months to its next invoice, in a transaction that locks the account.

    The months are kept until the account pays for something.
    """
    for month in account.invite_months.filter(state=BANKED):
        enqueue_request("month", month.pk, dedupe_key=f"{clock.now():%Y-%m-%d}")


def revoke_month(month: InviteMonth) -> None:
    """Revoke a free month whose payment was refunded. A used month is not revoked. Call it inside a transaction."""
    if month.state in (SENDING, CREDITED):
        InviteMonth.objects.filter(pk=month.pk).update(state=RETURNING)
        enqueue_request("month", month.pk, dedupe_key="back")
    else:
        InviteMonth.objects.filter(pk=month.pk).update(state=GONE)


def process_month(id: str) -> None:
    """Credit a free month at the provider, or revoke it. The worker calls this.

    Every request has an idempotency key and our id, so that no month is credited twice.
    """
    month = InviteMonth.objects.select_related("account", "pair").filter(pk=id).first()
    if month is None:
        return
    customer = Customer.objects.filter(account=month.account_id).first()
    if customer is None:
        return
    if month.state in (BANKED, SENDING):
        _send_credit(month, customer.reference)
    elif month.state == RETURNING:
        _return_credit(month, customer.reference)


def _send_credit(month: InviteMonth, customer: str) -> None:
    with write_transaction():
        account = month.account.lock()
        if not effective_plans.is_paying(account):
            InviteMonth.objects.filter(pk=month.pk, state=SENDING, reference="").update(state=BANKED)
            return
        if not InviteMonth.objects.filter(pk=month.pk, state__in=(BANKED, SENDING)).update(state=SENDING):
            return
    made = stripe.add_credit(
        customer, month.amount, month.pk, CREDIT_DESCRIPTION, f"invite:{_pair_reference(month)}:{month.side}"
    )
    with write_transaction():
        InviteMonth.objects.filter(pk=month.pk).update(reference=made)
        InviteMonth.objects.filter(pk=month.pk, state=SENDING).update(state=CREDITED)


def _return_credit(month: InviteMonth, customer: str) -> None:
    # First look for the credit of an attempt that got no response.
    made = month.reference or stripe.add_credit(
        customer, month.amount, month.pk, CREDIT_DESCRIPTION, f"invite:{_pair_reference(month)}:{month.side}"
    )
    is_there = stripe.fetch_balance(customer) >= month.amount
    if is_there:
        words = "Free month withdrawn after a refund"
        stripe.add_credit(
            customer, -month.amount, month.pk, words, f"invite:{_pair_reference(month)}:{month.side}:back"
        )
    with write_transaction():
        left = InviteMonth.objects.filter(pk=month.pk, state=RETURNING)
        left.update(state=GONE if is_there else CREDITED, reference=made)


def _pair_reference(month: InviteMonth) -> str:
    return str(month.pair_id or month.pk)
