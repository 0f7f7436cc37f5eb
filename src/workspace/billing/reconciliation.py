"""Asking for what nobody told of: the address of events may be wrong, or this machine was off."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db.models import Q

from workspace.billing import free_months, status_sync
from workspace.billing.models import InviteMail, InviteMonth, Invoice, Purchase, Subscription
from workspace.billing.models.invite import BANKED, RETURNING, SENDING
from workspace.billing.models.plan import OVER
from workspace.billing.models.purchase import OPEN, PROCESSING
from workspace.delivery.models import Chore
from workspace.lib import clock
from workspace.payments.provider import KeyRefused, ProviderTrouble, Unreachable
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import run_rows

logger = logging.getLogger(__name__)

NIGHTLY, A_NIGHT = "billing.fetch_all", 24 * 3600.0
SOON, LATER, FRESH, SLOWEST = timedelta(minutes=10), timedelta(hours=1), timedelta(hours=2), timedelta(days=60)
REFUNDED_WITHIN = timedelta(days=60)  # invoices that are looked at again
MAILS_KEPT = timedelta(days=30)
MOST = 200


def sweep() -> None:
    """Every few minutes: checkouts that are open, and all else once a night."""
    if not settings.STRIPE_KEY:
        return
    now = clock.now()
    fresh = Q(created_at__gt=now - FRESH) & (Q(asked_at=None) | Q(asked_at__lt=now - SOON))
    older = Q(asked_at=None) | Q(asked_at__lt=now - LATER)
    begun = Purchase.objects.filter(state__in=(OPEN, PROCESSING), created_at__range=(now - SLOWEST, now - SOON))
    found = list(begun.filter(fresh | older).order_by("asked_at", "id").values_list("pk", flat=True)[:MOST])
    if not _each("billing.fetch_purchases", status_sync.purchase, found):
        return
    if Chore.take(NIGHTLY, A_NIGHT):
        nightly()
        Chore.settle(NIGHTLY, A_NIGHT)


def nightly() -> None:
    """Every subscription that is not over is asked for, with the invoices of the last weeks and free months on their
    way."""
    open_ones = Subscription.objects.exclude(status__in=OVER).values_list("pk", flat=True)
    waiting = InviteMonth.objects.filter(state__in=(BANKED, SENDING, RETURNING)).values_list("pk", flat=True)
    paid = Invoice.objects.filter(paid_at__gt=clock.now() - REFUNDED_WITHIN).values_list("pk", flat=True)
    for name, work, ids in (
        ("billing.fetch_subscriptions", status_sync.subscription, open_ones),
        ("billing.fetch_invoices", status_sync.invoice, paid),
        ("billing.settle_invite_months", free_months.settle, waiting),
    ):
        if not _each(name, work, list(ids)):
            return


def _each(name: str, work: Callable[[str], object], ids: list[str]) -> bool:
    """False where the provider is away: what is left is asked for another time."""
    away: list[Exception] = []

    def ask(id: str) -> None:
        try:
            work(id)
        except (Unreachable, KeyRefused) as problem:
            logger.warning("What accounts pay could not be asked for: %s", problem)
            away.append(problem)
        except ProviderTrouble as trouble:
            logger.warning("%s could not be asked for: %s", id, trouble)

    run_rows(name, ids, ask, until=lambda: bool(away))
    return not away


def forget() -> None:
    """Of whom owners have invited by mail nothing is kept behind 30 days."""
    with writing():
        InviteMail.objects.filter(sent_at__lt=clock.now() - MAILS_KEPT).delete()
