"""An account is suspended, closed and deleted even if a hook fails."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from workspace.accounts import account_deletion
from workspace.accounts.models import Account
from workspace.delivery.models import Delivery, DeliveryState
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.interfaces.admin_cli.__main__ import main
from workspace.publishing.account_lifecycle import closure_grace_period, suspension
from workspace.storage.models import SetAside

pytestmark = pytest.mark.django_db


def fails(*_: Any) -> None:
    raise KeyError("Mars/Base")


@pytest.fixture(autouse=True)
def _hooks_that_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspension, "_listeners", {suspension.SUSPENDED: [fails], suspension.RETURNED: [fails]})
    monkeypatch.setattr(account_deletion, "_after_shutdown_hooks", {"tests.fail": fails})


@pytest.mark.parametrize("command", [("suspend", "--reason", "Fraud"), ("delete", "--yes")])
def test_an_administrator_suspends_and_deletes_an_account_even_if_a_hook_fails(
    account: Account, command: tuple[str, ...]
) -> None:
    word, *options = command
    done = CliRunner().invoke(main, ["account", word, account.pk, *options])
    assert (done.exit_code, done.exception) == (0, None)
    assert "Suspended " in done.output or "Deleted " in done.output


def test_an_account_is_suspended_and_resumed_even_if_a_hook_fails(account: Account) -> None:
    suspension.suspend_account(account, "Fraud")
    OutboxWorker().drain_once()
    account.refresh_from_db()
    assert account.banned_at is not None
    delivery = Delivery.objects.get(kind=suspension.DELIVERY_KIND)
    assert delivery.state == DeliveryState.WAITING and "Mars/Base" in delivery.last_error, (
        "it is tried again, and then given up"
    )
    suspension.resume_account(account)
    account.refresh_from_db()
    assert account.banned_at is None


def test_an_account_is_closed_and_restored_even_if_a_hook_fails(account: Account) -> None:
    assert closure_grace_period.start_closure(account).closes_at is not None
    closure_grace_period.cancel_closure(account)
    assert Account.objects.get(pk=account.pk).closes_at is None


def test_an_account_is_deleted_even_if_a_hook_fails_and_an_administrator_sees_the_error(account: Account) -> None:
    id = account.pk
    account_deletion.purge_account(account)
    assert not Account.objects.exists()
    assert "Mars/Base" in SetAside.objects.get(row=id).error


def test_a_failing_hook_stops_no_other_hook(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setitem(
        suspension._listeners, suspension.SUSPENDED, [fails, lambda account, key: told.append(account.pk)]
    )
    suspension.suspend_account(account, "Fraud")
    OutboxWorker().drain_once()
    assert told == [account.pk]
