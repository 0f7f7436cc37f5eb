"""The webhook of the administrator's payment provider."""

from __future__ import annotations

import json

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.views.decorators.csrf import csrf_exempt

from workspace.billing import stripe
from workspace.billing.models import BillingEvent
from workspace.billing.provider_jobs import enqueue_job
from workspace.lib import clock
from workspace.lib.strict_json import ensure_storable
from workspace.payments import stripe_signature
from workspace.payments.stripe_client import get_id
from workspace.storage.database.transactions import write_transaction

_MAX_ID_LENGTH = 100


@csrf_exempt
def receive_event(request: HttpRequest) -> HttpResponse:
    """Record an event once and enqueue a status sync. Return 400 if the provider has not signed it."""
    secret = settings.STRIPE_WEBHOOK_SECRET
    if not secret or not settings.STRIPE_KEY:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    if not stripe_signature.verify_event(
        request.body, request.headers.get("Stripe-Signature", ""), secret, clock.now()
    ):
        return _rejected_response()
    try:
        event = json.loads(request.body)
        id, kind, subject = (
            ensure_storable(str(event["id"])[:_MAX_ID_LENGTH]),
            str(event["type"])[:60],
            event["data"]["object"],
        )
        what, which = _parse_subject(subject)
        ensure_storable(which)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return _rejected_response()
    if bool(event.get("livemode")) == stripe.is_live_key() and kind in stripe.WEBHOOK_EVENTS:
        _handle_event(id, kind, what, which)
    return HttpResponse("ok\n", content_type="text/plain")


def _rejected_response() -> HttpResponse:
    return HttpResponse("Not signed by the provider, or not now\n", status=400, content_type="text/plain")


def _parse_subject(data: dict[str, object]) -> tuple[str, str]:
    """Return the type and id of the object to sync. Nothing else of the event is read, so its shape does not matter."""
    kind = data["object"]
    if kind == "checkout.session":
        return "session", str(data["id"])[:_MAX_ID_LENGTH]
    if kind in ("subscription", "invoice"):
        return str(kind), str(data["id"])[:_MAX_ID_LENGTH]
    if kind in ("charge", "dispute"):
        return "payment", get_id(data.get("payment_intent"))[:_MAX_ID_LENGTH]
    return "", ""


def _handle_event(id: str, kind: str, event_type: str, subject_id: str) -> None:
    with write_transaction():
        try:
            with transaction.atomic():
                BillingEvent.objects.create(pk=id, kind=kind)
        except IntegrityError:
            return
        if event_type and subject_id:
            enqueue_job(event_type, subject_id, dedupe_key=id)
