"""The state of email delivery.

A wrong password or an expired certificate stops all emails, including those for signing up. An outage is therefore
stored in the database, where the server, its worker and the administrator's command see it."""

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
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.models import InstanceFact

logger = logging.getLogger(__name__)

FACT_KEY = "mail-failing"
RECENT_PERIOD = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class MailOutage:
    """An outage of email delivery.

    `reason` is a message for the administrator, without secrets. `waiting` is the number of emails that would otherwise
    be sent.
    """

    since: datetime
    reason: str
    waiting: int

    @property
    def summary(self) -> str:
        """The start and size of the outage for monitoring, without the reason."""
        return f"failing since {clock.to_iso(self.since)}, waiting {self.waiting}"


def current_outage() -> MailOutage | None:
    """Return the current outage. Return None if emails are sent or no mail server is configured."""
    known = InstanceFact.get_value(FACT_KEY) if settings.SMTP_HOST else None
    if known is None:
        return None
    return MailOutage(datetime.fromisoformat(known["since"]), known["reason"], _waiting_deliveries().count())


def count_parked() -> int:
    """Return the number of failed emails that can still be sent again."""
    return Delivery.objects.filter(kind=KIND, state=DeliveryState.PARKED, payload__isnull=False).count()


def count_undelivered(account: Account) -> int:
    """Return the number of an account's emails that failed in the last 7 days."""
    return _undelivered_emails.count(account, clock.now() - RECENT_PERIOD)


@compile_once
def _undelivered_emails(account: Account, since: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(account=account, kind=KIND, state=DeliveryState.PARKED, created_at__gte=since)


def record_failure(reason: str) -> timedelta:
    """Log and record that emails cannot be sent, and return the duration of the outage."""
    logger.error("Emails are not being sent: %s. Waiting: %s", reason, _waiting_deliveries().count())
    known = InstanceFact.get_value(FACT_KEY)
    since = datetime.fromisoformat(known["since"]) if known else clock.now()
    if known is None or known["reason"] != reason:
        InstanceFact.set_value(FACT_KEY, {"since": since.isoformat(), "reason": reason})
    return clock.now() - since


def record_recovery() -> None:
    """Record that emails are sent again. Never raise, because the email has already been sent."""
    try:
        if InstanceFact.delete_value(FACT_KEY):
            logger.warning("Emails are sent again")
    except DatabaseError:
        logger.exception("Emails are sent again, but this could not be saved")


def _waiting_deliveries() -> QuerySet[Delivery]:
    """Return leased deliveries, due ones and those to retry, but not emails scheduled for later."""
    stuck = Q(state=DeliveryState.WAITING) & (Q(next_attempt_at__lte=clock.now()) | ~Q(last_error=""))
    return Delivery.objects.filter(Q(state=DeliveryState.LEASED) | stuck, kind=KIND)
