"""Emails to the owner: a program was published, a credit was spent, an import caused conflicts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings

from workspace.delivery import notifications
from workspace.delivery.notifications import NotificationKind
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.event.domain.program import Program, describe_conflict
from workspace.products.event.models import KIND, Event
from workspace.products.event.rules.conflicts import Conflict

PUBLISHED_NOTIFICATION = NotificationKind(
    "event.published",
    owner_gettext_lazy("Published programs"),
    owner_gettext_lazy("One of your programs was published"),
    "/app/event",
)
CREDIT_NOTIFICATION = NotificationKind(
    "event.credit",
    owner_gettext_lazy("Used event credits"),
    owner_gettext_lazy("Publishing a program used an event credit"),
    "/app/event",
)
CONFLICT_NOTIFICATION = NotificationKind(
    "event.clash",
    owner_gettext_lazy("Conflicts after an import"),
    owner_gettext_lazy("An import added sessions that overlap"),
    "/app/event",
)
NOTIFICATIONS = (PUBLISHED_NOTIFICATION, CREDIT_NOTIFICATION, CONFLICT_NOTIFICATION)
MAX_CONFLICTS = 12  # conflicts listed in an email


def notify_published(event: Event, credits_spent: int) -> None:
    """Notify the owner in the transaction that publishes the program.

    If a credit was spent, the same email mentions it. Publishing a program again sends no email.
    """
    context = {**_context(event), "left": event.account.event_credits}
    template = "owner/event_published_with_credit" if credits_spent else "owner/event_published"
    if credits_spent and notifications.notify_owner(event.account, CREDIT_NOTIFICATION, template, context):
        return
    notifications.notify_owner(
        event.account, PUBLISHED_NOTIFICATION, template, context, dedupe_key=f"{KIND}-published:{event.pk}"
    )


def notify_import_conflicts(program: Program, earlier_conflicts: Iterable[Conflict]) -> None:
    """Notify the owner of conflicts that are not in `earlier_conflicts`. Call it in the transaction of the import."""
    known = set(earlier_conflicts)
    clashes = [clash for clash in program.clashes if clash not in known]
    if not clashes:
        return
    lines = [describe_conflict(program, clash) for clash in clashes[:MAX_CONFLICTS]]
    context = {**_context(program.event), "count": len(clashes), "clashes": lines, "more": len(clashes) - len(lines)}
    notifications.notify_owner(program.event.account, CONFLICT_NOTIFICATION, "owner/event_conflicts", context)


def _context(event: Event) -> dict[str, Any]:
    url = event.public_url
    page = f"{settings.BASE_URL}/app/event/{event.pk}"
    return {"event": event, "url": url, "calendar_url": f"{url}.ics", "page": page}
