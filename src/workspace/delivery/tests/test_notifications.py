from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connections, transaction
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery import mail, notifications
from workspace.delivery.models import Delivery, NotificationSetting
from workspace.delivery.notifications import NotificationKind
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError
from workspace.rate_limits.table import get_limit
from workspace.testing.api import Api

HOURLY_LIMIT = get_limit("notification").count

pytestmark = pytest.mark.django_db

LETTERS = notifications.register_kind(
    NotificationKind("tests.letters", "Letters", "Somebody wrote to you", "/app/letters")
)


@pytest.fixture(autouse=True)
def _template(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "letter.txt").write_text("Subject: {{ who }} wrote\n\nSwitch: {{ notices_url }}\n")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [*settings.TEMPLATES[0]["DIRS"], tmp_path]}]


def notify_owner(account: Account, who: str = "Ana") -> bool:
    return notifications.notify_owner(account, LETTERS, "letter", {"who": who}, reply_to="ana@example.com")


def subjects() -> list[str]:
    return [mail.parse_message(row)["Subject"] for row in Delivery.objects.order_by("id")]


def test_the_owner_gets_an_email_and_a_reply_goes_to_the_sender(account: Account) -> None:
    assert notify_owner(account)
    [row] = Delivery.objects.all()
    message = mail.parse_message(row)
    assert (message["To"], message["Subject"]) == (account.owner.email, "Ana wrote")
    assert (message["Reply-To"], row.account) == ("ana@example.com", account)
    assert "/app/account/notifications" in message.get_content()


def test_twenty_emails_an_hour_are_sent_and_the_rest_summarized_after_the_hour(account: Account) -> None:
    with time_machine.travel(clock.now(), tick=False) as travel:
        told = [notify_owner(account, f"Guest {number}") for number in range(HOURLY_LIMIT + 14)]
        assert told == [True] * HOURLY_LIMIT + [False] * 14
        assert notifications.send_suppressed_summary() == 0, "the hour is not over"
        travel.shift(3601)
        assert notifications.send_suppressed_summary() == 1
        assert notifications.send_suppressed_summary() == 0
    assert len(subjects()) == HOURLY_LIMIT + 1
    assert subjects()[-1] == "14 more notifications: Letters"
    last = mail.parse_message(Delivery.objects.order_by("id").last()).get_body(("plain",)).get_content()
    assert "more activity in an hour" in last and "/app/letters" in last


def test_the_summary_email_counts_in_the_new_hour(account: Account) -> None:
    with time_machine.travel(clock.now(), tick=False) as travel:
        for _ in range(HOURLY_LIMIT + 1):
            notify_owner(account)
        travel.shift(3601)
        for _ in range(HOURLY_LIMIT):
            notify_owner(account, "Later")
        assert len(subjects()) == 2 * HOURLY_LIMIT
    assert subjects()[HOURLY_LIMIT] == "1 more notification: Letters"
    assert NotificationSetting.objects.get().suppressed_count == 1


def test_each_kind_and_account_has_a_separate_count(account: Account, stranger: Api) -> None:
    other = NotificationKind("tests.other", "Others", "Something else came in", "/app/others")
    for _ in range(HOURLY_LIMIT):
        notify_owner(account)
    assert not notify_owner(account)
    assert notify_owner(stranger.account)
    assert notifications.notify_owner(account, other, "letter", {"who": "Ana"})


def test_a_kind_that_is_off_is_neither_emailed_nor_summarized(account: Account) -> None:
    with time_machine.travel(clock.now(), tick=False) as travel:
        for _ in range(HOURLY_LIMIT + 5):
            notify_owner(account)
        notifications.set_switches(account, {"tests.letters": False})
        assert not notify_owner(account)
        travel.shift(3601)
        assert notifications.send_suppressed_summary() == 0
        notifications.set_switches(account, {"tests.letters": True})
        assert notify_owner(account)
        assert subjects() == ["Ana wrote"] * (HOURLY_LIMIT + 1)


def test_an_unknown_kind_is_rejected_at_its_path_and_changes_nothing(account: Account) -> None:
    with pytest.raises(InvalidInputError) as refused:
        notifications.set_switches(account, {"tests.letters": False, "pigeons": False})
    assert refused.value.issues[0].path == "notifications.pigeons"
    assert all(one.is_on for one in notifications.list_switches(account))


def test_an_invalid_owner_address_does_not_fail_the_submission(account: Account, caplog) -> None:
    assert not notifications.notify_owner(
        account, LETTERS, "letter", {"who": "Ana"}, reply_to="a@example.com\nBcc: evil@example.com"
    )
    assert "could not be written" in caplog.text
    assert not Delivery.objects.exists()


def test_a_rolled_back_submission_sends_no_notification(account: Account) -> None:
    with transaction.atomic():
        notify_owner(account)
        transaction.set_rollback(True)
    assert not Delivery.objects.exists() and not NotificationSetting.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_hourly_count_is_correct_with_parallel_guests(account: Account) -> None:
    together = threading.Barrier(4)

    def write() -> None:
        together.wait(60)
        for _ in range(10):
            notify_owner(account)
        connections.close_all()

    guests = [threading.Thread(target=write) for _ in range(4)]
    for guest in guests:
        guest.start()
    for guest in guests:
        guest.join(60)
    assert Delivery.objects.count() == HOURLY_LIMIT
    assert NotificationSetting.objects.get().suppressed_count == 40 - HOURLY_LIMIT


def test_the_page_switches_each_kind(account: Account, stranger: Api) -> None:
    client = Client()
    client.force_login(account.owner)
    page = client.get("/app/account/notifications").content.decode()
    assert 'value="tests.letters" checked' in page
    assert 'value="review.received" checked' in page and 'value="card.lead" checked' in page
    kept = [one.kind.name for one in notifications.list_switches(account) if one.kind.name != "tests.letters"]
    assert client.post("/app/account/notifications", {"on": kept}).status_code == 303
    assert {one.kind.name for one in notifications.list_switches(account) if not one.is_on} == {"tests.letters"}
    assert all(one.is_on for one in notifications.list_switches(stranger.account))
    assert 'value="tests.letters" checked' not in client.get("/app/account/notifications").content.decode()
    assert client.post("/app/account/notifications", {"on": ["nonsense", "tests.letters"]}).status_code == 303
    assert [one.kind.name for one in notifications.list_switches(account) if one.is_on] == ["tests.letters"]
