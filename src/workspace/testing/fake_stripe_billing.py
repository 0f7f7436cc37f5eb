"""Actions of customers and their banks at the fake Stripe. Invoices are charged immediately."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from workspace.testing.fake_stripe import FakeStripe, Json

MONTH = 30 * 86400


@dataclass
class FakePaying(FakeStripe):
    """The fake Stripe with customers.

    `card` is the fingerprint of the card used for the next payment. With `old`, it answers as before 2025-03-31.
    """

    customers: dict[str, Json] = field(default_factory=dict)
    prices: dict[str, Json] = field(default_factory=dict)
    subscriptions: dict[str, Json] = field(default_factory=dict)
    invoices: dict[str, Json] = field(default_factory=dict)
    given: list[Json] = field(default_factory=list)
    card: str = "card_one"
    declined: bool = False
    old: bool = False
    clock: int = 0

    # actions of customers and banks

    def checkout(self, session: str, *, later: bool = False) -> Json:
        """Pay the session. With `later`, a bank takes days to pay."""
        found = self._open(session)
        found["status"], found["payment_status"] = "complete", "unpaid" if later else "paid"
        if found["mode"] == "payment":
            intent = self._paid_intent(found["amount_total"], found["customer"])
            intent["status"] = "processing" if later else "succeeded"
            found["payment_intent"] = intent["id"]
        else:
            made = self.subscribe(found["customer"], found["price"], found["metadata"], later=later)
            found["subscription"] = made["id"]
        self.event("checkout.session.completed", found)
        return found

    def complete_bank_payment(self, session: str) -> None:
        """Let the bank pay the session."""
        found = self.sessions[session]
        found["payment_status"] = "paid"
        if found.get("subscription"):
            self.pay_again(found["subscription"])
        else:
            self.intents[found["payment_intent"]]["status"] = "succeeded"
        self.event("checkout.session.async_payment_succeeded", found)

    def subscribe(
        self, customer: str, price: str, metadata: Json, *, later: bool = False, trial: bool = False, began: int = 0
    ) -> Json:
        """Create a subscription and pay its first invoice, unless it is paid `later` or has a `trial`."""
        id = f"sub_{next(self._numbers)}"
        now = began or self._now()
        status = "trialing" if trial else "incomplete" if later else "active"
        self.subscriptions[id] = made = {
            "id": id,
            "object": "subscription",
            "livemode": self.live,
            "status": status,
            "customer": customer,
            "created": now,
            "cancel_at_period_end": False,
            "metadata": metadata,
            "rows": [],
        }
        self._add(made, price, now + MONTH)
        self.event("customer.subscription.created", self.serialize_subscription(made))
        if not later:
            self.bill(id, 0 if trial else self._sum(made))
            self.event("customer.subscription.updated", self.serialize_subscription(made))
        return made

    def pay_again(self, id: str, status: str = "active") -> None:
        """Pay the open invoice of the subscription, late."""
        self.subscriptions[id]["status"] = status
        self.bill(id, self._sum(self.subscriptions[id]))
        self.event("customer.subscription.updated", self.serialize_subscription(self.subscriptions[id]))

    def become(self, id: str, status: str, **more: Any) -> None:
        """Change the status of a subscription."""
        found = self.subscriptions[id]
        found.update(status=status, **more)
        kind = "deleted" if status == "canceled" else "updated"
        self.event(f"customer.subscription.{kind}", self.serialize_subscription(found))

    def bill(self, id: str, amount: int, *, paid_at: int = 0) -> Json:
        """Create a paid invoice, less the customer's credit."""
        found = self.subscriptions[id]
        customer = self.customers[found["customer"]]
        used = min(max(-customer["balance"], 0), amount)
        customer["balance"] += used
        intent = self._paid_intent(amount - used, found["customer"]) if amount - used else None
        number = f"in_{next(self._numbers)}"
        made: Json = {
            "id": number,
            "object": "invoice",
            "livemode": self.live,
            "status": "paid",
            "amount_paid": amount - used,
            "currency": "usd",
            "customer": found["customer"],
            "of": id,
            "intent": intent["id"] if intent else None,
            "created": self._now(),
            "status_transitions": {"paid_at": paid_at or self._now()},
        }
        self.invoices[number] = made
        self.event("invoice.paid", self._invoice(made))
        self.event("invoice.payment_succeeded", self._invoice(made))
        return made

    def give_back_invoice(self, id: str, amount: int | None = None) -> None:
        """Refund an invoice completely or in part."""
        charge = self.intents[self.invoices[id]["intent"]]["latest_charge"]
        charge["amount_refunded"] += charge["amount"] if amount is None else amount
        self.event("charge.refunded", charge)

    def give_back_credits(self, session: str) -> None:
        """Refund a session completely."""
        charge = self.intents[self.sessions[session]["payment_intent"]]["latest_charge"]
        charge["amount_refunded"] = charge["amount"]
        self.event("charge.refunded", charge)

    def lose(self, id: str) -> None:
        """Dispute an invoice, and let the bank decide in favor of its customer."""
        intent = self.intents[self.invoices[id]["intent"]]
        intent["latest_charge"]["disputed"] = True
        made = {"id": f"du_{next(self._numbers)}", "object": "dispute", "payment_intent": intent["id"]}
        self.disputes.append({**made, "status": "lost", "created": self._now()})
        self.event("charge.dispute.closed", self.disputes[-1])

    def _now(self) -> int:
        return self.clock or int(time.time())

    def _paid_intent(self, amount: int, customer: str) -> Json:
        number = next(self._numbers)
        charge = {
            "id": f"ch_{number}",
            "object": "charge",
            "amount": amount,
            "amount_refunded": 0,
            "disputed": False,
            "payment_intent": f"pi_{number}",
            "customer": customer,
            "payment_method_details": {"type": "card", "card": {"fingerprint": self.card}},
        }
        intent: Json = {
            "id": f"pi_{number}",
            "object": "payment_intent",
            "status": "succeeded",
            "latest_charge": charge,
        }
        self.intents[intent["id"]] = intent
        return intent

    def _add(self, subscription: Json, price: str, ends: int) -> Json:
        row = {"id": f"si_{next(self._numbers)}", "price": self.prices[price], "current_period_end": ends}
        subscription["rows"].append(row)
        return row

    def _sum(self, subscription: Json) -> int:
        return sum(int(row["price"]["unit_amount"]) for row in subscription["rows"])

    def serialize_subscription(self, subscription: Json) -> Json:
        rows = [dict(row) for row in subscription["rows"]]
        whole = {key: value for key, value in subscription.items() if key != "rows"}
        if self.old:  # in older versions, the period's end was a field of the subscription
            whole["current_period_end"] = max((row.pop("current_period_end") for row in rows), default=0)
        return {**whole, "items": {"object": "list", "data": rows}}

    def _invoice(self, subscription: Json) -> Json:
        whole = {key: value for key, value in subscription.items() if key not in ("of", "intent")}
        if self.old:
            return {**whole, "subscription": subscription["of"], "payment_intent": subscription["intent"]}
        paid = {"type": "payment_intent", "payment_intent": subscription["intent"]}
        return {
            **whole,
            "parent": {"subscription_details": {"subscription": subscription["of"]}},
            "payments": {"data": [{"invoice": subscription["id"], "payment": paid}] if subscription["intent"] else []},
        }

    def event(self, kind: str, data: Json) -> None:
        super().event(kind, json.loads(json.dumps(data)))
