"""Mail, webhooks, calendars and jobs when an account moves: what was sent is told of, and nothing is sent again."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Arrival, Carried, leave
from workspace.delivery.models import Endpoint, Message, Notice
from workspace.delivery.models.webhook import PURPOSE, MessageState, new_secret
from workspace.storage import encryption


def _endpoint(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    row.secret, row.has_shown = encryption.seal(new_secret(), row.account_id, PURPOSE), False
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
    Carried(model=Notice, replaces=True, reads={"kind": column_types.EventName}),
    Carried(
        model=Endpoint,
        without=("secret", "former_secret", "former_until", "has_shown"),
        arrive=_endpoint,
        reads={
            "url": column_types.WebAddress,
            "events": column_types.list_of(column_types.EventName, 200),
            "disabled": column_types.Token,
        },
    ),
    Carried(
        model=Message,
        taken=lambda rows: rows.exclude(state=MessageState.WAITING),
        reads={"body": column_types.json_text(dict[str, Any]), "event": column_types.EventName},
    ),
)
