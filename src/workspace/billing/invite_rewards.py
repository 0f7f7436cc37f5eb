"""Invite rewards: a free month for both sides when the friend has paid their first invoice.

The month's value is the friend's plan: the most expensive one on that invoice, or a twelfth of a yearly price. It is at
most a month of the most expensive plan on sale. Each friend counts once. An inviter gets at most twelve months for each
calendar year in UTC, counted by the provider's payment time; the friend still gets theirs. Suspected self-invitations
are held for the administrator. If the whole payment is refunded, unused months are revoked.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from workspace.accounts import invites, plans
from workspace.accounts.models import Account, InvitePair
from workspace.accounts.models.invite_pair import DENIED as PAIR_DENIED
from workspace.accounts.models.invite_pair import EARNED as PAIR_EARNED
from workspace.accounts.models.invite_pair import HELD as PAIR_HELD
from workspace.accounts.models.invite_pair import JOINED, REVERSED
from workspace.billing import effective_plans, free_months
from workspace.billing.duplicate_subscriptions import notify_operator
from workspace.billing.models import Customer, InviteMonth, Invoice, Subscription
from workspace.billing.models.invite import BANKED, CREDITED, DENIED, EARNED, FRIEND, GONE, HELD, INVITER
from workspace.environment import COMMAND
from workspace.storage.database.transactions import write_transaction

YEARLY_LIMIT = 12
_SUSPICIOUS_COUNT = 5  # this many friends who pay on one day are suspicious


def needs_first_invoice(friend: Account) -> bool:
    """Return whether the first invoice of the invited account is not determined yet."""
    return InvitePair.objects.filter(friend=friend, state=JOINED).exists()


def card_fingerprint(card: str) -> str:
    return hashlib.sha256(f"card:{card}".encode()).hexdigest()[:32]


def process_invoice(friend_id: str, invoice_id: str) -> None:
    """Grant or revoke both free months, according to the current state of an invoice.

    It runs in one transaction, with both accounts locked in a fixed order.
    """
    pair = InvitePair.objects.filter(friend=friend_id).first()
    if pair is None or pair.state not in (JOINED, PAIR_EARNED, PAIR_HELD):
        return
    with write_transaction():
        held = _lock_accounts(friend_id, pair.inviter_id)
        pair = InvitePair.objects.get(pk=pair.pk)
        invoice = Invoice.objects.filter(pk=invoice_id).first()
        friend = held.get(friend_id)
        if invoice is None or friend is None:
            return
        if pair.state == JOINED and invoice.subscription and invoice.paid:
            _earn_months(pair, friend, held.get(pair.inviter_id or ""), invoice)
        elif pair.state in (PAIR_EARNED, PAIR_HELD) and pair.invoice == invoice.pk and invoice.is_refunded:
            _reverse_months(pair)


def _lock_accounts(*ids: str | None) -> dict[str, Account]:
    found = Account.objects.filter(pk__in=[one for one in ids if one]).order_by("pk")
    return {one.pk: one.lock() for one in found}


def _earn_months(pair: InvitePair, friend: Account, inviter: Account | None, invoice: Invoice) -> None:
    paid_at = invoice.paid_at or invoice.checked_at
    pair.invoice, pair.paid_at = invoice.pk, paid_at
    if invoice.is_refunded:  # refunded before any reward: this was the first invoice, and there is no second chance
        pair.state = REVERSED
        pair.save()
        return
    product, plan, amount = _price_month(invoice)
    pair.reason = _find_suspicion(friend, inviter, paid_at) if inviter else ""
    pair.state = PAIR_HELD if pair.reason else PAIR_EARNED
    pair.save()
    sides = [(FRIEND, friend)]
    if inviter is not None and remaining_this_year(inviter, paid_at) > 0:
        sides.append((INVITER, inviter))
    for side, account in sides:
        InviteMonth.objects.get_or_create(
            pair=pair,
            side=side,
            defaults={
                "account": account,
                "state": HELD if pair.reason else BANKED,
                "product": product,
                "plan": plan,
                "amount": amount,
                "paid_at": paid_at,
            },
        )
        _credit_free_months(account)
    if pair.reason:
        notify_operator(
            "Review needed: free months for an invitation",
            f"The free months of {friend.name} ({friend.pk}) and of the account that invited them are on hold: "
            f"{pair.reason}. Run `{COMMAND} invites {pair.pk} release` to grant them, or `deny` to reject them.",
        )


def _price_month(invoice: Invoice) -> tuple[str, str, int]:
    """Return the month's product and plan, and its value in cents."""
    row = Subscription.objects.filter(pk=invoice.subscription).first()
    items = row.items if row else []
    each = [(one["amount"] // max(one["months"], 1), one["product"], one["plan"]) for one in items]
    amount, product, plan = max(each, default=(invoice.paid, "", ""))
    return product, plan, min(amount, plans.highest_price() * 100)


def _credit_free_months(account: Account) -> None:
    if effective_plans.is_paying(account):
        free_months.credit_free_months(account)


def _find_suspicion(friend: Account, inviter: Account, paid_at: datetime) -> str:
    if invites.has_common_member(friend, inviter):
        return "both have the same members or email address"
    friend_customer, inviter_customer = (Customer.objects.filter(account=one).first() for one in (friend, inviter))
    if friend_customer and inviter_customer and (set(friend_customer.cards) & set(inviter_customer.cards)):
        return "both pay with the same card"
    day = paid_at.replace(hour=0, minute=0, second=0, microsecond=0)
    if InvitePair.objects.filter(inviter=inviter, paid_at__gte=day).count() >= _SUSPICIOUS_COUNT:
        return "many friends of one account started paying on the same day"
    return ""


def remaining_this_year(inviter: Account, moment: datetime) -> int:
    begin = datetime(moment.astimezone(UTC).year, 1, 1, tzinfo=UTC)
    end = begin.replace(year=begin.year + 1)
    counted = inviter.invite_months.filter(side=INVITER, paid_at__gte=begin, paid_at__lt=end)
    return max(0, YEARLY_LIMIT - counted.filter(state__in=(*EARNED, HELD)).count())


def _reverse_months(pair: InvitePair) -> None:
    InvitePair.objects.filter(pk=pair.pk).update(state=REVERSED)
    for month in pair.months.exclude(state__in=(GONE, DENIED)):
        free_months.revoke_month(month)


def decide_held_pair(pair_id: int, *, release: bool) -> bool:
    """Release or deny a held pair of free months, as the administrator decided. Return False if it is not held."""
    pair = InvitePair.objects.filter(pk=pair_id, state=PAIR_HELD).first()
    if pair is None:
        return False
    with write_transaction():
        held = _lock_accounts(pair.friend_id, pair.inviter_id)
        if not InvitePair.objects.filter(pk=pair_id, state=PAIR_HELD).update(
            state=PAIR_EARNED if release else PAIR_DENIED
        ):
            return False
        pair.months.filter(state=HELD).update(state=BANKED if release else DENIED)
        for account in held.values():
            _credit_free_months(account)
    return True


def count_earned(account: Account) -> int:
    return account.invite_months.filter(state__in=EARNED).count()


def count_banked(account: Account) -> int:
    """Return the number of free months that are kept until the account pays for something."""
    return account.invite_months.filter(state__in=[one for one in EARNED if one != CREDITED]).count()
