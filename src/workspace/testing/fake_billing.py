"""The fake Stripe, with everything that plans need.

It has customers, prices, subscriptions with items, invoices, a customer's credit, and the portal. `declined` makes
cards fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

from workspace.testing.fake_stripe import Json, StripeApiError
from workspace.testing.fake_stripe_billing import FakePaying


@dataclass
class FakeBilling(FakePaying):
    # API

    def _do(self, method: str, path: str, fields: Json) -> Json:  # noqa: C901 - one case for each address
        path, _, query = path.partition("?")
        asked = {key: values[0] for key, values in parse_qs(query).items()}
        match [method, *path.split("/")[2:]]:
            case ["POST", "customers"]:
                id = f"cus_{next(self._numbers)}"
                self.customers[id] = {"id": id, "object": "customer", "balance": 0, "email": fields["email"]}
                return self.customers[id]
            case ["GET", "customers", id]:
                return self._get_object(self.customers, id)
            case ["GET", "customers", id, "balance_transactions"]:
                return {"data": [one for one in reversed(self.given) if one["customer"] == id]}
            case ["POST", "customers", id, "balance_transactions"]:
                sign = next(key for key in fields if key.startswith("metadata["))
                made = {"id": f"cbtxn_{next(self._numbers)}", "customer": id, "amount": int(fields["amount"])}
                made["metadata"] = {sign[9:-1]: fields[sign]}
                self._get_object(self.customers, id)["balance"] += made["amount"]
                self.given.append(made)
                return made
            case ["POST", "prices"]:
                id = f"price_{next(self._numbers)}"
                told = {name: fields[f"metadata[{name}]"] for name in ("product", "plan")}
                amount, every = int(fields["unit_amount"]), fields["recurring[interval]"]
                recurring = {"interval": every, "interval_count": 1}
                self.prices[id] = {"id": id, "unit_amount": amount, "recurring": recurring, "metadata": told}
                return self.prices[id]
            case ["POST", "checkout", "sessions"] if fields.get("mode") == "subscription" or "customer" in fields:
                return self._begun(fields)
            case ["GET", "checkout", "sessions", id] if id in self.sessions:
                return dict(self.sessions[id])
            case ["POST", "billing_portal", "sessions"]:
                self._get_object(self.customers, fields["customer"])
                return {"id": "bps_1", "url": f"{self.url}/portal"}
            case ["GET", "subscriptions", id]:
                return self.serialize_subscription(self._get_object(self.subscriptions, id))
            case ["POST", "subscriptions", id]:
                found = self._get_object(self.subscriptions, id)
                found["cancel_at_period_end"] = fields["cancel_at_period_end"] == "true"
                self.event("customer.subscription.updated", self.serialize_subscription(found))
                return self.serialize_subscription(found)
            case ["DELETE", "subscriptions", id]:
                found = self._get_object(self.subscriptions, id)
                if found["status"] == "canceled":
                    raise StripeApiError(404, "resource_missing", f"No such subscription: '{id}'")
                self.become(id, "canceled")
                return self.serialize_subscription(found)
            case ["POST", "subscription_items"]:
                self._check_card()
                found = self._get_object(self.subscriptions, fields["subscription"])
                row = self._add(found, fields["price"], found["rows"][0]["current_period_end"])
                self.bill(found["id"], int(row["price"]["unit_amount"]))
                return self._send_update(found, row)
            case ["POST", "subscription_items", id]:
                found, row = self._get_row(id)
                if fields["proration_behavior"] == "always_invoice":
                    self._check_card()
                row["price"] = self.prices[fields["price"]]
                return self._send_update(found, row)
            case ["DELETE", "subscription_items", id]:
                found, row = self._get_row(id)
                if len(found["rows"]) == 1:
                    raise StripeApiError(400, "", "A subscription must have at least one active plan.")
                found["rows"].remove(row)
                return self._send_update(found, row)
            case ["GET", "invoices", id]:
                return self._invoice(self._get_object(self.invoices, id))
            case ["GET", "invoices"]:
                rows = [self._invoice(one) for one in reversed(self.invoices.values()) if self._matches(one, asked)]
                return {"data": rows, "has_more": False}
            case ["GET", "invoice_payments"]:
                wanted = asked["payment[payment_intent]"]
                return {"data": [{"invoice": one["id"]} for one in self.invoices.values() if one["intent"] == wanted]}
            case ["GET", "payment_intents", id]:
                return self._get_object(self.intents, id)
            case ["POST", "refunds"] if "amount" not in fields:
                charge = self._get_object(self.intents, fields["payment_intent"])["latest_charge"]
                if charge["amount_refunded"] >= charge["amount"]:
                    raise StripeApiError(400, "charge_already_refunded", "It has already been refunded.")
                charge["amount_refunded"] = charge["amount"]
                self.event("charge.refunded", charge)
                return {"id": f"re_{next(self._numbers)}", "status": "succeeded"}
        return super()._do(method, path if not query else f"{path}?{query}", fields)

    def _begun(self, fields: Json) -> Json:
        id = f"cs_test_{next(self._numbers)}"
        plan = fields["mode"] == "subscription"
        price = fields.get("line_items[0][price]", "")
        quantity = int(fields["line_items[0][quantity]"])
        unit = self.prices[price]["unit_amount"] if plan else int(fields["line_items[0][price_data][unit_amount]"])
        names = ("purchase", "account", "product", "plan")
        place = "subscription_data" if plan else "payment_intent_data"
        self.sessions[id] = made = {
            "id": id,
            "object": "checkout.session",
            "livemode": self.live,
            "mode": fields["mode"],
            "status": "open",
            "payment_status": "unpaid",
            "customer": self._get_object(self.customers, fields["customer"])["id"],
            "client_reference_id": fields["client_reference_id"],
            "amount_total": unit * quantity,
            "currency": "usd",
            "price": price,
            "title": f"{fields[f'{place}[metadata][product]']} {fields[f'{place}[metadata][plan]']}",
            "metadata": {name: fields[f"{place}[metadata][{name}]"] for name in names},
            "success_url": fields["success_url"],
            "cancel_url": fields["cancel_url"],
            "url": f"{self.url}/c/{id}",
        }
        return dict(made)

    def _check_card(self) -> None:
        if self.declined:
            raise StripeApiError(402, "card_declined", "Your card was declined.")

    def _send_update(self, subscription: Json, row: Json) -> Json:
        self.event("customer.subscription.updated", self.serialize_subscription(subscription))
        return dict(row)

    def _get_row(self, id: str) -> tuple[Json, Json]:
        for found in self.subscriptions.values():
            for row in found["rows"]:
                if row["id"] == id:
                    return found, row
        raise StripeApiError(404, "resource_missing", f"No such subscription item: '{id}'")

    def _matches(self, invoice: Json, query: Json) -> bool:
        return query.get("customer") in (None, invoice["customer"]) and query.get("subscription") in (
            None,
            invoice["of"],
        )

    def _get_object(self, rows: dict[str, Json], id: str) -> Json:
        if id not in rows:
            raise StripeApiError(404, "resource_missing", f"No such object: '{id}'")
        return rows[id]

    def pay(self, session: str, *, later: bool = False) -> None:
        """Pay as the buttons of the page do."""
        self.checkout(session, later=later)
