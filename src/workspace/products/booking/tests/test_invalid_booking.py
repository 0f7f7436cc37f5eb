"""A booking that cannot be handled, such as one with a time zone that does not exist, stops no other booking."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.booking.domain import scheduled_emails
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking, Service
from workspace.products.booking.tests.pages import make_booking, make_service
from workspace.storage.models import SetAside
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
GUEST = Guest(name="Zoë", email="zoe@example.com")


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


@pytest.fixture
def service(account: Account) -> Service:
    service = make_service(account)
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(pk=service.pk)


def test_a_reminder_with_an_unknown_time_zone_stops_no_other_reminder(service: Service, time_machine: Any) -> None:
    bad, good = (make_booking(service, at, days=2, guest=GUEST) for at in ("10:00", "11:00"))
    Booking.objects.filter(pk=bad.pk).update(guest_zone="Mars/Base")
    time_machine.move_to(good.starts_at - timedelta(hours=20), tick=False)
    assert scheduled_emails.send_reminder() == 1
    assert SetAside.objects.get().row == bad.pk and "Mars/Base" in SetAside.objects.get().error
    assert list(Booking.objects.exclude(remind_at=None)) == [bad], "what failed is as it was"
    Booking.objects.filter(pk=bad.pk).update(guest_zone="")
    time_machine.move_to(clock.now() + timedelta(minutes=6), tick=False)
    assert scheduled_emails.send_reminder() == 1, "once it is mended it is reminded of"
    assert not SetAside.objects.exists()


def test_an_expired_booking_that_fails_stops_no_other_from_expiring(service: Service, time_machine: Any) -> None:
    Service.objects.update(approval=True)
    service.refresh_from_db()
    bad, good = (make_booking(service, at, days=4, guest=GUEST) for at in ("10:00", "11:00"))
    Booking.objects.filter(pk=bad.pk).update(guest_zone="Mars/Base")
    time_machine.move_to(clock.now() + timedelta(days=3), tick=False)
    assert scheduled_emails.expire_requests() == 1
    assert {booking.status for booking in Booking.objects.all()} == {"expired"}
    assert SetAside.objects.get().row == bad.pk
    assert not Booking.objects.get(pk=good.pk).expiry_notice_pending
