"""The webhook of the administrator's payment provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.views.decorators.csrf import csrf_exempt

from workspace.billing import stripe
from workspace.billing.models import BillingEvent
from workspace.billing.outbox import enqueue_request
from workspace.lib import clock
from workspace.lib.strict_json import ensure_storable
from workspace.payment_clients.errors import SignatureError
from workspace.payment_clients.stripe.client import get_id
from workspace.payment_clients.stripe.events import MAX_ID_LENGTH, StripeEvent, parse_signed_event
from workspace.storage.database.transactions import write_transaction


@csrf_exempt
def receive_event(request: HttpRequest) -> HttpResponse:
    """Record an event once and enqueue a status sync. Return 400 if it is not signed by the provider."""
    secret = settings.STRIPE_WEBHOOK_SECRET
    if not secret or not settings.STRIPE_KEY:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        event = parse_signed_event(request.body, request.headers, secret, clock.now())
        what, which = _parse_subject(event.subject)
        ensure_storable(which)
    except (SignatureError, ValueError, KeyError):
        return _rejected_response()
    if event.live == stripe.is_live_key() and event.kind in stripe.WEBHOOK_EVENTS:
        _handle_event(event, what, which)
    return HttpResponse("ok\n", content_type="text/plain")


def _rejected_response() -> HttpResponse:
    return HttpResponse("The signature is missing, invalid or expired\n", status=400, content_type="text/plain")


def _parse_subject(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the type and id of the object to sync.

    Nothing else in the event is read, so its format does not matter.
    """
    kind = data["object"]
    if kind == "checkout.session":
        return "session", str(data["id"])[:MAX_ID_LENGTH]
    if kind in ("subscription", "invoice"):
        return str(kind), str(data["id"])[:MAX_ID_LENGTH]
    if kind in ("charge", "dispute"):
        return "payment", get_id(data.get("payment_intent"))[:MAX_ID_LENGTH]
    return "", ""


def _handle_event(event: StripeEvent, subject_kind: str, subject_id: str) -> None:
    with write_transaction():
        try:
            with transaction.atomic():
                BillingEvent.objects.create(pk=event.id, kind=event.kind)
        except IntegrityError:
            return
        if subject_kind and subject_id:
            enqueue_request(subject_kind, subject_id, dedupe_key=event.id)
