"""Whether mail leaves at all. A wrong password or a certificate that has run out stops every mail, and with it signing
up: so it is remembered, in the database, where the server, its worker and the operator's command see it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Q, QuerySet

from workspace.accounts.models import Account
from workspace.delivery.mail import KIND
from workspace.delivery.models import Delivery, DeliveryState
from workspace.lib import clock
from workspace.storage.models import InstanceFact

logger = logging.getLogger(__name__)

FACT_KEY = "mail-failing"
RECENT_PERIOD = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class MailOutage:
    """`reason`: in words, for the operator; without secrets. `waiting`: mails that would leave if they could."""

    since: datetime
    reason: str
    waiting: int

    @property
    def summary(self) -> str:
        """For machines that look on: when and how much, and nothing of why."""
        return f"failing since {clock.to_iso(self.since)}, waiting {self.waiting}"


def current_outage() -> MailOutage | None:
    """What keeps mail from leaving; None once one has left, and where there is no mail server."""
    known = InstanceFact.get_value(FACT_KEY) if settings.SMTP_HOST else None
    if known is None:
        return None
    return MailOutage(datetime.fromisoformat(known["since"]), known["reason"], _waiting_deliveries().count())


def count_parked() -> int:
    """How many mails were given up and can still be sent again."""
    return Delivery.objects.filter(kind=KIND, state=DeliveryState.PARKED, payload__isnull=False).count()


def count_undelivered(account: Account) -> int:
    """How many of an account's mails were given up lately."""
    since = clock.now() - RECENT_PERIOD
    return Delivery.objects.filter(
        account=account, kind=KIND, state=DeliveryState.PARKED, created_at__gte=since
    ).count()


def record_failure(reason: str) -> timedelta:
    """Log and remember that nothing leaves; for how long it has been so."""
    logger.error("E-mails are not going out: %s. Waiting: %s", reason, _waiting_deliveries().count())
    known = InstanceFact.get_value(FACT_KEY)
    since = datetime.fromisoformat(known["since"]) if known else clock.now()
    if known is None or known["reason"] != reason:
        InstanceFact.set_value(FACT_KEY, {"since": since.isoformat(), "reason": reason})
    return clock.now() - since


def record_recovery() -> None:
    """Mail leaves. Never raises: what has left has left, whatever becomes of the note."""
    try:
        if InstanceFact.delete_value(FACT_KEY):
            logger.warning("Mail leaves again")
    except DatabaseError:
        logger.exception("Mail leaves again, but this could not be noted")


def _waiting_deliveries() -> QuerySet[Delivery]:
    """Those in hand, those that are due, and those that were; not reminders of next week."""
    stuck = Q(state=DeliveryState.WAITING) & (Q(next_attempt_at__lte=clock.now()) | ~Q(last_error=""))
    return Delivery.objects.filter(Q(state=DeliveryState.LEASED) | stuck, kind=KIND)
