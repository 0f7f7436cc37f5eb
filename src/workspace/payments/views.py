"""Where a provider tells of payments, and where payers come back from it."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.views.decorators.csrf import csrf_exempt

from workspace.lib import clock
from workspace.lib.errors import Refusal
from workspace.payments.checkout import follow_soon
from workspace.payments.models import Connection, Payment, ProviderEvent
from workspace.payments.provider import EXPIRED, FAILED, PAID, NotGenuine, ProviderTrouble, Told
from workspace.payments.status_sync import follow
from workspace.payments.stripe import provider
from workspace.storage.database.transactions import writing

logger = logging.getLogger(__name__)

ASKED_EVERY = timedelta(seconds=3)  # for who reloads the address that they came back to
HEARD_EVERY = timedelta(minutes=1)


@csrf_exempt
def event(request: HttpRequest, name: str, token: str) -> HttpResponse:
    """Keeps that something was told, and has it asked for. 400 for what the provider has not signed."""
    connection = Connection.objects.select_related("account").filter(provider=name, token=token).first()
    if connection is None or not connection.hook_secret:
        raise Http404
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    header = request.headers.get("Stripe-Signature", "")
    try:
        told = provider(name).read(request.body, header, connection.signing_secret, clock.now())
    except NotGenuine:
        return HttpResponse("Not signed by the provider, or not now\n", status=400, content_type="text/plain")
    if told.live == connection.live:
        _take(connection, told)
    return HttpResponse("ok\n", content_type="text/plain")


def _take(connection: Connection, told: Told) -> None:
    with writing():
        if not ProviderEvent.is_new(connection.account_id, told.id, told.kind):
            return
        if connection.heard_at is None or connection.heard_at < clock.now() - HEARD_EVERY:
            Connection.objects.filter(pk=connection.pk).update(heard_at=clock.now())
        by = [Q(**{name: value}) for name, value in _names(told).items() if value]
        mine = connection.account.payments.filter(live=connection.live)
        payment = next((found for one in by if (found := mine.filter(one).first())), None)
        if payment is not None:  # else the account sells elsewhere, too
            follow_soon(payment, f"event:{told.id}")


def _names(told: Told) -> dict[str, str]:
    return {"pk": told.reference, "session": told.session, "intent": told.intent}


def done(request: HttpRequest, id: str) -> HttpResponse:
    """Back from the provider's page: how it stands is asked before the payer is led on, if that takes seconds only."""
    payment = _payment(request, id)
    now = clock.now()
    is_known = payment.state in (PAID, FAILED, EXPIRED)
    if not is_known and (payment.returned_at is None or payment.returned_at < now - ASKED_EVERY):
        with writing(relaxed=True):
            Payment.objects.filter(pk=payment.pk).update(returned_at=now)
        try:
            follow(payment.pk, in_request=True)
        except (ProviderTrouble, Refusal):
            follow_soon(payment, "back")
    return _on(payment)


def left(request: HttpRequest, id: str) -> HttpResponse:
    """Back without having paid."""
    return _on(_payment(request, id))


def _payment(request: HttpRequest, id: str) -> Payment:
    found = Payment.objects.filter(pk=id).first()
    if found is None or request.method not in ("GET", "HEAD"):
        raise Http404
    return found


def _on(payment: Payment) -> HttpResponse:
    response = HttpResponseRedirect(payment.back)
    response.headers["Cache-Control"] = "no-store"
    return response
