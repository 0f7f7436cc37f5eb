"""Webhooks: an account's events are sent to the owner's URLs according to Standard Webhooks (standardwebhooks.com).

The body is `{type, timestamp, data}`, signed with a secret of the endpoint.

    ANSWERED = Event("form.response", "Answers", "Someone answered a form", product="form")   # in a manifest's events

    emit_event(account, ANSWERED.name, {"form_id": form.pk, …}, item_id=form.pk)   # in the answer's transaction

That transaction only writes to the outbox. `webhooks.worker` sends the messages.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.delivery import mail, messages, notifications, outbox
from workspace.delivery.models import Endpoint, Message, MessageState
from workspace.delivery.models.webhook import GONE
from workspace.http_client.allowed_networks import webhook_guard
from workspace.http_client.ssrf_guard import NonPublicAddressError
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.lib.web_address import clean_web_address
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_function import compile_once

KIND = "webhook"
TEST_EVENT = "webhook.test"
MAX_ENDPOINTS = 20  # endpoints of one account, not counting those of single items
MAX_BODY_LENGTH = 512 * 1024  # characters
PAGE_PATH = "/app/account/webhooks"

# set after each commit of a message; the worker waits for it
wake_event = threading.Event()


@dataclass(frozen=True, slots=True)
class Event:
    """A kind of event.

    `title` is its name in the plural, `about` describes when it is sent, and `product` is the product whose plan must
    include webhooks.
    """

    name: str
    title: str
    about: str
    product: str


_events: dict[str, Event] = {}


def register_event(event: Event) -> Event:
    """Register an event. Products list their events in their manifest."""
    _events[event.name] = event
    return event


def list_events() -> list[Event]:
    """Return all events, sorted by name."""
    return sorted(_events.values(), key=lambda one: one.name)


def is_in_plan(account: Account, product: str) -> bool:
    """Return whether the account's plan for a product includes webhooks."""
    return bool(getattr(account.limits(product), "webhooks", False))


def check_plan(account: Account, product: str) -> None:
    """Raise OperationNotAllowedError if the plan has no webhooks."""
    if not is_in_plan(account, product):
        title = plans.PRODUCTS[product].title
        raise OperationNotAllowedError(
            messages.NO_WEBHOOKS(
                product=title, way_out=account.with_upgrade_hint(product, "leave the webhook address empty")
            )
        )


def emit_event(account: Account, event: str, data: Mapping[str, Any], *, item_id: str = "") -> int:
    """Queue an event in the caller's transaction. Return how many endpoints get it.

    They are the endpoint of the item with the id `item_id` and the endpoints of the whole account. `data` must be valid
    JSON data. Raise ValueError for an unregistered event.
    """
    known = _events.get(event)
    if known is None:
        raise ValueError(f"The event {event!r} is not registered")
    found = [one for one in _endpoints_of.fetch(account, item_id) if one.accepts(event)]
    if not found or not is_in_plan(account, known.product):
        return 0
    body = build_body(event, data)
    with outbox.join_transaction():
        for endpoint in found:
            push_message(endpoint, event, body)
    return len(found)


@compile_once
def _endpoints_of(account: Account, item_id: str) -> QuerySet[Endpoint]:
    return account.endpoints.filter(item_id__in=["", item_id])


def build_body(event: str, data: Mapping[str, Any]) -> str:
    """Build the body of an event that happens now. Raise ValueError if it is too large."""
    content = {"type": event, "timestamp": clock.to_iso(clock.now()), "data": data}
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(body) > MAX_BODY_LENGTH:
        raise ValueError(f"The body of a webhook can be at most {MAX_BODY_LENGTH} characters long")
    return body


def push_message(endpoint: Endpoint, event: str, body: str) -> Message:
    """Queue a message for one endpoint."""
    message = Message.objects.create(account_id=endpoint.account_id, endpoint=endpoint, event=event, body=body)
    queue_message(message)
    return message


def queue_message(message: Message) -> None:
    # the key contains the number of attempts, so that a delivered message can be sent again
    """Queue a message, even if it has been sent before."""
    key = f"{dedupe_prefix(message.endpoint)}:{message.pk}:{message.attempts}"
    outbox.put(KIND, {"message": message.pk}, account=message.endpoint.account, dedupe=key)


def send_test(endpoint: Endpoint) -> Message:
    """Send a test event."""
    _check_active(endpoint)
    return push_message(
        endpoint, TEST_EVENT, build_body(TEST_EVENT, {"message": "This is a test. Your webhook works."})
    )


def resend(message: Message) -> None:
    """Send a message again immediately, with the full number of attempts."""
    _check_active(message.endpoint)
    outbox.withdraw(f"{dedupe_prefix(message.endpoint)}:{message.pk}")
    message.state, message.next_at = MessageState.WAITING, None
    message.save(update_fields=["state", "next_at"])
    queue_message(message)


def stop_deliveries(endpoint: Endpoint) -> None:
    """Stop all messages that are still queued for this endpoint."""
    outbox.withdraw(dedupe_prefix(endpoint))
    endpoint.messages.filter(state=MessageState.WAITING).update(state=MessageState.STOPPED, next_at=None)


def remove_endpoint(endpoint: Endpoint) -> None:
    """Delete an endpoint and withdraw its unsent messages."""
    outbox.withdraw(dedupe_prefix(endpoint))
    journal.delete_rows(endpoint)


def set_item_endpoint(account: Account, thing_id: str, url: str) -> Endpoint | None:
    """Set the URL of an item's webhook by creating, updating or removing its endpoint.

    `url` must have passed `clean_url`. An empty URL removes the endpoint. The `edit` tools of products with webhooks
    call this.
    """
    endpoint = account.endpoints.filter(item_id=thing_id).first() if thing_id else None
    if not url:
        if endpoint is not None:
            remove_endpoint(endpoint)
        return None
    if endpoint is None:
        return Endpoint.open(account, url, thing_id=thing_id)
    if endpoint.url != url:
        update_endpoint(endpoint, url=url)
    return endpoint


def change_item_webhook(account: Account, product: str, thing_id: str, url: str | None) -> str:
    """Set an item's webhook. Return a sentence for the answer if an address was replaced or removed.

    None changes nothing. Raise OperationNotAllowedError if the plan has no webhooks.
    """
    if url is None:
        return ""
    if url:
        check_plan(account, product)
    former = item_endpoint_url(account, thing_id)
    set_item_endpoint(account, thing_id, url)
    if former in ("", url):
        return ""
    what = f"replaced by {escape_markdown(url)}" if url else "removed"
    return f"The webhook {escape_markdown(former)} was {what}. It no longer receives anything about this {product}"


def update_endpoint(endpoint: Endpoint, **fields: Any) -> None:
    """Change `url`, `events` or `live`.

    Messages that are waiting to be sent to the old URL are not sent to the new one. A disabled endpoint is enabled
    again.
    """
    before = journal.update_row(endpoint, **fields)
    if "url" in before or (before and not endpoint.live):
        stop_deliveries(endpoint)
    if ("url" in before or fields.get("live")) and endpoint.disabled:
        journal.update_row(endpoint, disabled="", failing_since=None, failed_at=None)


def item_endpoint_url(account: Account, thing_id: str) -> str:
    """Return the URL that receives an item's events, or "" if there is none."""
    return account.endpoints.filter(item_id=thing_id).values_list("url", flat=True).first() or ""


def clean_url(url: str) -> str:
    """Return a URL in its stored form. Its host name is resolved only when a request is sent.

    Raise ValueError if it may not be called.
    """
    address = clean_web_address(url)
    try:
        webhook_guard().check_url(address)
    except NonPublicAddressError as problem:
        raise ValueError(str(problem)) from None
    if address.startswith("http:") and not settings.WEBHOOK_NETWORKS:
        raise ValueError(messages.HTTPS_WEBHOOK_NEEDED)
    return address


def disable_endpoint(endpoint: Endpoint, reason: str) -> None:
    """Disable an endpoint and email the owner, in the caller's transaction."""
    if endpoint.disabled:
        return
    endpoint.disabled = reason
    endpoint.save(update_fields=["disabled"])
    stop_deliveries(endpoint)
    given: dict[str, Any] = {"endpoint": endpoint, "page": settings.BASE_URL + PAGE_PATH}
    given["notices_url"] = notifications.settings_url()
    template = "owner/webhook_gone" if reason == GONE else "owner/webhook_failing"
    mail.send(template, endpoint.account.owner.email, given, account=endpoint.account)


def check_events(names: list[str]) -> list[str]:
    """Return the names, sorted and without duplicates. Raise InvalidInputError for an unknown event."""
    known = ", ".join(one.name for one in list_events())
    message = messages.UNKNOWN_EVENT(events=known) if known else messages.NO_EVENTS
    wrong = [(f"events.{place}", message) for place, one in enumerate(names)]
    if wrong := [fault for fault, one in zip(wrong, names, strict=True) if one not in _events]:
        raise InvalidInputError.from_pairs(wrong)
    return sorted(set(names))


encryption.register_encrypted_columns(Endpoint, secret="webhook.secret", previous_secret="webhook.secret")


def dedupe_prefix(endpoint: Endpoint) -> str:
    """Return the common prefix of the dedupe keys of an endpoint's deliveries."""
    return f"hook:{endpoint.pk}"


def _check_active(endpoint: Endpoint) -> None:
    if not endpoint.is_active:
        raise OperationNotAllowedError(messages.WEBHOOK_IS_OFF)
