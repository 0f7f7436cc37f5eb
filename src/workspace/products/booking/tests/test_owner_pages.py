"""The owner's pages call the tools, say who is notified, and ask before irreversible actions."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from workspace.products.booking.models import Booking, BookingPage, Status
from workspace.products.booking.tests.pages import tomorrow
from workspace.testing.api import Api

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
WEEK = [{"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "from": "09:00", "until": "17:00"}]


@pytest.fixture
def page(api: Api) -> dict[str, Any]:
    cut = {"name": "Cut", "duration": 30, "notice": 0, "approval": True}
    result: dict[str, Any] = api.run("svc_booking_create", name="Ada", time_zone="UTC", hours=WEEK, services=[cut])
    return result


@pytest.fixture
def owner(api: Api) -> Client:
    client = Client()
    client.force_login(api.account.owner)
    return client


def booked(api: Api, page: dict[str, Any], at: str = "10:00", **more: Any) -> dict[str, Any]:
    item = {"service_id": page["services"][0]["id"], "start": tomorrow(at, 2).isoformat(), "name": "Ben"}
    [row] = api.run("svc_booking_save_bookings", page_id=page["id"], items=[item | more])["saved"]
    result: dict[str, Any] = row
    return result


def post_and_read(owner: Client, path: str, **fields: Any) -> str:
    answer = owner.post(path, fields)
    assert answer.status_code == 303, answer.content.decode()
    return owner.get(answer["Location"]).content.decode()


def test_a_day_shows_bookings_and_available_times_and_its_requests_can_be_approved(
    api: Api, page: dict[str, Any], owner: Client
) -> None:
    row = booked(api, page)
    Booking.objects.filter(pk=row["id"]).update(
        status=Status.PENDING, pending_reason="approval", hold_until=tomorrow("09:00", 2)
    )
    home, day = f"/app/booking/{page['id']}", tomorrow(days=2).date().isoformat()
    html = owner.get(f"{home}?day={day}").content.decode()
    assert "1 request is waiting for your reply" in html and f"?start={day}T10:30" in html
    assert "Booking approved." in post_and_read(
        owner, f"{home}/bookings/{row['id']}/act", request="approve", back=f"{home}?day={day}"
    )
    assert Booking.objects.get().status == Status.CONFIRMED
    week = owner.get(f"{home}?view=week&day={day}").content.decode()
    assert f'data-move="{home}/bookings/{row["id"]}/move"' in week
    results = [owner.get(f"{home}?view=list&q={q}").content.decode() for q in ("ben", "nobody")]
    assert "Ben</bdi>" in results[0] and "No matches" in results[1]


def test_a_phone_booking_is_created_rescheduled_and_cancelled_and_each_step_names_who_is_notified(
    api: Api, page: dict[str, Any], owner: Client
) -> None:
    home, day = f"/app/booking/{page['id']}", tomorrow(days=2).date().isoformat()
    service = page["services"][0]["id"]
    html = post_and_read(
        owner,
        f"{home}/book",
        service_id=service,
        start=f"{day}T10:10",
        name="Ben",
        email="ben@example.com",
        notify="true",
    )
    assert "Booking for Ben at 10:10 created. Client notified." in html
    booking = Booking.objects.get()
    refused = owner.post(f"{home}/book", {"service_id": service, "start": f"{day}T10:00", "name": "Cy"})
    assert refused.status_code == 422 and "taken: booking of Ben" in refused.content.decode()
    at = f"{home}/bookings/{booking.pk}"
    assert "ben@example.com" in owner.get(f"{at}/move?start={day}T15:00").content.decode()
    html = post_and_read(owner, f"{at}/move", start=f"{day}T15:00", _has="notify")
    assert "Booking rescheduled to" in html and "Rescheduled</span>" in html
    html = post_and_read(owner, f"{at}/cancel", reason="Burst pipe")
    assert "Booking canceled. Client notified." in html and "Burst pipe" in html
    booking.refresh_from_db()
    assert (booking.status, booking.reason) == (Status.CANCELLED, "Burst pipe")


def test_the_hours_of_a_day_are_copied_to_others_and_a_date_has_other_hours(
    page: dict[str, Any], owner: Client
) -> None:
    home = f"/app/booking/{page['id']}/hours"
    fields = {"mon.0.from": "08:00", "mon.0.until": "12:00", "mon.1.from": "13:00", "mon.1.until": "15:00"}
    assert "Hours saved. Monday copied to Tuesday, Friday." in post_and_read(
        owner, home, **fields, copy="mon", **{"mon.to": ["tue", "fri"]}
    )
    days = ["mon", "tue", "fri"]
    assert BookingPage.objects.get().hours == [
        {"days": days, "from": "08:00", "until": "12:00"}, {"days": days, "from": "13:00", "until": "15:00"}
    ]  # fmt: skip
    first = tomorrow(days=9).date()
    last = first + timedelta(days=6)
    post_and_read(owner, f"{home}/day", **{"from": first.isoformat(), "to": last.isoformat(), "closed": "yes"})
    assert BookingPage.objects.get().date_overrides.filter(windows=[]).count() == 7
    post_and_read(owner, f"{home}/day", **{"from": first.isoformat(), "clear": "yes"})
    assert BookingPage.objects.get().date_overrides.count() == 6
    typed = {"from": first.isoformat(), "day.0.from": "10:00", "day.0.until": "", "to": last.isoformat()}
    refused = owner.post(f"{home}/day", typed)
    html = refused.content.decode()
    assert refused.status_code == 422 and "Enter the time as HH:MM" in html
    assert 'value="10:00"' in html and f'value="{last.isoformat()}"' in html, "what was typed stands there"
    start, end = (tomorrow(at, 3).strftime("%Y-%m-%dT%H:%M") for at in ("10:00", "11:00"))
    assert "Dentist" in post_and_read(owner, f"{home}/block", start=start, end=end, reason="Dentist")
    wrong = owner.post(f"{home}/block", {"start": end, "end": start})
    assert wrong.status_code == 422 and "The end must be after the start" in wrong.content.decode()


def test_the_rows_of_a_week_match_the_times_and_other_hours_name_existing_bookings(
    api: Api, page: dict[str, Any], owner: Client
) -> None:
    home, day = f"/app/booking/{page['id']}", tomorrow(days=2).date().isoformat()
    row = booked(api, page, "10:15")
    for interval, slot, line in ((30, 30, "T10:00"), (45, 15, "T10:15"), (20, 10, "T10:10"), (7, 5, "T10:15")):
        service = {"id": page["services"][0]["id"], "interval": interval}
        api.run("svc_booking_save_services", page_id=page["id"], items=[service])
        week = owner.get(f"{home}?view=week&day={day}").content.decode()
        assert f'data-slot="{slot}"' in week
        cell = re.search(rf'data-at="{day}([^"]*)" data-state="taken"(?: rowspan="(\d+)")?', week)
        assert cell and (cell[1], int(cell[2] or 1)) == (line, -(-30 // slot) + (slot in (30, 10))), interval
    html = post_and_read(owner, f"{home}/hours/day", **{"from": day, "closed": "yes"})
    assert "Existing bookings are kept: Ben (" in html and ", 10:15)" in html and row["id"] not in html


def test_another_time_zone_first_shows_which_bookings_change(api: Api, page: dict[str, Any], owner: Client) -> None:
    booked(api, page)
    edit = f"/app/booking/{page['id']}/edit"
    fields = {"name": "Ada", "time_zone": "Asia/Tokyo", "currency": page["currency"]}
    response = owner.post(edit, fields)
    assert "10:00 →" in response.content.decode() and "19:00" in response.content.decode()
    assert BookingPage.objects.get().time_zone == "UTC"
    post_and_read(owner, edit, **fields, _sure="yes")
    assert BookingPage.objects.get().time_zone == "Asia/Tokyo"


def test_a_service_is_saved_with_its_questions_and_bookings_are_exported_as_a_workbook(
    api: Api, page: dict[str, Any], owner: Client
) -> None:
    booked(api, page, name="=Ben")
    service = f"/app/booking/{page['id']}/services/{page['services'][0]['id']}"
    fields = {"questions.0.label": "Color?", "questions.0.type": "choice", "questions.0.options": "Red\nBlue"}
    post_and_read(owner, service, name="Long cut", duration="60", cancel_until="-1", daily_cap="3", **fields)
    result = BookingPage.objects.get().services.get()
    assert (result.name, result.duration, result.cancel_until, result.daily_cap) == ("Long cut", 60, None, 3)
    assert result.questions[0]["options"] == ["Red", "Blue"]
    post_and_read(owner, service, name="Long cut", duration="60", daily_cap="")
    assert BookingPage.objects.get().services.get().daily_cap is None
    saved = owner.get(f"/files/booking/export?kind=bookings&format=xlsx&page_id={page['id']}")
    with ZipFile(io.BytesIO(b"".join(saved) if saved.streaming else saved.content)) as book:
        assert "=Ben" in book.read("xl/sharedStrings.xml").decode()
        assert "<f>" not in book.read("xl/worksheets/sheet1.xml").decode(), "what somebody typed is no formula"
