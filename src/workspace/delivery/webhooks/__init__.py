"""Webhooks: what happens in an account is pushed to addresses that its owner names, as Standard Webhooks says
(https://www.standardwebhooks.com): the body is `{type, timestamp, data}`, signed with a secret of the endpoint's own.

    ANSWERED = Event("form.response", "Answers", "Somebody answered a form", product="form")   # in a manifest's events

    emit(account, ANSWERED.name, {"form_id": form.pk, …}, thing=form.pk)   # in the transaction that keeps the answer

Nothing leaves in that transaction: it is written to the outbox, and `hook_lane` sends it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from workspace.accounts import plans
from workspace.accounts.models import Account
from workspace.delivery import mail, notifications, outbox
from workspace.delivery.models import Endpoint, Message, MessageState
from workspace.delivery.models.webhook import GONE
from workspace.http_client.allowed_networks import guard
from workspace.http_client.ssrf_guard import NotPublic
from workspace.lib import clock
from workspace.lib.errors import InvalidInput, ToolError
from workspace.lib.text import escape_markdown
from workspace.lib.web_address import clean_web_address
from workspace.storage import encryption, journal

KIND = "webhook"
TEST = "webhook.test"
MOST = 20  # endpoints of one account that are no thing's
LARGEST = 512 * 1024  # characters of one body
PAGE = "/app/account/webhooks"

# set after each commit of a message; the lane waits on it
wake = threading.Event()


@dataclass(frozen=True, slots=True)
class Event:
    """`title` is what comes, in the plural; `about` says when; `product` whose plan has to have it."""

    name: str
    title: str
    about: str
    product: str


_events: dict[str, Event] = {}


def register(event: Event) -> Event:
    """Products name theirs in their manifest."""
    _events[event.name] = event
    return event


def events() -> list[Event]:
    """All that there are, by name."""
    return sorted(_events.values(), key=lambda one: one.name)


def has_room(account: Account, product: str) -> bool:
    """Whether the account's plan of a product pushes its events: `webhooks` of its limits."""
    return bool(getattr(account.limits(product), "webhooks", False))


def check_plan(account: Account, product: str) -> None:
    """Raises ToolError where the plan has no webhooks."""
    if not has_room(account, product):
        title = plans.PRODUCTS[product].title
        raise ToolError(f"Your plan of {title} has no webhooks: {account.or_larger(product, 'go without')}")


def emit(account: Account, event: str, data: Mapping[str, Any], *, thing: str = "") -> int:
    """Push an event, in the caller's transaction, to the endpoint of the thing (its id) that it is about and to those
    of the whole account; to how many it goes. `data` is what JSON can hold. Raises ValueError for an event that nobody
    has registered."""
    known = _events.get(event)
    if known is None:
        raise ValueError(f"Nobody has registered the event {event!r}")
    found = [one for one in account.endpoints.filter(thing_id__in={"", thing}) if one.takes(event)]
    if not found or not has_room(account, known.product):
        return 0
    body = written(event, data)
    with outbox.joining():
        for endpoint in found:
            push(endpoint, event, body)
    return len(found)


def written(event: str, data: Mapping[str, Any]) -> str:
    """The body of an event that happens now. Raises ValueError where it is too large."""
    told = {"type": event, "timestamp": clock.iso(clock.now()), "data": data}
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(body) > LARGEST:
        raise ValueError(f"A webhook's body has at most {LARGEST} characters")
    return body


def push(endpoint: Endpoint, event: str, body: str) -> Message:
    """Write a message to one endpoint."""
    message = Message.objects.create(account_id=endpoint.account_id, endpoint=endpoint, event=event, body=body)
    queue(message)
    return message


def queue(message: Message) -> None:
    # the tries in the key: a message that has arrived may be sent again
    key = f"{keys_of(message.endpoint)}:{message.pk}:{message.tries}"
    outbox.put(KIND, {"message": message.pk}, account=message.endpoint.account, dedupe=key)


def test(endpoint: Endpoint) -> Message:
    """Send an event that says nothing but that it arrives."""
    _check_sends(endpoint)
    return push(endpoint, TEST, written(TEST, {"message": "This is a test: your webhook works."}))


def again(message: Message) -> None:
    """Send a message once more, now, from its first try."""
    _check_sends(message.endpoint)
    outbox.withdraw(f"{keys_of(message.endpoint)}:{message.pk}")
    message.state, message.next_at = MessageState.WAITING, None
    message.save(update_fields=["state", "next_at"])
    queue(message)


def stop(endpoint: Endpoint) -> None:
    """Nothing of what still waits goes there."""
    outbox.withdraw(keys_of(endpoint))
    endpoint.messages.filter(state=MessageState.WAITING).update(state=MessageState.STOPPED, next_at=None)


def remove(endpoint: Endpoint) -> None:
    outbox.withdraw(keys_of(endpoint))
    journal.drop(endpoint)


def point(account: Account, thing_id: str, url: str) -> Endpoint | None:
    """What an owner gave as a thing's `webhook_url` (checked by `clean`): its endpoint leads there, begins, or goes
    where the address is empty. For the `edit` of products whose events are pushed."""
    endpoint = account.endpoints.filter(thing_id=thing_id).first() if thing_id else None
    if not url:
        if endpoint is not None:
            remove(endpoint)
        return None
    if endpoint is None:
        return Endpoint.open(account, url, thing_id=thing_id)
    if endpoint.url != url:
        lead(endpoint, url=url)
    return endpoint


def change_address(account: Account, product: str, thing_id: str, url: str | None) -> str:
    """Set a thing's webhook, and return a sentence for the answer's text where an address was replaced or removed.

    None changes nothing. Raises ToolError where the plan has no webhooks.
    """
    if url is None:
        return ""
    if url:
        check_plan(account, product)
    former = url_of(account, thing_id)
    point(account, thing_id, url)
    if former in ("", url):
        return ""
    what = f"replaced by {escape_markdown(url)}" if url else "removed"
    return f"The webhook {escape_markdown(former)} was {what}. It no longer receives anything about this {product}"


def lead(endpoint: Endpoint, **fields: Any) -> None:
    """Change `url`, `events` or `live`. What waits for another address does not go to the new one; an endpoint that was
    disabled begins anew."""
    before = journal.change(endpoint, **fields)
    if "url" in before or (before and not endpoint.live):
        stop(endpoint)
    if ("url" in before or fields.get("live")) and endpoint.disabled:
        journal.change(endpoint, disabled="", failing_since=None, failed_at=None)


def url_of(account: Account, thing_id: str) -> str:
    """The address that a thing's events are pushed to; empty for none."""
    return account.endpoints.filter(thing_id=thing_id).values_list("url", flat=True).first() or ""


def clean(url: str) -> str:
    """An address that may be pushed to, as it is kept; a name is looked up when it is called. Raises ValueError."""
    address = clean_web_address(url)
    try:
        guard().judge(address)
    except NotPublic as problem:
        raise ValueError(str(problem)) from None
    if address.startswith("http:") and not settings.WEBHOOK_NETWORKS:
        raise ValueError("Give an address that begins with https://: what is pushed holds what people told you")
    return address


def disable(endpoint: Endpoint, why: str) -> None:
    """Stop sending there, and tell the owner by mail; in the caller's transaction."""
    if endpoint.disabled:
        return
    endpoint.disabled = why
    endpoint.save(update_fields=["disabled"])
    stop(endpoint)
    given: dict[str, Any] = {"endpoint": endpoint, "gone": why == GONE, "page": settings.BASE_URL + PAGE}
    given["notices_url"] = notifications.page_of_switches()
    mail.send("webhook_disabled", endpoint.account.owner.email, given, account=endpoint.account)


def check_events(names: list[str]) -> list[str]:
    """Each once, in their order. Raises InvalidInput for one that there is not."""
    known = ", ".join(one.name for one in events()) or "there are none yet"
    wrong = [(f"events.{place}", f"There is no such event: {known}") for place, one in enumerate(names)]
    if wrong := [fault for fault, one in zip(wrong, names, strict=True) if one not in _events]:
        raise InvalidInput.of(wrong)
    return sorted(set(names))


encryption.sealed_in(Endpoint, secret="webhook.secret", former_secret="webhook.secret")


def keys_of(endpoint: Endpoint) -> str:
    """How the dedupe keys of its deliveries begin."""
    return f"hook:{endpoint.pk}"


def _check_sends(endpoint: Endpoint) -> None:
    if not endpoint.sends:
        raise ToolError("This webhook is off, so nothing is sent to it: switch it on first (live: true)")
