"""Event credits are granted and spent once per source, and never go below zero."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from workspace.accounts import event_credits
from workspace.accounts.models import Account, CreditEntry
from workspace.lib.errors import OperationNotAllowedError
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


def count_credits(account: Account) -> int:
    """Return the number of credits in the row, after comparing it with the ledger."""
    row = Account.objects.get(pk=account.pk)
    assert row.event_credits == sum(CreditEntry.objects.filter(account=account).values_list("count", flat=True))
    return row.event_credits


def test_a_credit_is_spent_once_for_each_source(account: Account) -> None:
    with write_transaction():
        assert event_credits.grant_credits(account, 2, "payment:1", "Bought") is True
        assert event_credits.grant_credits(account, 2, "payment:1", "Bought") is False
        assert event_credits.spend_credit(account, "program:1", "Published") is True
        assert event_credits.spend_credit(account, "program:1", "Published again") is False
    assert count_credits(account) == account.event_credits == 1


def test_spending_without_credits_fails(account: Account) -> None:
    with write_transaction(), pytest.raises(OperationNotAllowedError, match="you have none left"):
        event_credits.spend_credit(account, "program:1", "Published")
    assert count_credits(account) == 0


def test_a_refund_revokes_only_unused_credits(account: Account) -> None:
    with write_transaction():
        event_credits.grant_credits(account, 3, "payment:1", "Bought")
        event_credits.spend_credit(account, "program:1", "Published")
        assert event_credits.revoke_credits(account, "payment:1", "Refunded") == 2
        assert event_credits.revoke_credits(account, "payment:1", "Refunded") == 0
        assert event_credits.revoke_credits(account, "payment:none", "Refunded") == 0
    assert count_credits(account) == 0


def test_database_constraints_allow_one_entry_for_each_source(account: Account) -> None:
    with write_transaction():
        event_credits.grant_credits(account, 1, "payment:1", "Bought")
    with pytest.raises(IntegrityError), transaction.atomic():
        CreditEntry.objects.create(account=account, count=1, source="payment:1", reason="Twice")
    with pytest.raises(IntegrityError), transaction.atomic():
        CreditEntry.objects.create(account=account, count=0, source="payment:2", reason="Nothing")
