"""Cards in exports and imports of an account."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import TakeoutTable
from workspace.products.card.api.arguments import CardChanges
from workspace.products.card.models import Card, Lead

TAKEOUT_TABLES = (
    TakeoutTable(
        model=Card,
        former_columns=("email_count_date", "email_count"),
        column_types={
            **column_types.from_arguments(
                CardChanges, "given_name", "family_name", "name_prefix", "name_suffix", "company"
            ),
            **column_types.from_arguments(
                CardChanges, "full_name", "website", "address", "bio", "theme", "consent_text"
            ),
            **column_types.from_arguments(CardChanges, "more_phones", "more_emails", "links", "email"),
        },
    ),
    TakeoutTable(model=Lead, column_types=dict.fromkeys(("note", "consent"), column_types.PlainText)),
)
