"""Queries for an account's programs."""

from __future__ import annotations

from django.db.models import QuerySet

from workspace.accounts.models import Account
from workspace.products.event import messages
from workspace.products.event.models import Event
from workspace.publishing.serializers import with_public_state
from workspace.storage.database.compiled_function import compile_once


@compile_once
def events_for(account: Account) -> QuerySet[Event]:
    return with_public_state(account.events.all()).select_related("publication", "image")


def get_event(account: Account, id: str) -> Event:
    """Return a program. Raise NotFoundError if it does not exist."""
    return events_for.get(id, messages.PROGRAM_NOT_FOUND, account)
