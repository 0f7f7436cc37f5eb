"""The fake Stripe with everything that plans need.

It has customers, prices, subscriptions with items, invoices, a customer's credit, and the portal. `declined` refuses
cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs

from workspace.testing.fake_paying import FakePaying
from workspace.testing.fake_stripe import Json, No


@dataclass
class FakeBilling(FakePaying):
    # API

    def _do(self, method: str, path: str, given: Json) -> Json:  # noqa: C901 - one case for each address
        path, _, query = path.partition("?")
        asked = {key: values[0] for key, values in parse_qs(query).items()}
        match [method, *path.split("/")[2:]]:
            case ["POST", "customers"]:
                id = f"cus_{next(self._numbers)}"
                self.customers[id] = {"id": id, "object": "customer", "balance": 0, "email": given["email"]}
                return self.customers[id]
            case ["GET", "customers", id]:
                return self._one(self.customers, id)
            case ["GET", "customers", id, "balance_transactions"]:
                return {"data": [one for one in reversed(self.given) if one["customer"] == id]}
            case ["POST", "customers", id, "balance_transactions"]:
                sign = next(key for key in given if key.startswith("metadata["))
                made = {"id": f"cbtxn_{next(self._numbers)}", "customer": id, "amount": int(given["amount"])}
                made["metadata"] = {sign[9:-1]: given[sign]}
                self._one(self.customers, id)["balance"] += made["amount"]
                self.given.append(made)
                return made
            case ["POST", "prices"]:
                id = f"price_{next(self._numbers)}"
                told = {name: given[f"metadata[{name}]"] for name in ("product", "plan")}
                amount, every = int(given["unit_amount"]), given["recurring[interval]"]
                recurring = {"interval": every, "interval_count": 1}
                self.prices[id] = {"id": id, "unit_amount": amount, "recurring": recurring, "metadata": told}
                return self.prices[id]
            case ["POST", "checkout", "sessions"] if given.get("mode") == "subscription" or "customer" in given:
                return self._begun(given)
            case ["GET", "checkout", "sessions", id] if id in self.sessions:
                return dict(self.sessions[id])
            case ["POST", "billing_portal", "sessions"]:
                self._one(self.customers, given["customer"])
                return {"id": "bps_1", "url": f"{self.url}/portal"}
            case ["GET", "subscriptions", id]:
                return self.shown(self._one(self.subscriptions, id))
            case ["POST", "subscriptions", id]:
                found = self._one(self.subscriptions, id)
                found["cancel_at_period_end"] = given["cancel_at_period_end"] == "true"
                self.event("customer.subscription.updated", self.shown(found))
                return self.shown(found)
            case ["DELETE", "subscriptions", id]:
                found = self._one(self.subscriptions, id)
                if found["status"] == "canceled":
                    raise No(404, "resource_missing", f"No such subscription: '{id}'")
                self.become(id, "canceled")
                return self.shown(found)
            case ["POST", "subscription_items"]:
                self._charge_or_no()
                found = self._one(self.subscriptions, given["subscription"])
                row = self._add(found, given["price"], found["rows"][0]["current_period_end"])
                self.bill(found["id"], int(row["price"]["unit_amount"]))
                return self._told(found, row)
            case ["POST", "subscription_items", id]:
                found, row = self._row(id)
                if given["proration_behavior"] == "always_invoice":
                    self._charge_or_no()
                row["price"] = self.prices[given["price"]]
                return self._told(found, row)
            case ["DELETE", "subscription_items", id]:
                found, row = self._row(id)
                if len(found["rows"]) == 1:
                    raise No(400, "", "A subscription must have at least one active plan.")
                found["rows"].remove(row)
                return self._told(found, row)
            case ["GET", "invoices", id]:
                return self._invoice(self._one(self.invoices, id))
            case ["GET", "invoices"]:
                rows = [self._invoice(one) for one in reversed(self.invoices.values()) if self._fits(one, asked)]
                return {"data": rows, "has_more": False}
            case ["GET", "invoice_payments"]:
                wanted = asked["payment[payment_intent]"]
                return {"data": [{"invoice": one["id"]} for one in self.invoices.values() if one["intent"] == wanted]}
            case ["GET", "payment_intents", id]:
                return self._one(self.intents, id)
            case ["POST", "refunds"] if "amount" not in given:
                charge = self._one(self.intents, given["payment_intent"])["latest_charge"]
                if charge["amount_refunded"] >= charge["amount"]:
                    raise No(400, "charge_already_refunded", "It has already been refunded.")
                charge["amount_refunded"] = charge["amount"]
                self.event("charge.refunded", charge)
                return {"id": f"re_{next(self._numbers)}", "status": "succeeded"}
        return super()._do(method, path if not query else f"{path}?{query}", given)

    def _begun(self, given: Json) -> Json:
        id = f"cs_test_{next(self._numbers)}"
        plan = given["mode"] == "subscription"
        price = given.get("line_items[0][price]", "")
        quantity = int(given["line_items[0][quantity]"])
        unit = self.prices[price]["unit_amount"] if plan else int(given["line_items[0][price_data][unit_amount]"])
        names = ("purchase", "account", "product", "plan")
        place = "subscription_data" if plan else "payment_intent_data"
        self.sessions[id] = made = {
            "id": id,
            "object": "checkout.session",
            "livemode": self.live,
            "mode": given["mode"],
            "status": "open",
            "payment_status": "unpaid",
            "customer": self._one(self.customers, given["customer"])["id"],
            "client_reference_id": given["client_reference_id"],
            "amount_total": unit * quantity,
            "currency": "usd",
            "price": price,
            "title": f"{given[f'{place}[metadata][product]']} {given[f'{place}[metadata][plan]']}",
            "metadata": {name: given[f"{place}[metadata][{name}]"] for name in names},
            "success_url": given["success_url"],
            "cancel_url": given["cancel_url"],
            "url": f"{self.url}/c/{id}",
        }
        return dict(made)

    def _charge_or_no(self) -> None:
        if self.declined:
            raise No(402, "card_declined", "Your card was declined.")

    def _told(self, found: Json, row: Json) -> Json:
        self.event("customer.subscription.updated", self.shown(found))
        return dict(row)

    def _row(self, id: str) -> tuple[Json, Json]:
        for found in self.subscriptions.values():
            for row in found["rows"]:
                if row["id"] == id:
                    return found, row
        raise No(404, "resource_missing", f"No such subscription item: '{id}'")

    def _fits(self, one: Json, asked: Json) -> bool:
        return asked.get("customer") in (None, one["customer"]) and asked.get("subscription") in (None, one["of"])

    def _one(self, rows: dict[str, Json], id: str) -> Json:
        if id not in rows:
            raise No(404, "resource_missing", f"No such object: '{id}'")
        return rows[id]

    def pay(self, session: str, *, later: bool = False) -> None:
        """Pay as with the buttons of the page."""
        self.checkout(session, later=later)
