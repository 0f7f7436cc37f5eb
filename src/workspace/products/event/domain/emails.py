"""Emails to the owner: a program was published, a credit was spent, an import caused conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
from workspace.products.event.domain.program import Program, describe_conflict
from workspace.products.event.models import KIND, Event
from workspace.products.event.rules.conflicts import Conflict

PUBLISHED_NOTIFICATION = NotificationKind(
    "event.published", "Programs published", "Guests see one of your programs from now on", "/app/event"
)
CREDIT_NOTIFICATION = NotificationKind(
    "event.credit", "Event credits spent", "Publishing a program took an event credit", "/app/event"
)
CONFLICT_NOTIFICATION = NotificationKind(
    "event.clash", "Clashes after an import", "A list brought sessions that clash", "/app/event"
)
NOTIFICATIONS = (PUBLISHED_NOTIFICATION, CREDIT_NOTIFICATION, CONFLICT_NOTIFICATION)
MAX_CONFLICTS = 12  # conflicts listed in an email


def notify_published(event: Event, credits_spent: int) -> None:
    """Notify the owner in the transaction that publishes.

    If a credit was spent, a single email says both. Publishing a program again sends no email."""
    context = {**_context(event), "spent": credits_spent, "left": event.account.event_credits}
    if credits_spent and notifications.notify_owner(event.account, CREDIT_NOTIFICATION, "event_published", context):
        return
    notifications.notify_owner(
        event.account, PUBLISHED_NOTIFICATION, "event_published", context, dedupe_key=f"{KIND}-published:{event.pk}"
    )


def notify_import_conflicts(program: Program, earlier_conflicts: Iterable[Conflict]) -> None:
    """Notify the owner in the transaction of the import of conflicts that are not in `earlier_conflicts`."""
    known = set(earlier_conflicts)
    clashes = [clash for clash in program.clashes if clash not in known]
    if not clashes:
        return
    lines = [describe_conflict(program, clash) for clash in clashes[:MAX_CONFLICTS]]
    context = {**_context(program.event), "count": len(clashes), "clashes": lines, "more": len(clashes) - len(lines)}
    notifications.notify_owner(program.event.account, CONFLICT_NOTIFICATION, "event_conflicts", context)


def _context(event: Event) -> dict[str, Any]:
    return {"event": event, "url": event.public_url, "page": f"{settings.BASE_URL}/app/event/{event.pk}"}
