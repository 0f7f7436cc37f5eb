"""Mail, webhooks, calendars and jobs when an account moves: what was sent is told of, and nothing is sent again."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Arrival, Carried, leave
from workspace.delivery.models import Endpoint, Message, Notice
from workspace.delivery.models.webhook import PURPOSE, MessageState, new_secret
from workspace.storage import secrets


def _endpoint(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    row.secret, row.has_shown = secrets.seal(new_secret(), row.account_id, PURPOSE), False
    row.live = False
    arrival.note(f"The webhook to {row.url} is off: give its receiver the new secret, then switch it on")


leave(
    "waits or works here only",
    *("delivery.delivery", "delivery.job", "delivery.jobitem", "delivery.chore"),
)
leave("is connected anew, since its password is a secret", *("delivery.addressbook", "delivery.contactcopy"))
leave(
    "is connected anew, since its address is a secret",
    *("delivery.calendar", "delivery.busytime", "delivery.eventcopy"),
)
CARRIED = (
    Carried(model=Notice, replaces=True, reads={"kind": readers.EventName}),
    Carried(
        model=Endpoint,
        without=("secret", "former_secret", "former_until", "has_shown"),
        arrive=_endpoint,
        reads={
            "url": readers.WebAddress,
            "events": readers.list_of(readers.EventName, 200),
            "disabled": readers.Token,
        },
    ),
    Carried(
        model=Message,
        taken=lambda rows: rows.exclude(state=MessageState.WAITING),
        reads={"body": readers.json_text(dict[str, Any]), "event": readers.EventName},
    ),
)
