"""Find an account's programs."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.event.models import Event
from workspace.publishing.serializers import get_or_404, with_public_state

NO_EVENT = "There is no such program: svc_event_list shows yours with their ids"
NO_SESSION = "There is no such session on this program: svc_event_get shows them with their ids"
NO_SPEAKER = "There is no such speaker on this program: svc_event_get shows them with their ids"
NO_BLOCK = "There is no such sponsor, ad or page on this program: svc_event_get shows them with their ids"


def events_for(account: Account) -> QuerySet[Event]:
    return with_public_state(account.events.all()).select_related("publication", "account", "image")


def get_event(account: Account, id: str) -> Event:
    """Return a program. Raise NotFoundError if it does not exist."""
    event = get_or_404(events_for(account), id, NO_EVENT)
    event.account = account
    return event
