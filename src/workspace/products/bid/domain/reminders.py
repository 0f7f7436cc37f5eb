"""Reminders to clients who received a proposal by email, and a notice of its expiry.

A reminder is sent if the proposal was not opened within three days, and another three days before the last day. There
are at most two. An outbox row stores only the time. When it is due, the worker checks whether the reminder still
applies, so an edit, a decision or a bounce need not change the row.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.db.models import QuerySet

from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib import clock
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, EventKind, Proposal, Status
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

DELIVERY_KIND = "bid.remind"  # the kind of the outbox's deliveries
MAX_REMINDERS = 2
UNOPENED, ENDING, EXPIRED = "unopened", "ending", "expired"
REMINDER_DELAY = timedelta(days=3)  # after sending, or before the last day
MIN_INTERVAL = timedelta(days=1)  # between reminders that the owner sends
_SEND_TIME = time(9)


def schedule_reminders(proposal: Proposal) -> None:
    """Schedule the reminders in the caller's transaction. Do nothing if the proposal was not emailed."""
    if proposal.mailed_at is None:
        return
    now = clock.now()
    for what, at in reminder_times(proposal).items():
        if at > now:
            payload = {"proposal": proposal.pk, "what": what}
            outbox.put(
                DELIVERY_KIND,
                payload,
                account=proposal.account,
                at=at,
                dedupe=f"{_dedupe_key(proposal)}:{what}:{at:%Y%m%d%H}",
            )


def cancel_reminders(proposal: Proposal) -> None:
    outbox.withdraw(_dedupe_key(proposal))


def reminder_times(proposal: Proposal) -> dict[str, datetime]:
    """Return the time when each reminder is due."""
    mailed, zone = proposal.mailed_at, proposal.account.zone
    if mailed is None:
        return {}
    return {
        UNOPENED: mailed + REMINDER_DELAY,
        ENDING: datetime.combine(proposal.valid_until - REMINDER_DELAY, _SEND_TIME, zone),
        EXPIRED: datetime.combine(proposal.valid_until + timedelta(days=1), _SEND_TIME, zone),
    }


def is_reminder_due(proposal: Proposal, reminder_kind: str) -> bool:
    """Return whether a reminder should be sent now."""
    if not proposal.is_open or not proposal.client_email or has_muted_reminders(proposal):
        return False
    now, result = clock.now(), reminder_times(proposal)
    if reminder_kind not in result or now < result[reminder_kind]:
        return False
    if reminder_kind == EXPIRED:
        return proposal.is_expired
    too_late = proposal.is_expired or (reminder_kind == UNOPENED and proposal.status != Status.SENT)
    return not too_late and proposal.events.filter(kind=EventKind.REMINDED).count() < MAX_REMINDERS


def has_muted_reminders(proposal: Proposal) -> bool:
    """Return whether the client has unsubscribed or an email has bounced since the last email."""
    since = proposal.mailed_at or proposal.created_at
    return proposal.events.filter(kind__in=[EventKind.QUIET, EventKind.BOUNCED], created_at__gte=since).exists()


def mute_reminders(proposal: Proposal) -> None:
    """Stop reminders at the client's request."""
    if not has_muted_reminders(proposal):
        BidEvent.record_event(proposal, EventKind.QUIET, "client")
    cancel_reminders(proposal)


def record_bounce(proposal: Proposal, reason: str) -> None:
    """Record that an email to the client bounced. Notify the owner once, and stop automatic emails."""
    if not has_muted_reminders(proposal):
        BidEvent.record_event(proposal, EventKind.BOUNCED, "service")
        emails.notify_bounce(proposal, reason)
    cancel_reminders(proposal)


class ReminderChannel:
    """The outbox channel of reminders."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        payload = delivery.payload or {}
        what = str(payload.get("what"))
        with write_transaction():
            result = (
                Proposal.objects.select_related("account", "publication").filter(pk=payload.get("proposal")).first()
            )
            if result is not None and is_reminder_due(result, what):
                if what != EXPIRED:
                    BidEvent.record_event(result, EventKind.REMINDED, "service", what=what)
                emails.email_reminder(result, what, dedupe=f"bid-reminder:{delivery.pk}")
        return DeliveryState.SENT

    def close(self) -> None:
        pass


def _list_bounced_mails() -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        kind="email",
        state=DeliveryState.PARKED,
        dedupe_key__startswith=emails.OFFER_DEDUPE_PREFIX,
        created_at__gt=clock.now() - timedelta(days=7),
    )


@row_task("bid.find_bounces", lambda: _list_bounced_mails().values_list("pk", flat=True))
def process_bounce(delivery_id: str) -> bool:
    """Notify the owner that a proposal's email was rejected permanently. Return whether a notification was sent."""
    delivery = _list_bounced_mails().filter(pk=delivery_id).first()
    if delivery is None:
        return False
    with write_transaction():
        id = str(delivery.dedupe_key).split(":")[1]
        result = Proposal.objects.select_related("account", "publication").filter(pk=id).first()
        if result is None or not result.is_open or has_muted_reminders(result):
            return False
        record_bounce(result, delivery.last_error)
        return True


def _dedupe_key(proposal: Proposal) -> str:
    return f"bid:{proposal.pk}:later"
