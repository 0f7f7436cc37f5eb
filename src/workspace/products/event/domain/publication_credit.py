"""Publishing, and what it takes: nothing where the plan pays, else one event credit, once for ever."""

from __future__ import annotations

from workspace.accounts import event_credits
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.event.domain import emails
from workspace.products.event.models import KIND, Event


def publish_event(event: Event) -> int:
    """Let guests see it; how many credits that took. Raises OperationNotAllowedError where none is left. The credit
    goes and the program is seen in one transaction, or neither."""
    if event.is_published:
        return 0
    took = _spend_credit(event) if publishing_cost(event) else 0
    event.resume()
    emails.notify_published(event, took)
    return took


def _spend_credit(event: Event) -> int:
    try:
        took = event_credits.spend_credit(event.account, f"{KIND}:{event.pk}", f"Published “{event.title}”")
    except OperationNotAllowedError as refusal:
        larger = event.account.upgrade_hint(KIND)
        way = f"buy one, or {larger}" if larger else "buy one"
        raise OperationNotAllowedError(f"{refusal.message}: {way}. Until then guests do not see it") from None
    # not in the journal: what was paid for stays so, also where its publishing is taken back
    event.paid_at = clock.now()
    event.save(update_fields=["paid_at"])
    return int(took)


def publishing_cost(event: Event) -> int:
    """How many credits publishing it would take now."""
    free = event.is_published or event.paid_at is not None or event.account.limits(KIND).publishes
    return 0 if free else 1
