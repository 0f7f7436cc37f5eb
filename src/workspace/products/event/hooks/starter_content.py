"""A sample program for a new account that runs events."""

from __future__ import annotations

from datetime import timedelta

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext
from workspace.products.event.api import tools
from workspace.publishing.manifest import Starter

TRADES = frozenset({"events"})


def starter_for(account: Account, trade: str) -> Starter | None:
    """Return the sample program, which is a draft."""
    if trade not in TRADES:
        return None
    day = (clock.today(account.time_zone) + timedelta(days=30)).isoformat()
    sessions = [
        {"title": "Doors open", "start_time": "09:00", "end_time": "09:30", "kind": "social"},
        {"title": "Welcome", "start_time": "09:30", "end_time": "10:00", "location": "Main room"},
        {"title": "Coffee", "start_time": "10:00", "end_time": "10:30", "kind": "break"},
    ]
    arguments = {"title": f"Open house at {account.name}", "days": [{"date": day}], "sessions": sessions}
    return Starter(
        tools.create, arguments, owner_gettext("Replace the sample sessions with yours, then publish the program.")
    )
