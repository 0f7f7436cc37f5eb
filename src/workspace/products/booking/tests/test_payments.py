"""Online payments: bookings are held until paid, confirmed by the payment, and refunded on cancellation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.delivery.models import Delivery
from workspace.lib.errors import InvalidInputError
from workspace.payments.models import Payment, Refund
from workspace.payments.tools import list_payments as list_payments
from workspace.payments.tools import refund
from workspace.products.booking.api import booking_tools, tools
from workspace.products.booking.domain import booking_actions, payments, scheduled_emails
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.models import Booking, Service
from workspace.products.booking.tests.guests import fill_in, link_of, read_page
from workspace.products.booking.tests.pages import make_service, tomorrow
from workspace.testing.api import make_account
from workspace.testing.fake_stripe import FakeStripe
from workspace.testing.payment_shop import Shop

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 6, 1, 8, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _still(time_machine: Any) -> None:
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def shop(stripe: FakeStripe) -> Shop:
    return Shop(stripe)


@pytest.fixture
def service(shop: Shop) -> Service:
    service = make_service(shop.account, name="Cut", price_minor=6000, payment="deposit", deposit_minor=2000)
    service.page.currency = "EUR"
    service.page.save()
    return Service.objects.select_related("page__account", "page__resource", "page__publication").get(pk=service.pk)


def book(service: Service, time_machine: Any, clock_time: str = "10:00", **fields: str) -> tuple[Booking, Any]:
    start = tomorrow(clock_time, 2)
    answer = fill_in(service, start.isoformat(), time_machine, **fields)
    return Booking.objects.get(starts_at=start, status__in=("confirmed", "pending_payment")), answer


def pay(shop: Shop, booking: Booking, **how: Any) -> Payment:
    payment = Payment.objects.get(subject=booking.pk, is_current=True)
    shop.stripe.pay(payment.session, **how)
    shop.receive_events(shop.stripe.events[-1])
    shop.work()
    booking.refresh_from_db()
    return payment


def subjects() -> list[str]:
    mails = Delivery.objects.filter(kind="email").order_by("pk")
    return [str(row.payload["subject"]).partition(":")[0] for row in mails if row.payload]


def test_a_guest_is_redirected_to_pay_and_the_payment_confirms_the_booking(
    shop: Shop, service: Service, time_machine: Any
) -> None:
    booking, answer = book(service, time_machine)
    assert (booking.status, booking.pending_reason, booking.due_minor) == ("pending_payment", "payment", 2000)
    assert booking.hold_until == booking.created_at + payments.CHECKOUT_PERIOD
    assert answer.status_code == 303 and answer["Location"].startswith(shop.stripe.url), "at Stripe's page"
    html = read_page(link_of(booking))
    assert "Pay to confirm your appointment" in html and "€20.00" in html
    payment = pay(shop, booking)
    assert (booking.status, booking.paid_minor, booking.hold_until) == ("confirmed", 2000, None)
    html = read_page(link_of(booking))
    assert "Your appointment is booked" in html and "Paid online: €20.00" in html
    assert subjects() == ["Payment needed", "Appointment confirmed", "New booking"]
    back = Client().get(payment.return_url)
    assert back.status_code == 302 and "/visit/" in back["Location"] and "/visit/" not in payment.return_url
    row = execute_tool(booking_tools.list_bookings, Caller(shop.account), {}).data["items"][0]
    assert row["paid"] == 20.0
    [paid] = execute_tool(list_payments, Caller(shop.account), {"subject": booking.pk}).data["items"]
    assert paid["page"] == f"/app/booking/{booking.page_id}/bookings/{booking.pk}"


def test_an_unpaid_time_is_released_and_a_late_payment_books_it_again_or_is_refunded(
    shop: Shop, service: Service, time_machine: Any
) -> None:
    late, _ = book(service, time_machine, "10:00")
    lost, _ = book(service, time_machine, "12:00", name="Ben", email="ben@example.com")
    time_machine.shift(timedelta(minutes=31))
    assert scheduled_emails.expire_requests() == 2
    assert "This time is no longer held for you" in read_page(link_of(late))
    booking_actions.create_booking(service, lost.starts_at, Guest(name="Chloe"), by_owner=True)
    for booking in (late, lost):  # both had Stripe's page open, and pay before the session is cancelled
        shop.stripe.pay(Payment.objects.get(subject=booking.pk).session)
    shop.receive_events(*shop.stripe.events[-2:])
    shop.work()
    late.refresh_from_db()
    lost.refresh_from_db()
    assert (late.status, late.paid_minor) == ("confirmed", 2000)
    assert (lost.status, lost.paid_minor, lost.refunded_minor) == ("expired", 2000, 2000)
    [back] = Refund.objects.all()
    assert back.payment.subject == lost.pk and back.amount == 2000
    assert sorted(subjects()) == sorted(
        [
            *["Payment needed"] * 2,
            *["Booking expired"] * 2,
            "Appointment confirmed",
            "New booking",
            "Time no longer available",
        ]
    )


def test_a_cancellation_refunds_the_payment(shop: Shop, service: Service, time_machine: Any) -> None:
    booking, _ = book(service, time_machine)
    pay(shop, booking)
    page = link_of(booking, "/cancel")
    assert "Your payment of €20.00 will be refunded" in read_page(page)
    Client().post(page)
    shop.work()
    booking.refresh_from_db()
    assert (booking.status, booking.refunded_minor) == ("cancelled", 2000)
    assert "We’ve refunded €20.00 to your" in read_page(link_of(booking))
    other, _ = book(service, time_machine)
    pay(shop, other)
    ids = {"page_id": other.page_id, "booking_id": other.pk}
    assert execute_tool(booking_tools.cancel, Caller(shop.account), ids).data["status"] == "cancelled"
    shop.work()
    assert Payment.objects.get(subject=other.pk).refunded == 2000
    unpaid, _ = book(service, time_machine)
    Client().post(link_of(unpaid, "/cancel"))
    assert not Payment.objects.get(subject=unpaid.pk).is_current, "nobody shall pay it any more"


def test_a_refund_by_the_owner_is_emailed_and_the_booking_remains(
    shop: Shop, service: Service, time_machine: Any
) -> None:
    booking, _ = book(service, time_machine)
    payment = pay(shop, booking)
    for amount, whole in ((5, 500), (15, 2000)):
        execute_tool(refund, Caller(shop.account), {"payment_id": payment.pk, "amount": amount})
        shop.work()
        booking.refresh_from_db()
        assert (booking.status, booking.refunded_minor) == ("confirmed", whole)
    mails = [row.payload for row in Delivery.objects.filter(kind="email").order_by("pk") if row.payload]
    lines = [str(mail) for mail in mails if str(mail["subject"]).startswith("Refund sent: Cut")]
    assert ["5.00 to your" in lines[0], "15.00 to your" in lines[1], len(lines)] == [True, True, 2]


def test_a_request_is_paid_after_approval(shop: Shop, service: Service, time_machine: Any) -> None:
    Service.objects.update(approval=True, payment="full")
    booking, answer = book(service, time_machine)
    assert "/visit/" in answer["Location"] and booking.pending_reason == "approval" and not Payment.objects.exists()
    items = [{"id": booking.pk, "request": "approve"}]
    execute_tool(booking_tools.save_bookings, Caller(shop.account), {"page_id": booking.page_id, "items": items})
    booking.refresh_from_db()
    assert (booking.status, booking.pending_reason) == ("pending_payment", "payment")
    assert subjects() == ["Request sent", "New request", "Payment needed"]
    led = Client().post(link_of(booking, "/pay"))
    assert led["Location"].startswith(shop.stripe.url)
    pay(shop, booking)
    assert (booking.status, booking.paid_minor) == ("confirmed", 6000)


def test_a_slow_payment_holds_the_time_and_a_failed_payment_extends_the_hold_by_a_day(
    shop: Shop, service: Service, time_machine: Any
) -> None:
    booking, _ = book(service, time_machine)
    payment = pay(shop, booking, later=True)
    assert booking.hold_until == booking.starts_at and "Your payment is being processed" in read_page(link_of(booking))
    shop.stripe.bounce(payment.session)
    shop.receive_events(shop.stripe.events[-1])
    shop.work()
    booking.refresh_from_db()
    assert booking.status == "pending_payment" and booking.hold_until > NOW + timedelta(hours=20)  # type: ignore[operator]
    assert "didn’t go through" in read_page(link_of(booking))
    assert Client().post(link_of(booking, "/pay"))["Location"].startswith(shop.stripe.url)


def test_without_stripe_no_time_is_held_and_no_payment_can_be_configured(
    service: Service, shop: Shop, time_machine: Any
) -> None:
    shop.connection.delete()
    html = read_page(f"/b/{service.page.slug}/book", service=service.pk, start=tomorrow("10:00").isoformat())
    assert "Online payment isn’t available right now" in html and "<form" not in html
    other = make_service(make_account())
    items = [{"id": other.pk, "payment": "deposit", "deposit": 20}]
    arguments = {"page_id": other.page_id, "items": items}
    with pytest.raises(InvalidInputError, match="Connect Stripe") as refused:
        execute_tool(tools.save_services, Caller(other.page.account), arguments)
    assert refused.value.issues[0].path == "items.0.payment"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"payment": "full", "price": ""}, "items.0.price"),
        ({"payment": "deposit", "deposit": ""}, "items.0.deposit"),
        ({"payment": "deposit", "deposit": 70}, "items.0.deposit"),
        ({"price": 10}, "items.0.deposit"),
        ({"payment": "full", "price": 0.01}, None),
    ],
)
def test_a_service_paid_online_needs_an_amount(shop: Shop, service: Service, fields: Any, path: str | None) -> None:
    arguments = {"page_id": service.page_id, "items": [{"id": service.pk, **fields}]}
    if path is None:
        execute_tool(tools.save_services, Caller(shop.account), arguments)
        return
    with pytest.raises(InvalidInputError) as refused:
        execute_tool(tools.save_services, Caller(shop.account), arguments)
    assert refused.value.issues[0].path == path
