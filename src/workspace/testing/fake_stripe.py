"""A fake Stripe over real HTTP, with the parts that this service uses.

It has keys with their permissions, sessions with their states, refunds, disputes, idempotency as documented, and signed
events. Its methods, or the buttons of its page, do what a customer does. Events wait in `events` until a test delivers
them, in any order.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

KEY = "sk_test_51" + "k" * 90
SECRET = "whsec_" + "s" * 32
Json = dict[str, Any]


class StripeApiError(Exception):
    """An error response of the API."""

    def __init__(self, status: int, code: str, message: str = "No.") -> None:
        super().__init__(message)
        self.status, self.body = status, {"error": {"code": code, "message": message, "type": "invalid_request_error"}}


@dataclass
class FakeStripe:
    """The fake Stripe.

    `keys` maps secret keys to None, and restricted keys to their permissions, such as `("POST", "checkout/sessions")`.
    `failing` replaces the next responses: a status, None to close the connection, or a function called with the method
    and path. `deaf` rejects the creation of webhooks. `push` sends each event immediately. `requests` lists the
    requests.
    """

    url: str = ""
    live: bool = False
    keys: dict[str, set[tuple[str, str]] | None] = field(default_factory=lambda: {KEY: None})
    sessions: dict[str, Json] = field(default_factory=dict)
    intents: dict[str, Json] = field(default_factory=dict)
    refunds: list[Json] = field(default_factory=list)
    disputes: list[Json] = field(default_factory=list)
    hooks: dict[str, str] = field(default_factory=dict)
    events: list[bytes] = field(default_factory=list)
    failing: list[int | Callable[[str, str], int | None] | None] = field(default_factory=list)
    deaf: bool = False
    push: Callable[[bytes, str], None] | None = None
    requests: list[tuple[str, str, Json, dict[str, str]]] = field(default_factory=list)
    _kept: dict[str, tuple[Json, int, Json]] = field(default_factory=dict)
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _lock: Any = field(default_factory=threading.RLock)

    def count_calls(self, path: str) -> int:
        """Return the number of requests to a path."""
        return sum(asked.partition("?")[0] == f"/v1/{path}" for _, asked, _, _ in self.requests)

    # actions of customers, banks and owners

    def pay(self, session: str, *, later: bool = False) -> None:
        """Pay by card immediately or, with `later`, by a bank that takes days."""
        found = self._open(session)
        found["status"], found["payment_status"] = "complete", "unpaid" if later else "paid"
        found["customer_details"] = {"email": found["customer_email"] or "payer@example.org"}
        intent = self._intent(found)
        intent["status"] = "processing" if later else "succeeded"
        self.event("checkout.session.completed", found)

    def complete_bank_payment(self, session: str) -> None:
        """Let the bank pay the session."""
        found = self.sessions[session]
        found["payment_status"] = "paid"
        self.intents[found["payment_intent"]]["status"] = "succeeded"
        self.event("checkout.session.async_payment_succeeded", found)

    def bounce(self, session: str) -> None:
        """Let the bank decline the payment after all."""
        found = self.sessions[session]
        intent = self.intents[found["payment_intent"]]
        intent["status"], intent["last_payment_error"] = (
            "requires_payment_method",
            {"message": "Your bank declined it."},
        )
        self.event("checkout.session.async_payment_failed", found)

    def expire(self, session: str) -> Json:
        found = self._open(session)
        found["status"], found["url"] = "expired", None
        self.event("checkout.session.expired", found)
        return found

    def refund(self, session: str, amount: int | None = None, reference: str = "") -> Json:
        """Refund a session completely or in part."""
        intent = self.intents[self.sessions[session]["payment_intent"]]
        charge = intent["latest_charge"]
        left = charge["amount"] - charge["amount_refunded"]
        wanted = left if amount is None else amount
        if not 0 < wanted <= left:
            raise StripeApiError(400, "charge_already_refunded", "There is not that much left.")
        made = {
            "id": f"re_{next(self._numbers)}",
            "object": "refund",
            "amount": wanted,
            "created": int(time.time()),
            "payment_intent": intent["id"],
            "status": "succeeded",
            "metadata": {"refund": reference} if reference else {},
        }
        charge["amount_refunded"] += wanted
        self.refunds.append(made)
        self.event("charge.refunded", charge)
        return made

    def dispute(self, session: str, status: str = "needs_response") -> None:
        """Open or close a dispute of the session's payment."""
        intent = self.intents[self.sessions[session]["payment_intent"]]
        intent["latest_charge"]["disputed"] = True
        self.disputes = [one for one in self.disputes if one["payment_intent"] != intent["id"]]
        made = {"id": f"du_{next(self._numbers)}", "object": "dispute", "payment_intent": intent["id"]}
        self.disputes.append({**made, "status": status, "created": int(time.time())})
        kind = "created" if status == "needs_response" else "closed"
        self.event(f"charge.dispute.{kind}", self.disputes[-1])

    def event(self, kind: str, data: Json) -> None:
        event = {"object": "event", "type": kind, "livemode": self.live, "created": int(time.time())}
        body = json.dumps({"id": f"evt_{next(self._numbers)}", **event, "data": {"object": data}}).encode()
        self.events.append(body)
        if self.push is not None:
            self.push(body, self.signed(body))

    def signed(self, body: bytes, *, secret: str = SECRET, at: int | None = None) -> str:
        """Return the signature header of an event."""
        moment = int(time.time()) if at is None else at
        digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
        return f"t={moment},v1={'0' * 64},v1={digest}"

    def _open(self, session: str) -> Json:
        found = self.sessions.get(session)
        if found is None:
            raise StripeApiError(404, "resource_missing", f"No such checkout.session: '{session}'")
        if found["status"] != "open":
            raise StripeApiError(400, "", 'Only Checkout Sessions with a status in ["open"] can be expired or paid.')
        return found

    def _intent(self, session: Json) -> Json:
        number = next(self._numbers)
        intent = {"id": f"pi_{number}", "object": "payment_intent", "metadata": session["intent_metadata"]}
        intent["latest_charge"] = {
            "id": f"ch_{number}",
            "object": "charge",
            "amount": session["amount_total"],
            "amount_refunded": 0,
            "disputed": False,
            "payment_intent": intent["id"],
            "metadata": session["intent_metadata"],
        }
        self.intents[intent["id"]] = intent
        session["payment_intent"] = intent["id"]
        return intent

    # API

    def handle_request(self, method: str, path: str, fields: Json, headers: dict[str, str]) -> tuple[int, Json]:
        with self._lock:
            self._check(method, path, headers)
            once = headers.get("idempotency-key", "")
            if once in self._kept:
                before, status, found = self._kept[once]
                if before != fields:
                    raise StripeApiError(
                        400, "idempotency_error", "Keys for idempotent requests can only be used with the same."
                    )
                return status, found
            found = self._do(method, path, fields)
            if once:
                self._kept[once] = (fields, 200, json.loads(json.dumps(found)))
            return 200, found

    def _check(self, method: str, path: str, headers: dict[str, str]) -> None:
        key = headers.get("authorization", "").removeprefix("Bearer ")
        if key not in self.keys:
            raise StripeApiError(401, "", f"Invalid API Key provided: {key[:8]}***{key[-4:]}")
        rights = self.keys[key]
        part = "/".join(path.partition("?")[0].split("/")[2 : 4 if "checkout" in path else 3])
        if rights is not None and (method, part) not in rights:
            raise StripeApiError(403, "", f"The provided key '{key[:8]}***' does not have the required permissions.")
        if headers.get("stripe-version") != "2025-03-31.basil":
            raise StripeApiError(400, "", "Invalid Stripe API version")

    def _do(self, method: str, path: str, fields: Json) -> Json:  # noqa: C901 - one case for each address
        path, _, query = path.partition("?")
        match [method, *path.split("/")[2:]]:
            case ["GET", "account"]:
                return {"id": "acct_1", "settings": {"dashboard": {"display_name": "Corner Café"}}}
            case ["POST", "checkout", "sessions"]:
                return self._create_session(fields)
            case ["POST", "checkout", "sessions", id, "expire"]:
                return self.expire(id)
            case ["GET", "checkout", "sessions", id]:
                return self._get_session(id)
            case ["GET", "payment_intents"]:
                return {"data": []}
            case ["POST", "refunds"]:
                if "payment_intent" not in fields:
                    raise StripeApiError(400, "parameter_missing", "One of the following params should be provided.")
                session = next(
                    one["id"] for one in self.sessions.values() if one.get("payment_intent") == fields["payment_intent"]
                )
                return self.refund(session, int(fields["amount"]), fields.get("metadata[refund]", ""))
            case ["GET", "refunds" | "disputes" as what]:
                asked = {name: values[0] for name, values in parse_qs(query).items()}
                rows = self.refunds if what == "refunds" else self.disputes
                wanted = asked.get("payment_intent")
                return _cut_page([one for one in rows if wanted in (None, one["payment_intent"])], asked)
            case ["POST", "webhook_endpoints"]:
                if self.deaf:
                    raise StripeApiError(400, "url_invalid", "Invalid URL: URL must be publicly accessible.")
                self.hooks[id := f"we_{next(self._numbers)}"] = fields["url"]
                return {"id": id, "secret": SECRET}
            case ["DELETE", "webhook_endpoints", id]:
                if self.hooks.pop(id, None) is None:
                    raise StripeApiError(404, "resource_missing")
                return {"id": id, "deleted": True}
        raise StripeApiError(404, "", f"Unrecognized request URL ({method}: {path}).")

    def _create_session(self, fields: Json) -> Json:
        for name in ("success_url", "line_items[0][price_data][unit_amount]"):
            if name not in fields:
                raise StripeApiError(400, "parameter_missing", f"Missing required param: {name}.")
        ends = int(fields["expires_at"]) - time.time()
        if not 30 * 60 <= ends <= 24 * 3600:
            raise StripeApiError(
                400, "parameter_invalid_integer", "The `expires_at` timestamp must be between 30 minutes and 24 hours."
            )
        id = f"cs_test_{next(self._numbers)}"
        self.sessions[id] = made = {
            "id": id,
            "object": "checkout.session",
            "livemode": self.live,
            "status": "open",
            "payment_status": "unpaid",
            "amount_total": int(fields["line_items[0][price_data][unit_amount]"]),
            "currency": fields["line_items[0][price_data][currency]"],
            "client_reference_id": fields["client_reference_id"],
            "customer_email": fields.get("customer_email"),
            "metadata": {"payment": fields["metadata[payment]"]},
            "intent_metadata": {"payment": fields["payment_intent_data[metadata][payment]"]},
            "payment_intent": None,
            "success_url": fields["success_url"],
            "cancel_url": fields["cancel_url"],
            "url": f"{self.url}/c/{id}",
            "title": fields["line_items[0][price_data][product_data][name]"],
        }
        return dict(made)

    def _get_session(self, id: str) -> Json:
        if id not in self.sessions:
            raise StripeApiError(404, "resource_missing", f"No such checkout.session: '{id}'")
        found = self.sessions[id]
        return {**found, "payment_intent": self.intents.get(found["payment_intent"] or "")}

    # page

    def page(self, method: str, path: str, fields: Json) -> tuple[str, str]:
        """Return HTML, or the URL to redirect to."""
        session = self.sessions[path.split("/")[2]]
        if method == "GET":
            return (
                f"<!doctype html><meta name=viewport content='width=device-width'><h1>{session['title']}</h1>"
                f"<p>{session['amount_total']} {session['currency']}</p><form method=post>"
                "<button name=how value=card>Pay</button><button name=how value=bank>By bank</button>"
                f"</form><a href='{session['cancel_url']}'>Back</a>"
            ), ""
        self.pay(session["id"], later=fields.get("how") == "bank")
        return "", str(session["success_url"])


def _cut_page(rows: list[Json], query: dict[str, str]) -> Json:
    """Return the requested page of a list, newest first."""
    newest = rows[::-1]
    ids = [one["id"] for one in newest]
    begin = ids.index(query["starting_after"]) + 1 if "starting_after" in query else 0
    end = begin + int(query.get("limit", 10))
    return {"data": newest[begin:end], "has_more": end < len(newest)}
