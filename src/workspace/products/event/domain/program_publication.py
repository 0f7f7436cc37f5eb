"""Publishing and its price: free if the plan includes it, or else one event credit per program."""

from __future__ import annotations

from workspace.accounts import event_credits
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.event import messages
from workspace.products.event.domain import emails
from workspace.products.event.models import KIND, Event


def publish_event(event: Event) -> int:
    """Publish a program. Return the number of credits spent.

    Raise OperationNotAllowedError if no credit is left. The credit is spent in the transaction that publishes the
    program.
    """
    if event.is_published:
        return 0
    took = _spend_credit(event) if publishing_cost(event) else 0
    event.resume()
    emails.notify_published(event, took)
    return took


def _spend_credit(event: Event) -> int:
    try:
        took = event_credits.spend_credit(
            event.account, f"{KIND}:{event.pk}", str(messages.PUBLISHED(title=event.title))
        )
    except OperationNotAllowedError:
        upgrade = event.account.upgrade_hint(KIND)
        text = messages.CREDIT_OR_PLAN_NEEDED(upgrade=upgrade) if upgrade else messages.CREDIT_NEEDED
        raise OperationNotAllowedError(text) from None
    # not in the journal: a paid program stays paid, even if publishing is undone
    event.paid_at = clock.now()
    event.save(update_fields=["paid_at"])
    return int(took)


def publishing_cost(event: Event) -> int:
    """Return how many credits publishing would cost now."""
    free = event.is_published or event.paid_at is not None or event.account.limits(KIND).publishes
    return 0 if free else 1
