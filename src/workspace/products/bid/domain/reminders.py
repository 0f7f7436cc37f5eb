"""Reminders to a client whom we wrote to: one when it was not opened within three days, one three days before the last,
at most two in all, and word that it has expired. What waits in the outbox names the moment only: when it comes, it is
looked at whether there is still something to remind of, so an edit, a decision or mail that came back needs no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from django.db.models import QuerySet

from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.lib import clock
from workspace.products.bid.domain import emails
from workspace.products.bid.models import BidEvent, Event, Proposal, Status
from workspace.storage.database.transactions import writing
from workspace.storage.row_tasks import row_task

LATER = "bid.remind"  # the outbox's kind
MOST = 2
UNOPENED, ENDING, EXPIRED = "unopened", "ending", "expired"
AFTER = timedelta(days=3)  # of sending, or before the last day
BETWEEN = timedelta(days=1)  # two reminders by hand
_MORNING = time(9)


def plan(proposal: Proposal) -> None:
    """Write down when to look, in the caller's transaction; nothing for a proposal that we have not mailed."""
    if proposal.mailed_at is None:
        return
    now = clock.now()
    for what, at in moments(proposal).items():
        if at > now:
            payload = {"proposal": proposal.pk, "what": what}
            outbox.put(LATER, payload, account=proposal.account, at=at, dedupe=f"{_key(proposal)}:{what}:{at:%Y%m%d%H}")


def withdraw(proposal: Proposal) -> None:
    outbox.withdraw(_key(proposal))


def moments(proposal: Proposal) -> dict[str, datetime]:
    """When each is due."""
    mailed, zone = proposal.mailed_at, proposal.account.zone
    if mailed is None:
        return {}
    return {
        UNOPENED: mailed + AFTER,
        ENDING: datetime.combine(proposal.valid_until - AFTER, _MORNING, zone),
        EXPIRED: datetime.combine(proposal.valid_until + timedelta(days=1), _MORNING, zone),
    }


def is_due(proposal: Proposal, what: str) -> bool:
    """Whether there is something to remind of at this moment."""
    if not proposal.is_open or not proposal.client_email or is_quiet(proposal):
        return False
    now, found = clock.now(), moments(proposal)
    if what not in found or now < found[what]:
        return False
    if what == EXPIRED:
        return proposal.is_expired
    too_late = proposal.is_expired or (what == UNOPENED and proposal.status != Status.SENT)
    return not too_late and proposal.events.filter(kind=Event.REMINDED).count() < MOST


def is_quiet(proposal: Proposal) -> bool:
    """Whether the client wants no more reminders, or mail to them came back, since we last wrote."""
    since = proposal.mailed_at or proposal.created_at
    return proposal.events.filter(kind__in=[Event.QUIET, Event.BOUNCED], at__gte=since).exists()


def quiet(proposal: Proposal) -> None:
    """The client wants no more reminders."""
    if not is_quiet(proposal):
        BidEvent.note(proposal, Event.QUIET, "client")
    withdraw(proposal)


def bounced(proposal: Proposal, why: str) -> None:
    """Mail to the client comes back: the owner is told once, and nothing more is sent by itself."""
    if not is_quiet(proposal):
        BidEvent.note(proposal, Event.BOUNCED, "service")
        emails.tell_bounced(proposal, why)
    withdraw(proposal)


class Reminders:
    """The outbox's way for them."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        payload = delivery.payload or {}
        what = str(payload.get("what"))
        with writing():
            found = Proposal.objects.select_related("account", "publication").filter(pk=payload.get("proposal")).first()
            if found is not None and is_due(found, what):
                if what != EXPIRED:
                    BidEvent.note(found, Event.REMINDED, "service", what=what)
                emails.remind(found, what, dedupe=f"bid-reminder:{delivery.pk}")
        return State.SENT

    def close(self) -> None:
        pass


def _refused_mails() -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        kind="email",
        state=State.PARKED,
        dedupe__startswith=emails.OFFER,
        created_at__gt=clock.now() - timedelta(days=7),
    )


@row_task("bid.find_bounces", lambda: _refused_mails().values_list("pk", flat=True))
def look_for_bounces(delivery_id: str) -> bool:
    """Tell the owner that a proposal's mail was refused permanently; whether they were told."""
    delivery = _refused_mails().filter(pk=delivery_id).first()
    if delivery is None:
        return False
    with writing():
        id = str(delivery.dedupe).split(":")[1]
        found = Proposal.objects.select_related("account", "publication").filter(pk=id).first()
        if found is None or not found.is_open or is_quiet(found):
            return False
        bounced(found, delivery.last_error)
        return True


def _key(proposal: Proposal) -> str:
    return f"bid:{proposal.pk}:later"
