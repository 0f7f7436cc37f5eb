"""Export and import of payments.

Payments and refunds are imported as records. Open payments are imported as expired, and the provider must be connected
again.
"""

from __future__ import annotations

from typing import Any

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable, exclude_tables
from workspace.payments import messages
from workspace.payments.models import Payment, Refund
from workspace.payments.provider import EXPIRED, OPEN, OPENING, PAID, PROCESSING, REFUSED, WAITING


def _import_payment(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    if row.state in (OPENING, OPEN, PROCESSING):
        row.state = EXPIRED
    if row.state == PAID:
        row.applied_at = row.applied_at or row.paid_at or row.created_at  # its product has been notified


def _import_refund(arrival: ImportContext, row: Any, values: dict[str, Any]) -> None:
    if row.state == WAITING:
        row.state, row.problem = REFUSED, str(messages.REFUND_NOT_SENT)


exclude_tables("contains secrets, so connect it again", "payments.connection", "payments.providerevent")
TAKEOUT_TABLES = (
    TakeoutTable(
        model=Payment,
        excluded_columns=("session", "url"),
        import_row=_import_payment,
        column_types={
            **dict.fromkeys(("provider", "provider_account", "payment_intent"), column_types.Identifier),
            "purpose": column_types.EventName,
            "subject": column_types.Identifier,
            "return_url": column_types.Path,
            "dispute": column_types.one_of("open", "won", "lost"),
        },
    ),
    TakeoutTable(model=Refund, import_row=_import_refund),
)
