"""The plans in effect for an account: the best of its paid, granted and base plans.

They are stored in the account's row, where all code reads them.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.billing.models import PlanGrant, Subscription
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task


def recompute_plans(account: Account) -> bool:
    """Update the account's plans in a transaction that locks it. Return whether anything changed."""
    now = clock.now()
    given = account.granted_plans
    wanted = dict(given)
    for product, names in _list_paid_plans(account, now).items():
        usual = plans.effective_plans(given)[product]
        best = max([usual, *names], key=lambda name: plans.plan_rank(product, name))
        if best != usual:
            wanted[product] = best
    if wanted == account.chosen_plans:
        return False
    account.chosen_plans = wanted
    account.save(update_fields=["chosen_plans"])
    return True


def _list_paid_plans(account: Account, now: datetime) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for grant in account.plan_grants.filter(ends_at__gt=now):
        found[grant.product].append(grant.plan)
    for subscription in account.subscriptions.all():
        if subscription.is_active(now):
            for one in subscription.items:
                found[one["product"]].append(one["plan"])
    return {product: names for product, names in found.items() if product in plans.PRODUCTS}


def _list_due_accounts() -> list[str]:
    now = clock.now()
    grants = PlanGrant.objects.filter(is_over=False, ends_at__lte=now)
    ended = Subscription.objects.filter(ends_at__lte=now, status__in=("active", "trialing", "past_due"))
    return sorted({*grants.values_list("account", flat=True), *ended.values_list("account", flat=True)})


@row_task("billing.end_expired_plans", _list_due_accounts)
def expire_plans(id: str) -> None:
    """End expired grants and subscriptions whose end was not reported, and update the plans."""
    now = clock.now()
    with write_transaction():
        account = Account.objects.filter(pk=id).first()
        if account is not None:
            account = account.lock()
            recompute_plans(account)
            account.plan_grants.filter(is_over=False, ends_at__lte=now).update(is_over=True)


def grant_plan(account: Account, product: str, plan: str, until: datetime) -> None:
    """Grant a plan until the given time. It replaces an earlier grant for the same product."""
    with write_transaction():
        account = account.lock()
        account.plan_grants.filter(product=product, is_over=False).update(is_over=True, ends_at=clock.now())
        PlanGrant.objects.create(account=account, product=product, plan=plan, ends_at=until)
        recompute_plans(account)


def set_base_plan(account: Account, product: str, plan: str) -> None:
    """Set the plan that applies if the account pays for nothing."""
    with write_transaction():
        account = account.lock()
        account.granted_plans[product] = plan
        account.save(update_fields=["granted_plans"])
        recompute_plans(account)


def is_paying(account: Account) -> bool:
    """Return whether the account currently pays for a subscription."""
    now = clock.now()
    return any(one.is_active(now) and one.items for one in account.subscriptions.all())
