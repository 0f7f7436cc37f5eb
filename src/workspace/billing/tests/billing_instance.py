"""A test instance that sells plans, with a fake Stripe on loopback."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from workspace.accounts.models import Account
from workspace.billing import checkout, status_sync
from workspace.billing.models import Purchase
from workspace.delivery.models import Delivery
from workspace.payments.checkout import DELIVERY_KIND
from workspace.payments.worker import PaymentWorker
from workspace.testing.api import make_account
from workspace.testing.fake_billing import FakeBilling
from workspace.testing.fake_stripe import KEY, SECRET


class House:
    def __init__(self, stripe: FakeBilling) -> None:
        self.stripe = stripe

    def settings(self, settings: Any) -> None:
        settings.PAYMENTS, settings.STRIPE_KEY, settings.STRIPE_WEBHOOK_SECRET = True, KEY, SECRET

    def start_checkout(self, account: Account, plan: str = "quote=pro") -> Purchase:
        """Choose a plan and return the open purchase."""
        checkout.start_checkout(account, *plan.split("="))
        return account.purchases.order_by("-id")[0]

    def buy(self, account: Account, plan: str = "quote=pro") -> str:
        """Buy a plan, deliver all events and return the subscription's id."""
        purchase = self.start_checkout(account, plan)
        self.stripe.checkout(purchase.session)
        status_sync.sync_purchase(purchase.pk)
        self.receive_all_events()
        return str(self.stripe.sessions[purchase.session]["subscription"])

    def receive_events(self, *bodies: bytes, status: int = 200) -> None:
        for body in bodies:
            head = {"stripe-signature": self.stripe.signed(body)}
            answer = Client().post("/hooks/stripe", body, content_type="application/json", headers=head)
            assert answer.status_code == status, answer.content

    def receive_all_events(self) -> None:
        """Deliver all pending events in order, and run the worker."""
        while self.stripe.events:
            events, self.stripe.events = self.stripe.events, []
            self.receive_events(*events)
            self.work()

    def work(self) -> None:
        """Run the worker until nothing is due."""
        due = Delivery.objects.filter(kind=DELIVERY_KIND, state="waiting")
        for _ in range(20):
            before = list(due.values_list("pk", "attempts"))
            PaymentWorker(batch=50).run_once()
            if not before or list(due.values_list("pk", "attempts")) == before:
                return

    def kinds(self) -> list[str]:
        return [json.loads(body)["type"] for body in self.stripe.events]

    def account(self, **more: Any) -> Account:
        return make_account(**more)


def plan(account: Account, product: str = "quote") -> str:
    return Account.objects.get(pk=account.pk).plan(product)
