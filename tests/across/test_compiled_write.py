"""Rows written by compiled SQL read back as Django writes them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import F, Value
from django.db.models.functions import Upper

from workspace.accounts.models import Account, Change
from workspace.publishing.models import Publication
from workspace.storage.database.compiled_write import update_by_key
from workspace.support.models import Ticket
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
MOMENT = datetime(2026, 3, 29, 1, 30, 0, 123456, tzinfo=timezone(timedelta(hours=9)))


def test_a_created_row_reads_back_as_given() -> None:
    given = {"previous": {"id": {"price": "4.50", "on": MOMENT.date()}}, "journal": [{"100 %s": None}]}
    change = Change.objects.create(account=make_account(), summary="“100 %” 'é'", created_at=MOMENT, **given)
    found = Change.objects.get(pk=change.pk)
    assert (found.summary, found.created_at, found.undone_by_id) == (change.summary, MOMENT, None)
    assert found.previous == {"id": {"price": "4.50", "on": "2026-03-29"}}
    assert found.journal == given["journal"]


def test_a_generated_key_is_read_back() -> None:
    first, second = (Ticket.objects.create(account=make_account(), subject="Help") for _ in range(2))
    assert second.pk > first.pk
    second.subject = "Thanks"
    second.save()
    assert dict(Ticket.objects.values_list("pk", "subject")) == {first.pk: "Help", second.pk: "Thanks"}


def test_only_the_named_fields_are_saved() -> None:
    account = make_account(name="Before")
    other = Account.objects.get(pk=account.pk)
    account.name, account.closes_at, account.chosen_plans = "After", MOMENT, {"qr": "pro"}
    account.save(update_fields=["name", "closes_at"])
    other.refresh_from_db()
    assert (other.name, other.closes_at, other.chosen_plans) == ("After", MOMENT.astimezone(UTC), {})


def test_an_expression_is_computed_by_the_database() -> None:
    account = make_account(name="Cafe")
    account.event_credits = F("event_credits") + 3
    account.name = Upper("name")
    account.save(update_fields=["event_credits", "name"])
    account.refresh_from_db()
    assert (account.event_credits, account.name) == (3, "CAFE")
    made = Change.objects.create(account=account, summary=Upper(Value("new")))
    made.refresh_from_db()
    assert made.summary == "NEW"


def test_saving_a_deleted_row_fails() -> None:
    account = make_account()
    change = Change.objects.create(account=account)
    Change.objects.all().delete()
    with pytest.raises(DatabaseError):
        change.save(update_fields=["summary"])


def test_a_reloaded_row_has_its_present_columns_and_keeps_unchanged_related_rows() -> None:
    account, other = make_account(), make_account()
    first, second = Change.objects.create(account=account), Change.objects.create(account=account)
    first.undone_by = second
    Change.objects.filter(pk=first.pk).update(summary="New", journal=[1], undone_by=None, created_at=MOMENT)
    first.reload_columns()
    assert (first.summary, first.journal, first.undone_by, first.created_at) == ("New", [1], None, MOMENT)
    assert first.account is account
    Change.objects.filter(pk=first.pk).update(account=other)
    first.reload_columns()
    assert first.account == other
    Change.objects.filter(pk=first.pk).delete()
    with pytest.raises(Change.DoesNotExist):
        first.reload_columns()


def test_a_used_key_is_rejected() -> None:
    change = Change.objects.create(account=make_account())
    with pytest.raises(IntegrityError), transaction.atomic():
        Change.objects.create(id=change.pk, account=change.account)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_rows_are_updated_by_their_keys_and_others_are_not(count: int) -> None:
    account = make_account()
    rows = [Publication.open(account, "card") for _ in range(4)]
    update_by_key(Publication, [row.pk for row in rows[:count]], paused_at=MOMENT, increased=("version",))
    found = [Publication.objects.get(pk=row.pk) for row in rows]
    assert [(row.paused_at, row.version) for row in found] == [(MOMENT, 2)] * count + [(None, 1)] * (4 - count)
