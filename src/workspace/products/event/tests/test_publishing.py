"""Publishing with a paid plan, or for an event credit once per program."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from workspace.accounts import event_credits
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account, CreditEntry
from workspace.lib.errors import OperationNotAllowedError
from workspace.products.event.api import tools
from workspace.products.event.models import Event
from workspace.publishing.models import State
from workspace.storage.database.transactions import write_transaction
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db


def publish(account: Account, id: str, on: bool = True, **more: Any) -> Any:
    return execute_tool(
        tools.edit, Caller(Account.objects.get(pk=account.pk)), {"event_id": id, "published": on, **more}
    )


def draft(account: Account, title: str = "Harbour Days") -> str:
    return str(execute_tool(tools.create, Caller(account), {"title": title}).data["id"])


def free(count: int = 0) -> Account:
    account = make_account(program="free")
    if count:
        with write_transaction():
            event_credits.grant_credits(account, count, "payment:1", "Bought")
    return account


def count_credits(account: Account) -> int:
    return Account.objects.get(pk=account.pk).event_credits


def test_a_paid_plan_publishes_without_a_credit() -> None:
    account = make_account()
    id = draft(account)
    assert Event.objects.get(pk=id).publication.state is State.PAUSED
    answer = publish(account, id)
    assert answer.data["credits_spent"] == 0
    assert answer.data["published"] is True


def test_without_a_credit_nothing_is_published_and_the_error_says_how_to_buy_one() -> None:
    account = free()
    id = draft(account)
    with pytest.raises(OperationNotAllowedError, match=r"no unused event credits\. To publish, buy one"):
        publish(account, id)
    assert Event.objects.get(pk=id).is_published is False


def test_one_credit_publishes_one_program_permanently() -> None:
    account = free(2)
    value, other = draft(account), draft(account, "Other")
    tried = publish(account, value, dry_run=True)
    assert (tried.data["credits_spent"], tried.data["publishing"]["unused_credits"], count_credits(account)) == (
        1,
        1,
        2,
    )
    assert publish(account, value).data["credits_spent"] == 1
    publish(account, value, on=False)
    assert publish(account, value).data["credits_spent"] == 0
    assert count_credits(account) == 1
    assert publish(account, other).data["credits_spent"] == 1
    assert count_credits(account) == 0


@pytest.mark.django_db(transaction=True)
def test_twenty_simultaneous_publications_spend_one_credit() -> None:
    account = free(1)
    ids = [draft(account, "A"), draft(account, "B")]

    def attempt(number: int) -> str:
        try:
            return str(publish(account, ids[number % 2]).data["credits_spent"])
        except OperationNotAllowedError:
            return "refused"
        finally:
            connections.close_all()

    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(attempt, range(20)))
    assert results.count("1") == 1
    assert results.count("0") == 9  # the same program again, which is paid
    assert results.count("refused") == 10
    assert count_credits(account) == 0
    assert CreditEntry.objects.filter(account=account, count__lt=0).count() == 1
    assert sum(event.is_published for event in Event.objects.select_related("publication")) == 1


def test_a_program_stays_paid_when_publishing_is_undone() -> None:
    from workspace.accounts.activity_tools import undo

    account = free(1)
    id = draft(account)
    change = publish(account, id).data["change"]["id"]
    execute_tool(undo, Caller(account), {"change_id": change})
    assert Event.objects.get(pk=id).is_published is False
    assert count_credits(account) == 0
    assert publish(account, id).data["credits_spent"] == 0
