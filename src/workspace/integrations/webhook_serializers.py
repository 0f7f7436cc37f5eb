"""Serialization of webhooks and their deliveries as data and text."""

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
    """A webhook.

    `page` is the page that shows its secret once, and on which the webhook is managed.
    """

    webhook_id: str
    thing_id: str
    thing: Annotated[str, Field(description="Title of its form or waiver. Empty for a webhook of the whole account.")]
    url: str
    events: Annotated[list[str], Field(description="Kinds of events that are sent. Empty for all.")]
    state: Annotated[
        str, Field(description="on, off, removed, or gone or failing if it was disabled because of an error.")
    ]
    failing_since: str | None
    page: str


class DeliveryData(TypedDict):
    id: Annotated[str, Field(description="webhook-id header that was sent to the receiver.")]
    webhook_id: str
    event: str
    state: Annotated[str, Field(description="waiting, delivered, failed or stopped.")]
    tries: int
    status: Annotated[int | None, Field(description="HTTP status of the last response.")]
    problem: str
    at: str
    tried_at: str | None
    next_at: Annotated[str | None, Field(description="Time of the next attempt.")]


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
    why = {
        GONE: ", disabled because its URL responded with 410 Gone",
        FAILING: ", disabled after failing for five days",
    }
    since = f", failing since {row['failing_since']}" if row["failing_since"] else ""
    return f"{row['state']}{why.get(row['state'], '')}{since}"


def format_webhook(row: WebhookSummary) -> str:
    scope = f"{escape_markdown(row['thing'])} (`{row['thing_id']}`)" if row["thing_id"] else "the whole account"
    events = ", ".join(row["events"]) or "all events"
    text = f"{escape_markdown(row['url'])}: {describe_state(row)}, for {scope}, {events}"
    return f"{text}, `{row['webhook_id']}`, see {row['page']}"


def format_delivery(row: DeliveryData) -> str:
    parts = [
        f"**{row['event']}** {row['state']}, {row['tries']} {'try' if row['tries'] == 1 else 'tries'}",
        f"response {row['status']}" if row["status"] else "",
        escape_markdown(row["problem"]),
        f"created at {row['at']}",
        f"tried at {row['tried_at']}" if row["tried_at"] else "",
        f"next at {row['next_at']}" if row["next_at"] else "",
        f"`{row['id']}` to `{row['webhook_id']}`",
    ]
    return ", ".join(part for part in parts if part)
