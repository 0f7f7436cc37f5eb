"""Serialization of webhooks and their deliveries, as data and text."""

from __future__ import annotations

from typing import Annotated

from django.conf import settings
from pydantic import Field
from typing_extensions import TypedDict

from workspace.accounts.models import Account
from workspace.delivery import webhooks
from workspace.delivery.models import Endpoint, Message
from workspace.delivery.models.webhook import FAILING, GONE
from workspace.lib import clock
from workspace.lib.text import escape_markdown
from workspace.publishing import items


class WebhookSummary(TypedDict):
    """`page` shows its secret, once, and all that can be done with it."""

    webhook_id: str
    thing_id: str
    thing: Annotated[str, Field(description="The title of what it is of; empty for all of the account's")]
    url: str
    events: Annotated[list[str], Field(description="The only kinds that go there; empty for all")]
    state: Annotated[str, Field(description="on, off, removed; gone or failing where it was switched off for that")]
    failing_since: str | None
    page: str


class DeliveryData(TypedDict):
    id: Annotated[str, Field(description="The webhook-id that its receiver got")]
    webhook_id: str
    event: str
    state: Annotated[str, Field(description="waiting, delivered, failed or stopped")]
    tries: int
    status: Annotated[int | None, Field(description="Of the last answer")]
    problem: str
    at: str
    tried_at: str | None
    next_at: Annotated[str | None, Field(description="When it is tried again")]


def list_webhook_summaries(account: Account, endpoints: list[Endpoint]) -> list[WebhookSummary]:
    titles = items.get_items(account, {one.item_id for one in endpoints if one.item_id})
    return [
        {
            "webhook_id": one.pk,
            "thing_id": one.item_id,
            "thing": titles[one.item_id].title if one.item_id in titles else "",
            "url": one.url,
            "events": one.events,
            "state": one.disabled or ("on" if one.live else "off"),
            "failing_since": clock.to_iso(one.failing_since),
            "page": f"{settings.BASE_URL}{webhooks.PAGE_PATH}/{one.pk}",
        }
        for one in endpoints
    ]


def delivery_data(message: Message) -> DeliveryData:
    return {
        "id": message.pk,
        "webhook_id": message.endpoint_id,
        "event": message.event,
        "state": str(message.state),
        "tries": message.attempts,
        "status": message.status,
        "problem": message.problem,
        "at": clock.to_iso(message.created_at) or "",
        "tried_at": clock.to_iso(message.tried_at),
        "next_at": clock.to_iso(message.next_at),
    }


def describe_state(row: WebhookSummary) -> str:
    why = {GONE: ", switched off since its address answered that it is gone", FAILING: ", switched off after five days"}
    since = f", failing since {row['failing_since']}" if row["failing_since"] else ""
    return f"{row['state']}{why.get(row['state'], '')}{since}"


def format_webhook(row: WebhookSummary) -> str:
    of = f"{escape_markdown(row['thing'])} (`{row['thing_id']}`)" if row["thing_id"] else "the account"
    events = ", ".join(row["events"]) or "all events"
    text = f"{escape_markdown(row['url'])}: {describe_state(row)}, of {of}, {events}"
    return f"{text}, `{row['webhook_id']}`, see {row['page']}"


def format_delivery(row: DeliveryData) -> str:
    parts = [
        f"**{row['event']}** {row['state']}, {row['tries']} {'try' if row['tries'] == 1 else 'tries'}",
        f"answered {row['status']}" if row["status"] else "",
        escape_markdown(row["problem"]),
        f"written at {row['at']}",
        f"tried at {row['tried_at']}" if row["tried_at"] else "",
        f"next at {row['next_at']}" if row["next_at"] else "",
        f"`{row['id']}` to `{row['webhook_id']}`",
    ]
    return ", ".join(part for part in parts if part)
