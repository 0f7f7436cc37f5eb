"""Simultaneous clicks at an account's limits."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from workspace.accounts.models import ApiKey, MemberInvitation, Membership
from workspace.accounts.models.api_key import MAX_KEYS
from workspace.lib.errors import OperationNotAllowedError
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(times: int, act: Callable[[], object]) -> list[Exception]:
    """Run an action in this many threads at once. Return the errors other than refusals."""
    gate, wrong = threading.Barrier(times), list[Exception]()

    def run() -> None:
        try:
            connection.ensure_connection()
            gate.wait()
            act()
        except OperationNotAllowedError:
            pass
        except Exception as problem:
            wrong.append(problem)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_one_address_invited_by_two_clicks_has_one_invitation() -> None:
    account = make_account()
    owner = account.owner
    assert at_once(8, lambda: MemberInvitation.create(account, "new@example.com", owner)) == []
    assert account.invitations.count() == 1


def test_an_account_never_has_more_keys_than_the_limit() -> None:
    from workspace.storage.database.transactions import write_transaction

    account = make_account()
    for number in range(MAX_KEYS - 1):
        ApiKey.create(account, name=str(number))

    def mint() -> None:
        with write_transaction():
            ApiKey.create(account, name="one more")

    assert at_once(8, mint) == []
    assert account.keys.filter(revoked_at=None).count() == MAX_KEYS


def test_one_owner_remains_if_all_leave_at_once() -> None:
    for _ in range(3):
        assert _let_owners_leave(4) == 1


def _let_owners_leave(count: int) -> int:
    """Let all owners of an account leave at the same moment. Return how many members are left."""
    account = make_account()
    for _ in range(count - 1):
        Membership.objects.create(account=account, person=make_account().owner)
    leaving = [Membership.objects.get(pk=pk) for pk in account.memberships.values_list("pk", flat=True)]
    assert at_once(count, lambda: leaving.pop().remove()) == []
    return account.memberships.count()
