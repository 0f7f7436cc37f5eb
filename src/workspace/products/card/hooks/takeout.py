"""Cards when an account moves."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried
from workspace.products.card.api.arguments import CardChanges
from workspace.products.card.models import Card, Lead

CARRIED = (
    Carried(
        model=Card,
        reads={
            **column_types.as_given(CardChanges, "given_name", "family_name", "name_prefix", "name_suffix", "company"),
            **column_types.as_given(CardChanges, "full_name", "website", "address", "bio", "theme", "consent_text"),
            **column_types.as_given(CardChanges, "more_phones", "more_emails", "links", "email"),
        },
    ),
    Carried(model=Lead, reads=dict.fromkeys(("note", "consent"), column_types.PlainText)),
)
