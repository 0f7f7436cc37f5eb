"""Guests with upcoming bookings are notified when the account is closed or suspended.

Statistics count appointments held."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from workspace.accounts.account_deletion import purge_account
from workspace.accounts.dispatch import Caller, execute_tool
from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.products.booking.api import stats_tools
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking
from workspace.products.booking.tests.pages import make_booking, make_service
from workspace.publishing.account_lifecycle import closure_grace_period
from workspace.publishing.account_lifecycle.suspension import resume_account, suspend_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)
ZOE = Guest(name="Zoë", email="zoe@example.com", language="de", zone="Asia/Kolkata")


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> None:
    time_machine.move_to(NOW, tick=False)


def _suspend(account: Account) -> None:
    suspend_account(account, "Fraud")


def _mails() -> list[dict[str, Any]]:
    while OutboxWorker().drain_once():  # emails are enqueued after the commit
        pass
    return [row.payload for row in Delivery.objects.filter(kind="email").order_by("pk") if row.payload]


@pytest.mark.parametrize("leave", [purge_account, _suspend])
def test_only_guests_with_upcoming_bookings_are_notified(
    account: Account, leave: Callable[[Account], None], time_machine: Any
) -> None:
    service = make_service(account)
    past, _ = make_booking(service, "10:00", guest=ZOE), time_machine.move_to(NOW.replace(day=3), tick=False)
    coming = make_booking(service, "10:00", days=2, guest=ZOE)
    booking_actions.cancel_booking(make_booking(service, "11:00", days=2, guest=ZOE))
    make_booking(service, "12:00", days=2, guest=Guest(name="By phone", phone="+43 1 234"))
    owner = account.owner.email
    Delivery.objects.all().delete()
    leave(account)
    [mail] = [mail for mail in _mails() if "zoe@example.com" in str(mail)]
    assert mail["subject"] == f"Bitte nachfragen: {coming.service_name}, Freitag, 5. Juni 2026, 15:30"
    assert owner in str(mail) and "ob er stattfindet" in str(mail) and "/visit/" not in str(mail)
    assert past.pk != coming.pk and not any("text/calendar" in str(mail) for mail in _mails())


def test_guests_are_notified_once_of_a_suspension_and_once_of_its_end(account: Account) -> None:
    make_booking(make_service(account), days=2, guest=ZOE)
    Delivery.objects.all().delete()
    for reason in ("Fraud", "And once more"):
        suspend_account(account, reason)
    assert len(_mails()) == 1
    for _ in range(2):
        resume_account(account)
    assert len(_mails()) == 2
    closure_grace_period.start_closure(account)
    assert len(_mails()) == 3
    closure_grace_period.cancel_closure(account)
    leave, stands = "Bitte nachfragen", "Weiterhin gebucht"
    assert [mail["subject"].partition(":")[0] for mail in _mails()] == [leave, stands, leave, stands]
    assert Booking.objects.get().status == "confirmed" and "/visit/" in str(_mails()[-1])


def test_statistics_count_appointments_and_attendance(account: Account, time_machine: Any) -> None:
    cut, color = make_service(account, name="Cut"), make_service(account, name="Color", duration=90)
    color.page = cut.page
    color.save()
    bookings = [make_booking(cut, f"{hour:02d}:00", guest=ZOE) for hour in range(9, 15)]
    bookings.append(make_booking(color, "16:00", guest=ZOE))
    booking_actions.cancel_booking(bookings[0])
    time_machine.move_to(NOW.replace(day=4), tick=False)
    for number, booking in enumerate(bookings[1:]):
        booking.refresh_from_db()
        booking_actions.set_outcome(booking, ["attended", "no_show", ""][number % 3])
    make_booking(cut, "10:00", guest=ZOE)
    data = execute_tool(stats_tools.stats, Caller(account), {"page_id": cut.page_id, "days": 7}).data
    values = {name: data[name] for name in ("booked_in_days", "confirmed", "cancelled", "attended", "no_show")}
    assert values == {"booked_in_days": 8, "confirmed": 6, "cancelled": 1, "attended": 2, "no_show": 2}
    assert data["services"] == [
        {"service": "Cut", "bookings": 5, "minutes": 150},
        {"service": "Color", "bookings": 1, "minutes": 90},
    ]
