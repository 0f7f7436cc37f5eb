"""Submissions on home and among contacts show the time and the status of bookings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workspace.products.booking.domain import booking_actions
from workspace.products.booking.hooks.submissions import SUBMISSION_SOURCE
from workspace.products.booking.tests.pages import make_booking, make_service
from workspace.testing.api import make_account

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_a_booking_is_shown_with_its_status(time_machine: Any) -> None:
    time_machine.move_to(datetime(2026, 6, 1, 8, tzinfo=UTC), tick=False)
    service = make_service(make_account(), name="Cut")
    sure, booking = make_booking(service, "10:00"), make_booking(service, "11:00")
    unpaid = make_booking(service, "12:00", pay_within=timedelta(minutes=30))
    service.approval = True
    asked = make_booking(service, "13:00")
    booking_actions.cancel_booking(booking)
    lines = [
        row["note"].removeprefix("Cut, Tue 2 Jun 2026, ")
        for row in SUBMISSION_SOURCE.serialize([sure, booking, unpaid, asked])
    ]
    assert lines == ["10:00", "11:00: canceled", "12:00: not paid yet", "13:00: waiting for your reply"]
    time_machine.shift(31 * 60)
    assert SUBMISSION_SOURCE.serialize([unpaid])[0]["note"].endswith("12:00: expired")
