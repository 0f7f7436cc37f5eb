"""An account that sells an item, for tests.

Calls of its purpose are recorded in the database (as rows of the outbox that are never sent), so that they are rolled
back with the transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.test import Client

from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.payments import checkout, connection, purposes
from workspace.payments.models import Payment
from workspace.payments.purposes import Purpose
from workspace.payments.worker import PaymentWorker
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account
from workspace.testing.fake_stripe import KEY, FakeStripe

WORD, NAME = "test effect", "test.thing"
outbox.register_channel(WORD, lambda: (_ for _ in ()).throw(AssertionError("nobody sends these")))


def _paid(payment: Payment) -> None:
    outbox.put(WORD, {"of": payment.subject, "what": "paid"}, account=payment.account)


def _changed(payment: Payment, change: str) -> None:
    outbox.put(WORD, {"of": payment.subject, "what": change}, account=payment.account)


def _pages(payments: Sequence[Payment]) -> dict[str, str]:
    return {one.subject: "/app" for one in payments}


THING = Purpose(NAME, "Things", on_paid=_paid, on_changed=_changed, pages=_pages)


class Shop:
    """An account connected to the fake Stripe that sells items."""

    def __init__(self, stripe: FakeStripe) -> None:
        purposes.register(THING)
        self.stripe, self.account = stripe, make_account()
        self.connection = connection.connect_provider(self.account, "stripe", KEY)

    def start_payment(self, subject: str = "one", amount: int = 5000, currency: str = "EUR", **more: Any) -> Payment:
        """Start a payment without creating its page at the provider."""
        with write_transaction():
            return checkout.start_payment(
                self.account, NAME, subject, amount, currency, title="A thing", return_url="/p/somewhere", **more
            )

    def open(self, subject: str = "one", amount: int = 5000, currency: str = "EUR", **more: Any) -> Payment:
        """Start a payment and create its page at the provider."""
        payment = self.start_payment(subject, amount, currency, **more)
        checkout.fetch_payment_url(payment)
        return payment

    def work(self) -> None:
        """Process everything that waits for the worker."""
        while Delivery.objects.filter(kind=checkout.DELIVERY_KIND, state="waiting").exists():
            due = Delivery.objects.filter(kind=checkout.DELIVERY_KIND, state="waiting")
            before = due.count()
            PaymentWorker().run_once()
            if due.count() >= before:
                break

    def receive_events(self, *bodies: bytes, status: int = 200) -> None:
        """Deliver events, signed as Stripe signs them."""
        for body in bodies:
            answer = Client().post(
                f"/hooks/stripe/{self.connection.token}",
                body,
                content_type="application/json",
                headers={"stripe-signature": self.stripe.signed(body)},
            )
            assert answer.status_code == status, answer.content

    def count_notifications(self, subject: str = "one") -> Counter[str]:
        """Return how often each call of the purpose was recorded for a subject."""
        rows = Delivery.objects.filter(kind=WORD, account=self.account)
        return Counter(row.payload["what"] for row in rows if row.payload and row.payload["of"] == subject)
