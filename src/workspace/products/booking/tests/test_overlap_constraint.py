"""The database rejects two overlapping live bookings of the same resource, without any code of the application."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from workspace.accounts.models import Account
from workspace.products.booking.domain import overlap_constraint
from workspace.products.booking.models import Booking, Resource, Service, Status
from workspace.products.booking.tests.pages import make_service

pytestmark = pytest.mark.django_db


@pytest.fixture
def service(account: Account) -> Service:
    return make_service(account)


DAY = "2026-06-05"


def on_the_day(clock_time: str) -> datetime:
    return datetime.fromisoformat(f"{DAY}T{clock_time}Z")


def build_booking(service: Service, start: str, end: str, buffer: int = 0, **fields: Any) -> Booking:
    begins, ends = on_the_day(start), on_the_day(end)
    margin = timedelta(minutes=buffer)
    return Booking(**{
        "account": service.page.account, "resource": service.page.resource, "page": service.page, "service": service,
        "service_name": "Cut", "name": "Ada", "starts_at": begins, "ends_at": ends, "blocked_from": begins - margin,
        "blocked_until": ends + margin, "local_date": begins.date(), "time_zone": "UTC", "uid": "u", **fields,
    })  # fmt: skip


def refused(act: Any) -> bool:
    try:
        with transaction.atomic():
            act()
    except IntegrityError as problem:
        assert overlap_constraint.is_overlap_error(problem)
        return True
    return False


def test_it_rejects_an_overlap_on_insert_and_on_update(service: Service) -> None:
    other = Resource.objects.create(account=service.page.account, name="Room")
    pending = {"status": Status.PENDING, "hold_until": on_the_day("09:00")}
    first = build_booking(service, "10:00", "11:00", buffer=10)
    first.save()
    assert refused(build_booking(service, "10:30", "11:30").save)
    assert refused(build_booking(service, "09:00", "09:51", **pending).save), "what waits holds its time as well"
    assert refused(build_booking(service, "11:05", "12:00", buffer=4).save)
    assert refused(build_booking(service, "08:00", "13:00").save)
    assert refused(build_booking(service, "10:15", "10:20").save)
    assert refused(
        lambda: Booking.objects.bulk_create(
            [build_booking(service, "14:00", "15:00"), build_booking(service, "14:30", "15:30")]
        )
    )
    assert not refused(build_booking(service, "11:10", "11:30").save), "half-open: what touches does not overlap"
    assert not refused(build_booking(service, "10:00", "11:00", resource=other).save)
    cancelled = build_booking(service, "10:00", "11:00", status=Status.CANCELLED)
    assert not refused(cancelled.save)
    late = build_booking(service, "12:00", "13:00", **pending)
    assert not refused(late.save)
    in_its_way = Booking.objects.filter(pk__in=[cancelled.pk])
    assert refused(lambda: in_its_way.update(status=Status.CONFIRMED))
    assert refused(lambda: Booking.objects.filter(pk=late.pk).update(blocked_from=on_the_day("11:15")))
    assert refused(lambda: Booking.objects.filter(resource=other).update(resource=service.page.resource))
    assert not refused(lambda: Booking.objects.filter(pk=late.pk).update(status=Status.EXPIRED))
    assert not refused(build_booking(service, "12:00", "13:00").save)
    assert not refused(lambda: Booking.objects.filter(pk=first.pk).update(owner_note="She likes tea"))


def test_the_migrations_create_the_constraint() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'booking_booking'")
            assert {name for (name,) in cursor.fetchall()} == {
                f"{overlap_constraint.CONSTRAINT_NAME}_insert",
                f"{overlap_constraint.CONSTRAINT_NAME}_update",
            }
        else:
            cursor.execute(
                "SELECT contype::text FROM pg_constraint WHERE conname = %s", [overlap_constraint.CONSTRAINT_NAME]
            )
            assert cursor.fetchall() == [("x",)]
