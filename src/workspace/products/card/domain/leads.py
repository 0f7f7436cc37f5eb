"""The leads of an account's cards: queries and deletion."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from workspace.accounts import change_log
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.card.models import KIND, Card, Lead
from workspace.storage import journal


def leads_for(account: Account, *, binned: bool = False) -> QuerySet[Lead]:
    """Return the leads of all cards. With `binned`, include leads in the bin and leads of cards in the bin."""
    if binned:
        return Lead._base_manager.filter(account=account)
    binned_cards = Card._base_manager.filter(account=account, binned_at__isnull=False)
    return Lead.objects.filter(account=account).exclude(card__in=binned_cards.values("pk"))


def delete_leads(account: Account, leads: Sequence[Lead]) -> None:
    """Delete leads. They can be restored for 30 days."""
    journal.set_item(KIND, leads[0].card_id)
    journal.update_rows((lead, {"binned_at": clock.now()}) for lead in leads)


def erase_leads_permanently(account: Account, leads: Sequence[Lead]) -> None:
    """Erase leads permanently, including their data in recorded changes."""
    journal.set_item(KIND, leads[0].card_id)
    change_log.erase_rows(account, leads)
