"""A program worth looking at."""

from __future__ import annotations

from workspace.accounts.models import Account
from workspace.products.event.models import Event


def fill(account: Account) -> None:
    Event.open(account, title="Harbour Days", time_zone=account.time_zone)
