"""Buying and ending plans, and buying event credits. Only signed-in people can do this; there are no tools for it.

The result is requested from the provider (`status_sync`). Opening a URL never grants anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal

from django.core.cache import cache

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.billing import messages, status_sync, stripe
from workspace.billing.models import Customer, Price, Purchase, Subscription
from workspace.billing.models.purchase import CREDITS, OPEN, OPENING, PLAN
from workspace.billing.outbox import enqueue_request
from workspace.lib import clock
from workspace.payment_clients.errors import PaymentNotFoundError, ProviderError, ProviderRejectedError
from workspace.payment_clients.stripe.client import object_path
from workspace.storage.database.transactions import write_transaction

MAX_CREDITS = 20  # in one purchase
REUSE_PERIOD = timedelta(hours=1)  # a second click opens the same checkout
CLAIM_LIFETIME = timedelta(minutes=2)  # how long one change blocks others if its outcome is unknown
SESSION_LIFETIME = timedelta(hours=24, minutes=2)  # of the session at the provider


class PurchaseError(Exception):
    """The purchase is not possible. The message explains why."""


@dataclass(frozen=True, slots=True)
class PlanChange:
    """The effect of choosing a plan.

    `buy` opens the provider's page. `add`, `up` and `down` change the subscription. `stop` cancels the plan:
    immediately if other plans remain, otherwise at the end of the month. `resume` withdraws the cancellation.
    """

    act: Literal["buy", "add", "up", "down", "stop", "resume", "none"]
    product: str
    plan: str
    price: int
    subscription: Subscription | None = None
    item: dict[str, Any] | None = None

    @property
    def is_last(self) -> bool:
        """True if the plan is the only one in the subscription."""
        return self.subscription is not None and len(self.subscription.items) == 1


def compute_change(account: Account, product: str, plan: str) -> PlanChange:
    """Return the change that choosing a plan would cause. Raise PurchaseError if the plan is not sold."""
    if not plans.is_selling():
        raise PurchaseError(messages.PLANS_NOT_SOLD)
    prices = plans.monthly_prices(product) if product in plans.PRODUCTS and plans.is_built(product) else {}
    if plan != plans.FREE and plan not in prices:
        raise PurchaseError(messages.PLAN_NOT_FOUND)
    price = prices.get(plan, 0)
    running = list_running(account)
    mine = next((one for one in running if one.find_plan(product)), None)
    item = mine.find_plan(product) if mine else None
    if plan == plans.FREE:
        return PlanChange("stop" if item and (mine and not mine.ends_at) else "none", product, plan, 0, mine, item)
    if item is not None:
        if item["plan"] == plan:
            return PlanChange("resume" if mine and mine.ends_at else "none", product, plan, price, mine, item)
        larger = plans.plan_rank(product, plan) > plans.plan_rank(product, item["plan"])
        return PlanChange("up" if larger else "down", product, plan, price, mine, item)
    if running:
        return PlanChange("add", product, plan, price, running[0])
    return PlanChange("buy", product, plan, price)


def list_running(account: Account) -> list[Subscription]:
    """Return the active subscriptions, oldest first."""
    now = clock.now()
    return [one for one in account.subscriptions.all() if one.is_active(now) and one.live == stripe.is_live_key()]


def start_checkout(account: Account, product: str, plan: str) -> str:
    """Return the URL of the page on which the owner pays for the account's first plan."""
    price = _get_or_create_price(product, plan)
    purchase = _create_purchase(account, PLAN, product, plan, 1, plans.monthly_prices(product)[plan] * 100)
    return _open_session(
        purchase,
        {
            "mode": "subscription",
            "line_items": [{"price": price, "quantity": 1}],
            "subscription_data": {"metadata": purchase.metadata},
        },
    )


def start_credit_checkout(account: Account, quantity: int) -> str:
    """Return the URL of the page on which the owner pays for event credits.

    Raise PurchaseError if they are not sold or the quantity is not allowed.
    """
    product, plan = plans.EVENT_CREDIT_PLAN
    if not plans.is_selling() or not plans.is_built(product):
        raise PurchaseError(messages.CREDITS_NOT_SOLD)
    if not 1 <= quantity <= MAX_CREDITS:
        raise PurchaseError(messages.QUANTITY_INVALID(most=MAX_CREDITS))
    cents = plans.PRODUCTS[product].plans[plan].price * 100
    purchase = _create_purchase(account, CREDITS, product, plan, quantity, cents * quantity)
    name = f"{plans.PRODUCTS[product].title}: 1 event"
    line = {"currency": "usd", "unit_amount": cents, "product_data": {"name": name}}
    return _open_session(
        purchase,
        {
            "mode": "payment",
            "line_items": [{"quantity": quantity, "price_data": line}],
            "payment_intent_data": {"metadata": purchase.metadata, "description": name},
            "invoice_creation": {"enabled": "true"},
        },
    )


def _create_purchase(account: Account, kind: str, product: str, plan: str, quantity: int, amount: int) -> Purchase:
    """Return an open purchase of the same kind, or create one."""
    given = {"kind": kind, "product": product, "plan": plan, "quantity": quantity, "amount": amount}
    with write_transaction():
        account = account.lock()
        same = account.purchases.filter(
            **given, live=stripe.is_live_key(), state__in=(OPENING, OPEN), created_at__gt=clock.now() - REUSE_PERIOD
        )
        return same.first() or Purchase.objects.create(account=account, live=stripe.is_live_key(), **given)


def _open_session(purchase: Purchase, fields: dict[str, Any]) -> str:
    back = plans.plans_url()
    opened = stripe.open_checkout(
        {
            **fields,
            "customer": get_or_create_customer(purchase.account),
            "client_reference_id": purchase.account_id,
            "metadata": purchase.metadata,
            "success_url": f"{back}/wait/{purchase.pk}",
            "cancel_url": back,
        },
        f"checkout:{purchase.account_id}:{purchase.pk}",
    )
    with write_transaction():
        Purchase.objects.filter(pk=purchase.pk, state=OPENING).update(state=OPEN, session=opened.session)
        # In case no event arrives and the buyer does not return.
        enqueue_request("purchase", purchase.pk, dedupe_key="end", at=purchase.created_at + SESSION_LIFETIME)
    return opened.url


def get_or_create_customer(account: Account) -> str:
    """Return the customer's id at the provider. The customer is created for the first purchase."""
    found = Customer.objects.filter(account=account, live=stripe.is_live_key()).first()
    if found is not None:
        return found.reference
    made = stripe.create_customer(account.pk, account.name, account.owner.email)
    with write_transaction():
        Customer.objects.update_or_create(account=account, defaults={"reference": made, "live": stripe.is_live_key()})
    return made


def _get_or_create_price(product: str, plan: str) -> str:
    live, amount = stripe.is_live_key(), plans.monthly_prices(product)[plan] * 100
    found = Price.objects.filter(live=live, product=product, plan=plan, amount=amount).first()
    if found is not None:
        return found.reference
    title = f"{plans.PRODUCTS[product].title}: {plan.capitalize()}"
    made = stripe.create_price(product, plan, title, amount)
    with write_transaction():
        Price.objects.get_or_create(live=live, product=product, plan=plan, amount=amount, defaults={"reference": made})
    return made


def apply_change(account: Account, change: PlanChange, idempotency_key: str) -> bool:
    """Apply a change that does not require a page of the provider.

    Return whether the account's plans already reflect it. Additional costs are charged immediately; reductions are
    credited to the next invoice. `idempotency_key` identifies the click. Only one change runs at a time.

    If the provider made the change but the new state cannot be fetched, the change is valid and a worker fetches the
    state soon. Raise ProviderUnreachableError if the outcome is unknown; a worker then fetches the state, too. Raise
    PurchaseError or another ProviderError if nothing has changed.
    """
    one = change.subscription
    if one is None:
        raise PurchaseError(messages.NOTHING_TO_CHANGE)
    claim = f"billing.change:{account.pk}"
    if not cache.add(claim, idempotency_key, CLAIM_LIFETIME.total_seconds()):
        raise PurchaseError(messages.CHANGE_IN_PROGRESS)
    try:
        now = compute_change(account, change.product, change.plan).act
        if now not in (change.act, "none"):
            raise PurchaseError(messages.PLANS_CHANGED)
        if now == change.act:
            _execute_change(change, one, idempotency_key)
    except ProviderError:
        _enqueue_sync(one, idempotency_key)
        cache.delete(claim)
        raise
    except BaseException:
        cache.delete(claim)
        raise
    try:
        status_sync.sync_subscription(one.pk, in_request=True)
    except ProviderError:  # the claim remains for its lifetime, so that the change is not applied twice
        _enqueue_sync(one, idempotency_key)
        return False
    cache.delete(claim)
    return True


def _enqueue_sync(subscription: Subscription, idempotency_key: str) -> None:
    with write_transaction():
        enqueue_request("subscription", subscription.pk, dedupe_key=idempotency_key)


def _execute_change(change: PlanChange, subscription: Subscription, idempotency_key: str) -> None:
    path = object_path("subscriptions", subscription.pk)
    if change.act == "stop" and change.item and not change.is_last:
        item = object_path("subscription_items", change.item["item"])
        _request_provider("DELETE", f"{item}?proration_behavior=create_prorations", None, idempotency_key)
        return
    if change.act == "stop":
        _request_provider("POST", path, {"cancel_at_period_end": "true"}, idempotency_key)
        return
    if subscription.ends_at:  # another change withdraws the cancellation
        _request_provider("POST", path, {"cancel_at_period_end": "false"}, f"{idempotency_key}:on")
    if change.act == "resume":
        return
    try:
        _change_item(change, subscription, idempotency_key)
    except ProviderRejectedError:
        if subscription.ends_at:
            _request_provider("POST", path, {"cancel_at_period_end": "true"}, f"{idempotency_key}:off")
        raise


def _change_item(change: PlanChange, subscription: Subscription, idempotency_key: str) -> None:
    given: dict[str, Any] = {
        "price": _get_or_create_price(change.product, change.plan),
        "proration_behavior": "create_prorations" if change.act == "down" else "always_invoice",
        "payment_behavior": "error_if_incomplete",
    }
    if change.item is None:
        _request_provider(
            "POST", "subscription_items", {"subscription": subscription.pk, "quantity": 1, **given}, idempotency_key
        )
    else:
        _request_provider("POST", object_path("subscription_items", change.item["item"]), given, idempotency_key)


def _request_provider(method: str, path: str, fields: dict[str, Any] | None, idempotency_key: str) -> None:
    try:
        stripe.send_request(method, path, fields, idempotency_key=idempotency_key, in_request=True)
    except PaymentNotFoundError:
        raise ProviderRejectedError(str(messages.CHANGED_IN_STRIPE)) from None


def open_portal(account: Account) -> str:
    """Return the URL of the provider's page for cards, invoices and addresses."""
    return stripe.create_portal_session(get_or_create_customer(account), plans.plans_url())
