"""Webhooks of payment providers, and the pages that payers return to."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt

from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payment_clients.errors import ProviderError, SignatureError
from workspace.payments.checkout import enqueue_sync
from workspace.payments.models import Connection, Payment, ProviderEvent
from workspace.payments.provider import EXPIRED, FAILED, PAID, WebhookEvent
from workspace.payments.provider_registry import get_provider
from workspace.payments.status_sync import sync_payment
from workspace.storage.database.transactions import write_transaction

logger = logging.getLogger(__name__)

SYNC_INTERVAL = timedelta(seconds=3)  # minimum interval for a payer who reloads the return page
EVENT_RECORD_INTERVAL = timedelta(minutes=1)


@csrf_exempt
def receive_event(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Record an event and enqueue a status sync. Return 400 if the provider has not signed it."""
    connection = Connection.objects.select_related("account").filter(provider=name, token=token).first()
    if connection is None or not connection.webhook_secret:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    try:
        event = get_provider(name).parse_event(request.body, request.headers, connection.signing_secret, clock.now())
    except SignatureError:
        return HttpResponse("The signature is missing, invalid or too old\n", status=400, content_type="text/plain")
    if event.live == connection.live:
        _handle_event(connection, event)
    return HttpResponse("ok\n", content_type="text/plain")


def _handle_event(connection: Connection, event: WebhookEvent) -> None:
    with write_transaction():
        if not ProviderEvent.record_if_new(connection.account_id, event.id, event.kind):
            return
        if connection.last_event_at is None or connection.last_event_at < clock.now() - EVENT_RECORD_INTERVAL:
            Connection.objects.filter(pk=connection.pk).update(last_event_at=clock.now())
        by = [Q(**{name: value}) for name, value in _payment_filters(event).items() if value]
        payment = next((found for one in by if (found := connection.payments.filter(one).first())), None)
        if payment is not None:  # otherwise it is about another sale of the same provider account
            enqueue_sync(payment, f"event:{event.id}")


def _payment_filters(event: WebhookEvent) -> dict[str, str]:
    return {"pk": event.reference, "session": event.session, "payment_intent": event.intent}


def checkout_done(request: HttpRequest, id: str) -> HttpResponse:
    """Update the payment's state before the payer is redirected, if that takes only seconds."""
    payment = _get_payment(request, id)
    now = clock.now()
    is_known = payment.state in (PAID, FAILED, EXPIRED)
    if not is_known and (payment.returned_at is None or payment.returned_at < now - SYNC_INTERVAL):
        with write_transaction(relaxed=True):
            Payment.objects.filter(pk=payment.pk).update(returned_at=now)
        try:
            sync_payment(payment.pk, in_request=True)
        except (ProviderError, ToolError):
            enqueue_sync(payment, "back")
    return _redirect_back(payment)


def checkout_cancelled(request: HttpRequest, id: str) -> HttpResponse:
    """Redirect a payer who returns without having paid."""
    return _redirect_back(_get_payment(request, id))


def _get_payment(request: HttpRequest, id: str) -> Payment:
    found = Payment.objects.filter(pk=id).first()
    if found is None or request.method not in ("GET", "HEAD"):
        raise Http404
    return found


def _redirect_back(payment: Payment) -> HttpResponse:
    response = HttpResponseRedirect(payment.return_url)
    response.headers["Cache-Control"] = "no-store"
    return response
