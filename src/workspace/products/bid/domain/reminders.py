"""Reminders to a client whom we wrote to: one when it was not opened within three days, one three days before the last,
at most two in all, and word that it has expired. What waits in the outbox names the moment only: when it comes, it is
looked at whether there is still something to remind of, so an edit, a decision or mail that came back needs no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.db.models import QuerySet

from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib import clock
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, Event, Proposal, Status
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

DELIVERY_KIND = "bid.remind"  # the outbox's kind
MAX_REMINDERS = 2
UNOPENED, ENDING, EXPIRED = "unopened", "ending", "expired"
REMINDER_DELAY = timedelta(days=3)  # of sending, or before the last day
MIN_INTERVAL = timedelta(days=1)  # two reminders by hand
_SEND_TIME = time(9)


def schedule_reminders(proposal: Proposal) -> None:
    """Write down when to look, in the caller's transaction; nothing for a proposal that we have not mailed."""
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
    """When each is due."""
    mailed, zone = proposal.mailed_at, proposal.account.zone
    if mailed is None:
        return {}
    return {
        UNOPENED: mailed + REMINDER_DELAY,
        ENDING: datetime.combine(proposal.valid_until - REMINDER_DELAY, _SEND_TIME, zone),
        EXPIRED: datetime.combine(proposal.valid_until + timedelta(days=1), _SEND_TIME, zone),
    }


def is_due(proposal: Proposal, what: str) -> bool:
    """Whether there is something to remind of at this moment."""
    if not proposal.is_open or not proposal.client_email or is_muted(proposal):
        return False
    now, found = clock.now(), reminder_times(proposal)
    if what not in found or now < found[what]:
        return False
    if what == EXPIRED:
        return proposal.is_expired
    too_late = proposal.is_expired or (what == UNOPENED and proposal.status != Status.SENT)
    return not too_late and proposal.events.filter(kind=Event.REMINDED).count() < MAX_REMINDERS


def is_muted(proposal: Proposal) -> bool:
    """Whether the client wants no more reminders, or mail to them came back, since we last wrote."""
    since = proposal.mailed_at or proposal.created_at
    return proposal.events.filter(kind__in=[Event.QUIET, Event.BOUNCED], created_at__gte=since).exists()


def mute_reminders(proposal: Proposal) -> None:
    """The client wants no more reminders."""
    if not is_muted(proposal):
        BidEvent.record_event(proposal, Event.QUIET, "client")
    cancel_reminders(proposal)


def record_bounce(proposal: Proposal, why: str) -> None:
    """Mail to the client comes back: the owner is told once, and nothing more is sent by itself."""
    if not is_muted(proposal):
        BidEvent.record_event(proposal, Event.BOUNCED, "service")
        emails.notify_bounce(proposal, why)
    cancel_reminders(proposal)


class ReminderChannel:
    """The outbox's way for them."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        payload = delivery.payload or {}
        what = str(payload.get("what"))
        with write_transaction():
            found = Proposal.objects.select_related("account", "publication").filter(pk=payload.get("proposal")).first()
            if found is not None and is_due(found, what):
                if what != EXPIRED:
                    BidEvent.record_event(found, Event.REMINDED, "service", what=what)
                emails.email_reminder(found, what, dedupe=f"bid-reminder:{delivery.pk}")
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
    """Tell the owner that a proposal's mail was refused permanently; whether they were told."""
    delivery = _list_bounced_mails().filter(pk=delivery_id).first()
    if delivery is None:
        return False
    with write_transaction():
        id = str(delivery.dedupe_key).split(":")[1]
        found = Proposal.objects.select_related("account", "publication").filter(pk=id).first()
        if found is None or not found.is_open or is_muted(found):
            return False
        record_bounce(found, delivery.last_error)
        return True


def _dedupe_key(proposal: Proposal) -> str:
    return f"bid:{proposal.pk}:later"
