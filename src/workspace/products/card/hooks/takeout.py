"""Cards in exports and imports of an account."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.card.api.arguments import CardChanges
from workspace.products.card.models import Card, Lead

TAKEOUT_TABLES = (
    TakeoutTable(
        model=Card,
        # the types of the other columns follow from their names
        column_types=column_types.from_columns(Card, CardChanges, skip=("title", "phone", "color")),
        former_columns=("email_count_date", "email_count"),
    ),
    TakeoutTable(model=Lead, column_types=dict.fromkeys(("note", "consent"), column_types.PlainText)),
)
