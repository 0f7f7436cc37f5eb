"""A large account is deleted in batches. A deletion that was killed is completed by the scheduled task."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from tests.across.samples import things
from workspace.accounts import account_deletion
from workspace.accounts.models import Account
from workspace.interfaces.account_pages.closure_views import erase_account
from workspace.publishing.models import Publication, State
from workspace.publishing.models.visit_counters import DailyBreakdown
from workspace.storage.database import batched_delete
from workspace.storage.database.batched_delete import delete_in_batches
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of rows that each batch deleted."""
    found: list[int] = []
    monkeypatch.setattr(batched_delete, "MIN_BATCH_SIZE", 2)
    monkeypatch.setattr(batched_delete, "MAX_BATCH_SIZE", 2)
    monkeypatch.setattr(batched_delete, "FIRST_BATCH_SIZE", 2)
    monkeypatch.setattr(account_deletion, "MAX_ROWS_IN_LAST_WRITE", 1)

    def counting(rows: Any) -> int:
        found.append(gone := delete_in_batches(rows))
        return gone

    monkeypatch.setattr(account_deletion, "delete_in_batches", counting)
    return found


def test_large_tables_are_deleted_in_batches_until_nothing_is_left(api: Api, stranger: Api, sizes: list[int]) -> None:
    things(api)
    things(stranger)
    account_deletion.purge_account(api.account)
    assert max(sizes) > 2, "more than one piece of some table"
    assert stranger.run("svc_qr_list")["total"] == 1
    assert list(Account.objects.all()) == [stranger.account]


@pytest.mark.any_database
def test_rows_with_a_two_column_key_are_deleted_in_the_largest_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_delete, "FIRST_BATCH_SIZE", batched_delete.MAX_BATCH_SIZE)
    days = [date(2020, 1, 1) + timedelta(days=number) for number in range(batched_delete.MAX_BATCH_SIZE + 1)]
    DailyBreakdown.objects.bulk_create(
        DailyBreakdown(breakdown_id=facet, day=day, before_count=0, before_uniques=0)
        for facet in (1, 2)
        for day in days
    )
    assert delete_in_batches(DailyBreakdown.objects.all()) == 2 * len(days)
    assert not DailyBreakdown.objects.exists()


def test_a_killed_deletion_leaves_the_account_inaccessible_and_is_completed_later(
    api: Api, sizes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    things(api)
    id, key = api.account.pk, Publication.objects.filter(account=api.account).first()
    with monkeypatch.context() as killed:
        killed.setattr(account_deletion, "_delete_rest", _dies)
        with pytest.raises(SystemExit):
            account_deletion.purge_account(api.account)
    assert Account.objects.filter(pk=id).exists() and api.get("me")[0] == 401
    key.refresh_from_db()
    assert key.state is State.DELETED
    erase_account()
    assert not Account.objects.filter(pk=id).exists()


def _dies(account: Account) -> None:
    raise SystemExit
