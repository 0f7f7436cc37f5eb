"""The demo data contains a week of bookings before and after any day."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.booking.hooks import demo
from workspace.products.booking.models import AttendanceStatus, Booking, Status

pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("at", ["2026-11-22T09:10+01:00", "2026-11-25T13:30+01:00", "2027-03-27T23:59+01:00"])
def test_the_weeks_before_and_after_have_bookings_of_every_status(db: None, account: Account, at: str) -> None:
    with time_machine.travel(at, tick=False):
        demo.fill_account(account)
        now = clock.now()
        booked = list(Booking.objects.filter(status=Status.CONFIRMED).order_by("starts_at"))
        past = [booking for booking in booked if booking.ends_at <= now]
        assert {booking.outcome for booking in past} == {AttendanceStatus.ATTENDED, AttendanceStatus.NO_SHOW}
        ahead = [booking for booking in booked if now < booking.starts_at < now + timedelta(days=7)]
        assert len({booking.local_date for booking in ahead}) >= 5  # Tuesday to Saturday
        assert len(ahead) >= 20
        assert Booking.objects.filter(status=Status.PENDING).count() == 2
        assert Booking.objects.filter(status=Status.CANCELLED, cancelled_by_guest=True).exists()
        assert not Booking.objects.exclude(remind_at=None).exists()
        assert all(booking.created_at <= now for booking in booked)
        demo.fill_account(account)  # a second call adds nothing
        assert Booking.objects.filter(status=Status.PENDING).count() == 2
