"""Tools for webhooks: set up, log and resend.

Secrets are shown to people once and never by a tool, because anyone who has one can impersonate this service.
"""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import QuerySet
from pydantic import AfterValidator, Field, StringConstraints

from workspace.accounts import permissions
from workspace.accounts.models import Account
from workspace.accounts.product_scope import WEBHOOKS
from workspace.delivery import webhooks
from workspace.delivery.models import Endpoint, Message
from workspace.delivery.models.webhook import MAX_URL_LENGTH
from workspace.integrations import messages
from workspace.integrations.webhook_serializers import (
    DeliveryData,
    WebhookSummary,
    delivery_data,
    describe_state,
    format_delivery,
    format_webhook,
    list_webhook_summaries,
)
from workspace.lib.errors import ForbiddenError, InvalidInputError, NotFoundError, OperationNotAllowedError
from workspace.lib.text import escape_markdown
from workspace.publishing import items as publishing_items
from workspace.storage import journal
from workspace.tools.answer import Answer, Page, format_bullets, format_fact_list, listing_answer
from workspace.tools.argument_types import AnyItem, Id, Limit, Offset
from workspace.tools.tool import Toolbox

MAX_WEBHOOKS = 200  # in an answer
SENT_NOTE = "Sent deliveries can't be recalled"
ROTATED_NOTE = "A rotated secret can't be restored"
box = Toolbox(WEBHOOKS, "Webhooks")


def _validate_url(text: str) -> str:
    return webhooks.clean_url(text) if text else ""


# An empty string removes the webhook.
WebhookUrl = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=MAX_URL_LENGTH),
    AfterValidator(_validate_url),
    Field(description="HTTPS URL that receives each event. An empty string removes the webhook."),
]
WebhookId = Annotated[Id, Field(description="Webhook ID, from svc_webhooks_log. Takes precedence over thing.")]
OfItem = Annotated[
    AnyItem, Field(description="Form or waiver of the webhook: ID, slug or public URL. Omit it for the whole account.")
]
EventNames = Annotated[
    list[Annotated[str, Field(max_length=40)]],
    Field(max_length=40, description="Kinds of events to send. An empty list sends all."),
]
DeliveryId = Annotated[Id, Field(description="ID of the delivery to resend, from svc_webhooks_log.")]
On = Annotated[bool, Field(description="Whether the webhook is active. Set false to pause it.")]
RotateSecret = Annotated[
    bool,
    Field(
        description=(
            "Whether to create a new secret. Deliveries are also signed with the old one for 24 hours. Defaults to "
            "false."
        )
    ),
]
Send = Annotated[Literal["test", "again"], Field(description="Action: send a test event, or resend a delivery.")]


class WebhookLog(Page):
    items: list[DeliveryData]
    webhooks: list[WebhookSummary]


class WebhookDetail(WebhookSummary):
    """A webhook with its deliveries.

    `sent` lists the messages that this call has queued.
    """

    sent: DeliveryData | None


@box.tool(
    "svc_webhooks_log",
    title="List webhooks and deliveries",
    about="List webhooks and their deliveries, newest first, with the receiver's response and the time of the next "
    "retry. The last 200 deliveries of each webhook are kept for 30 days.",
    short="List webhooks with their deliveries and failures.",
    synonyms="webhook history, failed webhook, delivery log, retries, integration errors, fehlgeschlagene "
    "webhooks, webhook protokoll, webhooks fallidos, registro de webhooks",
    reads=True,
    columns="event state tries status at",
)
def log(
    account: Account,
    thing: OfItem | None = None,
    webhook_id: WebhookId | None = None,
    limit: Limit = 50,
    offset: Offset = 0,
) -> Answer[WebhookLog]:
    pushed: QuerySet[Message] = _visible_messages(account).defer("body").order_by("-id")
    if webhook_id is not None or thing is not None:
        one = _get_endpoint(account, webhook_id) if webhook_id is not None else _find_endpoint_for(account, thing or "")
        endpoints = [one] if one is not None else []
        pushed = one.messages.defer("body").order_by("-id") if one is not None else pushed.none()
    else:
        endpoints = list(_visible_endpoints(account).order_by("-id")[:MAX_WEBHOOKS])
    rows = [delivery_data(one) for one in pushed[offset : offset + limit]]
    shown = list_webhook_summaries(account, endpoints)
    answer = listing_answer(rows, total=pushed.count(), offset=offset, noun="deliveries", line=format_delivery)
    head = "Your webhooks:" if shown else "No webhooks yet. Create one with svc_webhooks_edit."
    text = "\n".join([head, *format_bullets(shown, format_webhook), "", answer.text])
    return Answer({**answer.data, "webhooks": shown}, text)


@box.tool(
    "svc_webhooks_edit",
    title="Create, update or test a webhook",
    about="Create, update or remove a webhook for a form, a waiver or the whole account. You can also rotate its "
    "secret, send a test event or resend a delivery. The owner sees the secret once, on the webhook's page. "
    "Signatures follow standardwebhooks.com.",
    short="Create, update, remove or test a webhook, or resend a delivery.",
    synonyms="zapier, make.com, n8n, automation, callback url, push events, integration, resend, einrichten, "
    "automatisierung, schnittstelle, configurar webhook, automatización, integración",
    sends=True,
)
def edit(
    account: Account,
    thing: OfItem | None = None,
    webhook_id: WebhookId | None = None,
    url: WebhookUrl | None = None,
    events: EventNames | None = None,
    live: On | None = None,
    rotate_secret: RotateSecret = False,
    send: Send | None = None,
    delivery_id: DeliveryId | None = None,
) -> Answer[WebhookDetail]:
    if (send == "again") != (delivery_id is not None):
        raise InvalidInputError.at_path("delivery_id", messages.SEND_AGAIN_NEEDED)
    again = _get_message(account, delivery_id) if delivery_id is not None else None
    endpoint = again.endpoint if again is not None else _find_webhook(account, thing, webhook_id, url)
    wanted = webhooks.check_events(events) if events is not None else None
    if url == "":
        if endpoint is not None:
            return _remove_webhook(account, endpoint)
        raise NotFoundError(messages.NOTHING_TO_REMOVE)
    if endpoint is None:
        endpoint = _create_webhook(account, thing, url or "")
    elif url is not None:
        _check_plan(account, endpoint.item_id)
    fields = {"url": url, "events": wanted, "live": live}
    webhooks.update_endpoint(endpoint, **{name: value for name, value in fields.items() if value is not None})
    if rotate_secret:
        endpoint.rotate_secret()
        journal.mark_irreversible(ROTATED_NOTE)
    if again is not None:
        again.endpoint = endpoint
        webhooks.resend(again)
    sent = again or (webhooks.send_test(endpoint) if send == "test" else None)
    if sent is not None:
        journal.mark_irreversible(SENT_NOTE)
    return _webhook_answer(account, endpoint, delivery_data(sent) if sent else None)


def _remove_webhook(account: Account, endpoint: Endpoint) -> Answer[WebhookDetail]:
    row = list_webhook_summaries(account, [endpoint])[0]
    webhooks.remove_endpoint(endpoint)
    row["state"] = "removed"
    return Answer({**row, "sent": None}, f"Webhook removed. Pending deliveries were discarded: {format_webhook(row)}")


def _webhook_answer(account: Account, endpoint: Endpoint, delivery: DeliveryData | None) -> Answer[WebhookDetail]:
    row = list_webhook_summaries(account, [endpoint])[0]
    pairs = {
        "webhook": f"`{row['webhook_id']}`",
        "for": f"{escape_markdown(row['thing'])} (`{row['thing_id']}`)" if row["thing_id"] else "the whole account",
        "events": ", ".join(row["events"]) or "all",
        "state": describe_state(row),
        "secret": f"shown once to the owner at {row['page']}",
        "sent": format_delivery(delivery) if delivery else None,
    }
    data: WebhookDetail = {**row, "sent": delivery}
    return Answer(data, format_fact_list(escape_markdown(row["url"]), pairs))


def _find_webhook(account: Account, item_id: str | None, webhook_id: str | None, url: str | None) -> Endpoint | None:
    """Return the webhook that the arguments refer to, or None if a new one should be created."""
    if webhook_id is not None:
        return _get_endpoint(account, webhook_id)
    found = _find_endpoint_for(account, item_id) if item_id is not None else None
    if found is not None and url and url != found.url:
        raise InvalidInputError.at_path(
            "url",
            messages.WEBHOOK_EXISTS(id=found.pk, url=escape_markdown(found.url)),
        )
    if found is None and not url:
        raise InvalidInputError.at_path("url", messages.URL_NEEDED)
    return found


def _create_webhook(account: Account, item_id: str | None, url: str) -> Endpoint:
    thing_id = publishing_items.get_item(account, item_id).id if item_id is not None else ""
    if not thing_id and not permissions.is_permitted(permissions.WHOLE_ACCOUNT, writes=True):
        raise ForbiddenError(messages.WHOLE_ACCOUNT_NEEDED)
    _check_plan(account, thing_id)
    if not thing_id and account.endpoints.filter(item_id="").count() >= webhooks.MAX_ENDPOINTS:
        raise OperationNotAllowedError(messages.WEBHOOK_LIMIT(most=webhooks.MAX_ENDPOINTS))
    return Endpoint.open(account, url, thing_id=thing_id)


def _check_plan(account: Account, thing_id: str) -> None:
    products = {one.product for one in webhooks.list_events()}
    if thing_id:
        found = publishing_items.get_item(account, thing_id)
        if found.kind not in products:
            values = {"item": publishing_items.with_article(found.noun), "products": ", ".join(sorted(products))}
            raise InvalidInputError.at_path("thing", messages.NO_EVENTS(**values))
        webhooks.check_plan(account, found.kind)
    elif products and not any(webhooks.is_in_plan(account, product) for product in products):
        webhooks.check_plan(account, min(products))


def _visible_endpoints(account: Account) -> QuerySet[Endpoint]:
    """Return the webhooks that the caller may access.

    Webhooks of the whole account require access to the whole account.
    """
    found = account.endpoints.all()
    return found if permissions.is_permitted(permissions.WHOLE_ACCOUNT) else found.exclude(item_id="")


def _visible_messages(account: Account) -> QuerySet[Message]:
    found = account.webhook_messages.all()
    return found if permissions.is_permitted(permissions.WHOLE_ACCOUNT) else found.exclude(endpoint__item_id="")


def _get_endpoint(account: Account, id: str) -> Endpoint:
    found = _visible_endpoints(account).filter(pk=id).first()
    if found is None:
        raise NotFoundError(messages.WEBHOOK_NOT_FOUND)
    return found


def _find_endpoint_for(account: Account, item_id: str) -> Endpoint | None:
    return account.endpoints.filter(item_id=publishing_items.get_item(account, item_id).id).first()


def _get_message(account: Account, id: str) -> Message:
    found = _visible_messages(account).filter(pk=id).select_related("endpoint").first()
    if found is None:
        raise NotFoundError(messages.DELIVERY_NOT_FOUND)
    return found
