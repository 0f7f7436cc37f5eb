"""Cards when an account moves."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried
from workspace.products.card.arguments import CardChanges
from workspace.products.card.models import Card, Lead

CARRIED = (
    Carried(
        model=Card,
        reads={
            **readers.as_given(CardChanges, "given_name", "family_name", "name_prefix", "name_suffix", "company"),
            **readers.as_given(CardChanges, "full_name", "website", "address", "bio", "theme", "consent_text"),
            **readers.as_given(CardChanges, "more_phones", "more_emails", "links", "email"),
        },
    ),
    Carried(model=Lead, reads=dict.fromkeys(("note", "consent"), readers.PlainText)),
)
