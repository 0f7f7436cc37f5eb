"""Free months: written down first, then taken off what the account pays next, at the provider."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.billing import effective_plans, stripe
from workspace.billing.models import Customer, InviteMonth
from workspace.billing.models.invite import BANKED, CREDITED, GONE, RETURNING, SENDING
from workspace.billing.provider_jobs import soon
from workspace.lib import clock
from workspace.storage.database.transactions import writing

WORDS = "A free month for an invitation"


def release(account: Account) -> None:
    """Within a write that holds the account's lock: what it has in the bank comes off its next invoice. Where it pays
    nothing yet, it waits until it does."""
    for month in account.invite_months.filter(state=BANKED):
        soon("month", month.pk, once=f"{clock.now():%Y-%m-%d}")


def take_back(month: InviteMonth) -> None:
    """Within a write: it was given for a payment that went back. What was used up stays."""
    if month.state in (SENDING, CREDITED):
        InviteMonth.objects.filter(pk=month.pk).update(state=RETURNING)
        soon("month", month.pk, once="back")
    else:
        InviteMonth.objects.filter(pk=month.pk).update(state=GONE)


def settle(id: str) -> None:
    """Of the lane. Each step is known to the provider by a key and by our id, so that nothing is given twice."""
    month = InviteMonth.objects.select_related("account", "pair").filter(pk=id).first()
    if month is None:
        return
    customer = Customer.objects.filter(account=month.account_id).first()
    if customer is None:
        return
    if month.state in (BANKED, SENDING):
        _send(month, customer.reference)
    elif month.state == RETURNING:
        _return(month, customer.reference)


def _send(month: InviteMonth, customer: str) -> None:
    with writing():
        account = month.account.lock()
        if not effective_plans.pays(account):
            InviteMonth.objects.filter(pk=month.pk, state=SENDING, reference="").update(state=BANKED)
            return
        if not InviteMonth.objects.filter(pk=month.pk, state__in=(BANKED, SENDING)).update(state=SENDING):
            return
    made = stripe.credit(customer, month.amount, month.pk, WORDS, f"invite:{_pair(month)}:{month.side}")
    with writing():
        InviteMonth.objects.filter(pk=month.pk).update(reference=made)
        InviteMonth.objects.filter(pk=month.pk, state=SENDING).update(state=CREDITED)


def _return(month: InviteMonth, customer: str) -> None:
    # what a try that broke off has given is found first
    made = month.reference or stripe.credit(
        customer, month.amount, month.pk, WORDS, f"invite:{_pair(month)}:{month.side}"
    )
    is_there = stripe.balance(customer) >= month.amount
    if is_there:
        words = "A free month whose payment went back"
        stripe.credit(customer, -month.amount, month.pk, words, f"invite:{_pair(month)}:{month.side}:back")
    with writing():
        left = InviteMonth.objects.filter(pk=month.pk, state=RETURNING)
        left.update(state=GONE if is_there else CREDITED, reference=made)


def _pair(month: InviteMonth) -> str:
    return str(month.pair_id or month.pk)
