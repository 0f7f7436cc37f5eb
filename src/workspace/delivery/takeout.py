"""Emails, webhooks, calendars and jobs in an export of an account. Sent messages are listed but never sent again."""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable, exclude_tables
from workspace.delivery.models import Endpoint, Message, NotificationSetting
from workspace.delivery.models.webhook import SECRET_PURPOSE, MessageState, new_secret
from workspace.storage import encryption


def _import_endpoint(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    row.secret, row.secret_shown = encryption.encrypt_secret(new_secret(), row.account_id, SECRET_PURPOSE), False
    row.live = False
    arrival.add_note(f"The webhook to {row.url} is turned off. Give its receiver the new secret, then turn it on.")


exclude_tables(
    "pending work of this instance",
    *("delivery.delivery", "delivery.job", "delivery.jobitem", "delivery.scheduledtask"),
)
exclude_tables("contains a password, so connect it again", *("delivery.addressbook", "delivery.contactcopy"))
exclude_tables(
    "contains a secret address, so connect it again",
    *("delivery.calendar", "delivery.busytime", "delivery.eventcopy"),
)
TAKEOUT_TABLES = (
    TakeoutTable(model=NotificationSetting, replaces=True, column_types={"kind": column_types.EventName}),
    TakeoutTable(
        model=Endpoint,
        excluded_columns=("secret", "previous_secret", "previous_secret_until", "secret_shown"),
        import_row=_import_endpoint,
        column_types={
            "url": column_types.WebAddress,
            "events": column_types.list_of(column_types.EventName, 200),
            "disabled": column_types.Token,
        },
    ),
    TakeoutTable(
        model=Message,
        filter_rows=lambda rows: rows.exclude(state=MessageState.WAITING),
        column_types={"body": column_types.json_text(dict[str, Any]), "event": column_types.EventName},
    ),
)
