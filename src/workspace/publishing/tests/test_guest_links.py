from __future__ import annotations

import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import connections, transaction

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.publishing.guest_links import (
    create_link,
    delete_expired,
    find_subject,
    redeem_link,
    revoke_links,
)
from workspace.publishing.models import GuestLink
from workspace.rate_limits.table import get_limit
from workspace.storage.database.transactions import write_transaction

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)


def link(account: Account, subject: str = "bok_1", purpose: str = "move", to: str = "ana@example.com") -> str:
    token = create_link(account, purpose, subject, to=to, lifetime=WEEK)
    assert token is not None
    return token


def test_reading_a_link_changes_nothing_and_redeeming_works_once(account: Account) -> None:
    token = link(account)
    assert [find_subject(token, "move") for _ in range(3)] == ["bok_1"] * 3
    assert redeem_link(token, "move") == "bok_1"
    assert (find_subject(token, "move"), redeem_link(token, "move")) == (None, None)


def test_a_link_is_valid_only_for_its_purpose(account: Account) -> None:
    token = link(account)
    assert (find_subject(token, "cancel"), redeem_link(token, "cancel")) == (None, None)
    assert redeem_link(token, "move") == "bok_1"


def test_a_link_expires_or_is_replaced_or_revoked(account: Account) -> None:
    first = link(account)
    second = link(account)
    assert (find_subject(first, "move"), find_subject(second, "move")) == (None, "bok_1")
    with time_machine.travel(clock.now() + WEEK + timedelta(seconds=1)):
        assert (find_subject(second, "move"), redeem_link(second, "move")) == (None, None)
    other = link(account, "bok_2")
    revoke_links("move", "bok_1")
    assert (find_subject(second, "move"), find_subject(other, "move")) == (None, "bok_2")


def test_a_rolled_back_act_leaves_the_link_valid(account: Account) -> None:
    token = link(account)
    with transaction.atomic():
        assert redeem_link(token, "move") == "bok_1"
        transaction.set_rollback(True)
    assert redeem_link(token, "move") == "bok_1"


def test_neither_token_nor_address_is_stored(account: Account) -> None:
    token = link(account, to="Ana@Example.com")
    stored = repr(list(GuestLink.objects.values()))
    assert token not in stored and "example.com" not in stored.lower()


def test_links_to_an_address_are_limited_however_it_is_written(account: Account, stranger) -> None:
    for number in range(get_limit("guest-link").count):
        link(account if number else stranger.account, f"bok_{number}", to=" ANA@example.com"[number % 2 :])
    assert create_link(account, "move", "bok_9", to="ana@example.com", lifetime=WEEK) is None
    assert create_link(account, "move", "bok_1", to="ana@example.com", lifetime=WEEK), (
        "its own link anew is no further one"
    )
    assert create_link(account, "move", "bok_9", to="bob@example.com", lifetime=WEEK)
    assert create_link(account, "cancel", "bok_9", to="ana@example.com", lifetime=WEEK)
    with time_machine.travel(clock.now() + timedelta(days=1, seconds=1)):
        assert create_link(account, "move", "bok_8", to="ana@example.com", lifetime=WEEK)


@pytest.mark.parametrize("token", ["", "x", "a" * 5000, "é\udcff", "\0"])
def test_an_invalid_token_finds_nothing(token: str, account: Account) -> None:
    link(account)
    assert (find_subject(token, "move"), redeem_link(token, "move")) == (None, None)


def test_expired_links_are_deleted_after_a_day(account: Account) -> None:
    link(account)
    with time_machine.travel(clock.now() + timedelta(days=7, hours=23)):
        delete_expired()
        assert GuestLink.objects.count() == 1
    with time_machine.travel(clock.now() + timedelta(days=8, seconds=1)):
        delete_expired()
    assert not GuestLink.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_only_one_of_several_concurrent_calls_redeems_a_link(account: Account) -> None:
    token = link(account)
    together, told = threading.Barrier(6), []

    def redeem() -> None:
        together.wait(60)
        with write_transaction():
            told.append(redeem_link(token, "move"))
        connections.close_all()

    guests = [threading.Thread(target=redeem) for _ in range(6)]
    for guest in guests:
        guest.start()
    for guest in guests:
        guest.join(60)
    assert sorted(told, key=str) == [None] * 5 + ["bok_1"]
