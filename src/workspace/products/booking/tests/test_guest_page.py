"""A guest books without scripts: service, day, time, details, and the confirmation."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.delivery.models import Delivery
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking, BookingPage, DateOverride, Service
from workspace.products.booking.public.context import parse_moment
from workspace.products.booking.tests.guests import fill_in, hidden
from workspace.products.booking.tests.guests import page_of as path
from workspace.products.booking.tests.pages import make_service
from workspace.products.booking.tests.times import window
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)  # a Monday
WEEK = [window("09:00–11:00", "mon", "tue", "wed", "thu", "fri")]
QUESTIONS = [
    {"label": "Color?", "type": "choice", "options": ["Red", "Blue"], "required": True},
    {"label": "Allergic?", "type": "tick", "required": False},
    {"label": "Anything else?", "type": "long", "required": False},
]


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> Any:
    time_machine.move_to(NOW, tick=False)
    return time_machine


@pytest.fixture
def service(db: None) -> Service:
    service = make_service(make_account(name="Ada’s Hair"), name="Cut", price_minor=4500, questions=QUESTIONS)
    BookingPage.objects.update(time_zone="Europe/Paris", hours=WEEK, place="Main street 1")
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(pk=service.pk)


def test_the_page_lists_what_can_be_booked(service: Service) -> None:
    Service.objects.create(page=service.page, name="Secret", duration=30, hidden=True)
    html = Client().get(path(service)).content.decode()
    for told in (
        "Ada’s Hair",
        "Cut",
        "30 minutes",
        "€45" if service.page.currency == "EUR" else "45",
        "Main street 1",
        "09:00",
    ):
        assert told in html, told
    assert "Secret" not in html and f"service={service.pk}" in html


def test_a_month_shows_its_available_days_and_the_times_of_the_first(service: Service) -> None:
    booking_actions.create_booking(service, datetime(2026, 6, 2, 7, tzinfo=UTC), Guest(name="Ben"))
    html = Client().get(path(service, "/times"), {"service": service.pk}).content.decode()
    # it is ten o'clock in Paris, and the service requires no notice
    assert re.findall(r'name="start" value="([^"]*)"', html) == ["2026-06-01T08:00Z", "2026-06-01T08:30Z"]
    tuesday = Client().get(path(service, "/times"), {"service": service.pk, "date": "2026-06-02"}).content.decode()
    assert re.findall(r'name="start" value="([^"]*)"', tuesday) == [
        "2026-06-02T07:30Z", "2026-06-02T08:00Z", "2026-06-02T08:30Z",
    ]  # fmt: skip
    assert "09:30" in tuesday and 'aria-current="date"' in tuesday
    days = re.findall(r"date=2026-06-(\d\d)", tuesday)
    assert "06" not in days and "07" not in days and "30" in days, "no week-ends"


def test_times_are_grouped_by_the_guests_own_date(service: Service) -> None:
    fields = {"service": service.pk, "date": "2026-06-02", "zone": "Pacific/Auckland"}
    html = Client().get(path(service, "/times"), fields).content.decode()
    assert re.findall(r'name="start" value="([^"]*)"', html)[0] == "2026-06-02T07:00Z"
    assert "19:00" in html and "Pacific/Auckland" in html and "Europe/Paris" in html


def test_a_full_month_names_the_next_available_day(service: Service) -> None:
    for day in range(1, 31):
        DateOverride.objects.create(page=service.page, date=f"2026-06-{day:02d}")
    html = Client().get(path(service, "/times"), {"service": service.pk}).content.decode()
    assert "1 July 2026" in html, "without a wish it is the month of the next one"
    html = Client().get(path(service, "/times"), {"service": service.pk, "date": "2026-06-10"}).content.decode()
    assert "No times are available this month" in html and "1 July 2026" in html


def test_a_guest_books_and_gets_a_confirmation(service: Service, time_machine: Any) -> None:
    done = fill_in(service, "2026-06-02T07:00:00Z", time_machine, question1="yes")
    assert done.status_code == 303
    [booking] = Booking.objects.all()
    assert (booking.name, booking.status, booking.by_owner) == ("Ada King", "confirmed", False)
    assert booking.answers == [{"label": "Color?", "text": "Red"}, {"label": "Allergic?", "text": "Yes"}]
    html = Client().get(done["Location"]).content.decode()
    assert (
        "Your appointment is booked" in html and "Tuesday, 2 June 2026, 09:00" in html and "ada@example.com" not in html
    )
    guests, owners = Delivery.objects.order_by("pk")
    assert guests.payload["subject"] == "Appointment confirmed: Cut, Tuesday, 2 June 2026, 09:00"  # type: ignore[index]
    assert owners.payload["subject"] == "New booking: Ada King, Cut, Tuesday, 2 June 2026, 07:00"  # type: ignore[index]
    assert booking.link_hash not in done["Location"] and booking.pk not in done["Location"]
    assert Client().get(path(service, f"/visit/{booking.pk}")).status_code == 404


def test_only_mandatory_fields_are_required(service: Service) -> None:
    fields = {"service": service.pk, "start": "2026-06-02T07:00:00Z"}
    html = Client().get(path(service, "/book"), fields).content.decode()
    required = {name for tag in re.findall(r"<(?:input|textarea)[^>]* required[^>]*>", html)
                for name in re.findall(r' name="([^"]*)"', tag)}  # fmt: skip
    assert required == {"name", "email", "question0"}


def test_a_form_sent_twice_creates_one_booking(service: Service, time_machine: Any) -> None:
    guest = Client()
    values = {"service": service.pk, "start": "2026-06-02T07:00:00Z"}
    fields = hidden(guest.get(path(service, "/book"), values).content.decode())
    time_machine.shift(10)
    sent = {**fields, "name": "Ada", "email": "ada@example.com", "question0": "Red"}
    assert [guest.post(path(service, "/book"), sent).status_code for _ in range(2)] == [303, 303]
    assert Booking.objects.count() == 1


def test_few_times_are_held_for_a_client_before_approval(service: Service, time_machine: Any) -> None:
    Service.objects.update(approval=True)
    days = [(2, "07:00"), (2, "07:30"), (2, "08:00"), (2, "08:30"), (3, "07:00"), (3, "07:30"), (3, "08:00")]
    sent = [fill_in(service, f"2026-06-{day:02d}T{at}:00Z", time_machine).status_code for day, at in days]
    assert sent == [303] * 6 + [429] and Booking.objects.count() == 6
    Service.objects.update(approval=False)
    assert fill_in(service, "2026-06-03T08:00:00Z", time_machine).status_code == 303, "what is sure has a measure apart"


def test_a_guest_whose_time_was_taken_retains_the_input_and_gets_three_alternatives(
    service: Service, time_machine: Any
) -> None:
    booking_actions.create_booking(service, datetime(2026, 6, 2, 7, tzinfo=UTC), Guest(name="Ben"))
    refused = fill_in(service, "2026-06-02T07:00:00Z", time_machine)
    html = refused.content.decode()
    assert refused.status_code == 409 and "This time was just booked. Choose another time." in html
    assert 'value="Ada King"' in html and 'value="Red" required checked' in html
    offered = re.findall(r'type="radio" name="start" value="([^"]*)"', html)
    assert offered == ["2026-06-02T07:30:00Z", "2026-06-02T08:00:00Z", "2026-06-02T08:30:00Z"]
    time_machine.shift(10)
    sent = {**hidden(html), "start": offered[0], "name": "Ada King", "email": "ada@example.com", "question0": "Red"}
    assert Client().post(path(service, "/book"), sent).status_code == 303
    assert Booking.objects.filter(name="Ada King").get().starts_at.hour == 7


def test_errors_are_shown_at_their_fields(service: Service, time_machine: Any) -> None:
    refused = fill_in(service, "2026-06-02T07:00:00Z", time_machine, name="", email="ada", question0="Green")
    html = refused.content.decode()
    assert refused.status_code == 400 and not Booking.objects.exists()
    for told in (
        "Enter your name.",
        "Enter an email address like jane@example.com.",
        "Choose one of these options.",
    ):
        assert told in html
    late = fill_in(service, "2026-06-02T07:10:00Z", time_machine)
    assert late.status_code == 409 and "This time isn’t available. Choose another time." in late.content.decode()


def test_the_page_of_a_request_says_that_it_waits_for_approval(service: Service, time_machine: Any) -> None:
    Service.objects.update(approval=True)
    done = fill_in(service, "2026-06-02T07:00:00Z", time_machine)
    assert Booking.objects.get().status == "pending_payment"
    assert "Request sent" in Client().get(done["Location"]).content.decode()
    subjects = [row.payload["subject"] for row in Delivery.objects.order_by("pk")]  # type: ignore[index]
    assert [subject.partition(":")[0] for subject in subjects] == ["Request sent", "New request"]


@pytest.mark.parametrize(
    "query",
    ["", "?service=nothing", "?service=%00", "?service={id}&date=9999-99-99", "?service={id}&zone=Nowhere",
     "?service={id}&start=x", "?service={id}&start=0001-01-01T00:00:00Z", "?service={id}&start=2026-06-02T07:00:00"],
)  # fmt: skip
def test_any_query_string_gets_an_answer(query: str, service: Service) -> None:
    for step in ("", "/times", "/book", "/booked", "/zones"):
        response = Client().get(path(service, step) + query.replace("{id}", service.pk))
        assert response.status_code in (200, 302), (step, query)


def test_a_paused_page_accepts_no_bookings(service: Service, time_machine: Any) -> None:
    guest = Client()
    values = {"service": service.pk, "start": "2026-06-02T07:00:00Z"}
    fields = hidden(guest.get(path(service, "/book"), values).content.decode())
    service.page.publication.pause()
    time_machine.shift(10)
    sent = {**fields, "name": "Ada", "email": "ada@example.com", "question0": "Red"}
    assert guest.post(path(service, "/book"), sent).status_code == 404
    assert not Booking.objects.exists()


def test_a_service_of_another_account_cannot_be_booked(service: Service, account: Account) -> None:
    other = make_service(account)
    response = Client().get(path(service, "/times"), {"service": other.pk})
    assert response.status_code == 302


def test_an_offset_with_fractions_of_a_second_is_parsed() -> None:
    moment = parse_moment("2037-03-02T10:00:00-01:00:00.500000")
    assert moment is not None and moment.microsecond == 500_000, "as it is in UTC, where the grid is asked"
