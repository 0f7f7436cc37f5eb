"""Export and import of tickets. They are imported as closed, because another administrator received them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable, exclude_tables
from workspace.lib.ids import new_id
from workspace.support.models import Message, Ticket
from workspace.support.models.ticket import CLOSED


def _close_ticket(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    if row.status != CLOSED:
        row.status, row.closed_at = CLOSED, row.updated_at
        arrival.add_note("Open support tickets were imported as closed, because another support team received them.")
    row.waiting_since = None


def _resolve_key_clashes(arrival: ImportContext, rows: Sequence[Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    here = set(Ticket.objects.filter(key__in=[row.key for row in rows]).values_list("key", flat=True))
    yield from ((row, {"key": new_id("tkt")}) for row in rows if row.key in here)


exclude_tables("belongs to the instance: emails to support from the last 30 days", "support.inboundmail")
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Ticket,
        resolve_conflicts=_resolve_key_clashes,
        import_row=_close_ticket,
        column_types={"product": column_types.Token},
    ),
    TakeoutTable(
        model=Message,
        excluded_columns=("html", "message_id"),
        column_types=dict.fromkeys(("text", "quoted"), column_types.AnyText),
    ),
)
