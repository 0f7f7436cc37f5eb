"""Recording that a client has opened a proposal.

The page sends a beacon once it is displayed, so email scanners, prefetches and HEAD requests are not counted. The owner
is not counted either.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from workspace.accounts.models.account import Membership
from workspace.analytics.visitor import visitor_from_request
from workspace.lib import clock
from workspace.products.bid.domain import emails, reminders
from workspace.products.bid.models import BidEvent, EventKind, Proposal, Status
from workspace.products.bid.models.decision import CLIENT_ACTOR
from workspace.public_site.guest_page import is_preview

VISIT_DURATION = timedelta(minutes=30)  # reloads within this time belong to the same view
MAX_VIEW_EVENTS = 200  # view events in a proposal's history
SECTIONS = ("intro", "packages", "lines", "total", "terms", "approve")


def is_client_request(request: HttpRequest, proposal: Proposal) -> bool:
    """Return whether the request may come from the client, that is, not from a member of the account."""
    if is_preview(request, proposal.publication) or visitor_from_request(request).bot:
        return False
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return True
    return not Membership.objects.filter(account=proposal.account, person_id=user.pk).exists()


def record_revision_view(proposal: Proposal, hash: str, device: str) -> bool:
    """Record that the client views this revision. Return whether it is a new view.

    Call it within `guest_transaction`. The first view changes the status from sent to viewed, and notifies the owner
    once.
    """
    now = clock.now()
    row = Proposal.objects.filter(pk=proposal.pk)
    first = row.filter(viewed_at=None, status=Status.SENT).exists()
    if row.filter(status=Status.SENT, revision_hash=hash).update(
        status=Status.VIEWED, viewed_at=Coalesce(F("viewed_at"), now)
    ):
        proposal.status = Status.VIEWED
    looks = proposal.events.filter(kind=EventKind.VIEWED)
    if looks.filter(created_at__gt=now - VISIT_DURATION, revision=proposal.revision, details__device=device).exists():
        return False
    row.update(views=F("views") + 1, last_viewed_at=now)
    if looks.count() < MAX_VIEW_EVENTS:
        BidEvent.record_event(proposal, EventKind.VIEWED, CLIENT_ACTOR, device=device)
    if first and proposal.status == Status.VIEWED:
        emails.notify_opened(proposal, device)
    return True


def record_reading_time(proposal: Proposal, device: str, sections: Mapping[str, Any]) -> None:
    """Add the number of seconds that the client spent on each section to the latest view.

    The page sends them when the client leaves it.
    """
    seconds = {
        name: min(int(earlier_seconds), 3600)
        for name in SECTIONS
        if isinstance(earlier_seconds := sections.get(name), (int, float))
        and not isinstance(earlier_seconds, bool)
        and 0 < earlier_seconds < 10**6
    }
    look = proposal.events.filter(
        kind=EventKind.VIEWED, details__device=device, created_at__gt=clock.now() - 4 * VISIT_DURATION
    ).last()
    if look is None or not seconds:
        return
    before = look.details.get("seconds", {})
    added = {name: min(before.get(name, 0) + seconds.get(name, 0), 36_000) for name in {*before, *seconds}}
    look.details = {**look.details, "seconds": added}
    look.save(update_fields=["details"])


def record_download(proposal: Proposal) -> None:
    """Record that the client downloaded the signed copy, at most once a day."""
    if not proposal.events.filter(kind=EventKind.DOWNLOADED, created_at__gt=clock.now() - timedelta(days=1)).exists():
        BidEvent.record_event(proposal, EventKind.DOWNLOADED, CLIENT_ACTOR)


def mute_reminders(proposal: Proposal) -> None:
    reminders.mute_reminders(proposal)
