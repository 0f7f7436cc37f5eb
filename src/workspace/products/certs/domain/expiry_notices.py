"""Notices that a certificate expires in a month, for recipients who got the certificate by email.

An outbox row stores only the time. The recipients are determined when it is due, and each gets a single notice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib import clock
from workspace.products.certs.domain import emails
from workspace.products.certs.models import Certificate
from workspace.storage.database.transactions import write_transaction

DELIVERY_KIND = "certs.ending"  # the kind of the outbox's deliveries
NOTICE_PERIOD = timedelta(days=30)
MIN_VALIDITY = timedelta(days=60)  # no notice for shorter periods
BATCH_SIZE = 100
_SEND_TIME = time(9)


def schedule_notice(certificate: Certificate) -> None:
    """Schedule a notice in the caller's transaction.

    A single row covers all certificates of an account that expire on the same day.
    """
    today = clock.today(certificate.account.time_zone)
    if certificate.expires_on is None or certificate.expires_on - MIN_VALIDITY < today:
        return
    _enqueue_notice(certificate.account, certificate.expires_on)


def _enqueue_notice(account: Account, end: date, last_certificate_id: str = "") -> None:
    at = datetime.combine(end - NOTICE_PERIOD, _SEND_TIME, account.zone)
    payload = {"end": end.isoformat(), "after": last_certificate_id}
    outbox.put(
        DELIVERY_KIND,
        payload,
        account=account,
        at=at,
        dedupe=f"certs-ending:{account.pk}:{end:%Y%m%d}:{last_certificate_id}",
    )


def notify_expiring(account: Account, end: date, last_certificate_id: str = "") -> tuple[int, str]:
    """Send a batch of notices.

    Return the number of notices, and the last certificate if more remain, or else an empty string.
    """
    rows = account.certificates.select_related("account").filter(expires_on=end, reminded_at=None, is_emailed=True)
    rows = rows.filter(revoked_at=None, replaced_by=None, pk__gt=last_certificate_id).exclude(email="")
    certificates = list(rows.order_by("pk")[:BATCH_SIZE])
    count = 0
    for certificate in certificates:
        with write_transaction():
            # it may have been revoked, corrected or notified by another worker in the meantime
            still = rows.filter(pk=certificate.pk).update(reminded_at=clock.now())
            if still:
                emails.email_expiry_notice(certificate)
                count += 1
    return count, certificates[-1].pk if len(certificates) == BATCH_SIZE else ""


class ExpiryNoticeChannel:
    """The outbox channel of expiry notices."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        payload = delivery.payload or {}
        account, end = delivery.account, str(payload.get("end", ""))
        if account is not None and end:
            day = date.fromisoformat(end)
            if clock.today(account.time_zone) <= day:
                _, after = notify_expiring(account, day, str(payload.get("after", "")))
                if after:
                    _enqueue_notice(account, day, after)
        return DeliveryState.SENT

    def close(self) -> None:
        pass
