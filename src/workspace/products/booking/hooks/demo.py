"""Demo data: a realistic fortnight of a salon.

It has past bookings with attendance, upcoming bookings, pending requests, and a blocked time of two hours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.weekly_hours import Window
from workspace.products.booking.domain import booking_actions
from workspace.products.booking.domain.booking_actions import Guest
from workspace.products.booking.domain.page_settings import create_services
from workspace.products.booking.models import AttendanceStatus, Booking, BookingPage, Service

_SAMPLE_HOURS: list[Window] = [
    {"days": ["tue", "wed", "thu", "fri"], "from": "09:00", "until": "13:00"},
    {"days": ["tue", "wed", "thu", "fri"], "from": "14:00", "until": "18:30"},
    {"days": ["sat"], "from": "09:00", "until": "15:00"},
]
_SAMPLE_SERVICES: list[dict[str, Any]] = [
    {"name": "Cut", "duration": 45, "price": Decimal(45), "buffer_after": 10, "interval": 15,
     "text": "Wash, cut and blow-dry"},
    {"name": "Color and cut", "duration": 120, "price": Decimal(110), "buffer_after": 15, "interval": 30,
     "approval": True, "questions": [{"label": "What is your current hair color?", "type": "short", "required": True}]},
    {"name": "Fringe", "duration": 15, "price": Decimal(12), "interval": 15, "daily_cap": 6},
]  # fmt: skip
# bookings in sequence: the index of the service, and the gap in minutes before each
_DAY_PATTERNS = (
    ((0, 0), (0, 5), (2, 20), (0, 0), (1, 15), (0, 35), (2, 5), (0, 0)),
    ((1, 30), (0, 15), (0, 0), (2, 50), (0, 5), (1, 0), (2, 30)),
    ((0, 20), (2, 10), (1, 0), (0, 45), (0, 0), (0, 20), (2, 0), (0, 5)),
)
_SAMPLE_GUESTS = [
    Guest(name="Amira Said", email="amira@example.net"),
    Guest(name="Ben Okafor", phone="+43 660 1234567"),
    Guest(name="Chiara Rossi", email="chiara@example.org"),
    Guest(name="Deniz Kaya", email="deniz@example.com", phone="+43 664 7654321"),
    Guest(name="Elif Demir", email="elif@example.net"),
    Guest(name="František Novák", email="frantisek@example.org"),
    Guest(name="Grace Achieng", phone="+43 676 2345678"),
    Guest(name="Hannah Berger", email="hannah@example.com"),
    Guest(name="Iván Torres", email="ivan@example.net"),
    Guest(name="Jana Maier", email="jana@example.org", phone="+43 699 3456789"),
    Guest(name="Kofi Mensah", email="kofi@example.com"),
    Guest(name="لينا حداد", email="lina@example.net"),
    Guest(name="Marta Kowalska", email="marta@example.org"),
    Guest(name="Nils Lindqvist", email="nils@example.com"),
]
_SAMPLE_ANSWERS = ("Dark brown", "Copper, grown out", "None yet", "Blonde strands")
_SAMPLE_NOTES = {2: "Likes it short at the neck", 9: "Brings her daughter along", 17: "Allergic to henna"}
_LOOKBEHIND_DAYS, _LOOKAHEAD_DAYS = 6, 9  # days before and after today
_NO_SHOW_NUMBER, _REQUEST_COUNT, _CANCELLED_PLACES = (
    7,
    2,
    (4, 13),
)  # the no-show, the number of pending requests, and the upcoming bookings that were cancelled


def fill_account(account: Account) -> None:
    if account.booking_pages.exists():
        return
    page = BookingPage.create_page(
        account,
        name="Book an appointment",
        description="Come as you are. If you are late, call us.",
        place="Hauptstraße 12",
        hours=_SAMPLE_HOURS,
    )
    services = create_services(page, _SAMPLE_SERVICES, "services")
    page = BookingPage.objects.select_related("account", "resource").get(pk=page.pk)
    for service in services:
        service.page = page
    now, today = clock.now(), clock.today(page.time_zone)
    opening = page.opening_hours(today - timedelta(days=_LOOKBEHIND_DAYS), today + timedelta(days=_LOOKAHEAD_DAYS))
    windows = list(
        opening.iterate_windows(today - timedelta(days=_LOOKBEHIND_DAYS), today + timedelta(days=_LOOKAHEAD_DAYS))
    )
    later = [window for window in windows if window.start > now.timestamp()]
    dentist = datetime.fromtimestamp(later[5].end, page.zone)
    booking_actions.create_block(page, dentist - timedelta(hours=2), dentist, "Dentist")
    made, request_count = 0, 0
    for number, window in enumerate(windows):
        end = window.end - (7200 if window is later[5] else 0)
        for start, service in _schedule_services(services, window.start, end, number):
            guest = _build_guest(service, made)
            asks = service.approval and start > now.timestamp() and request_count < _REQUEST_COUNT
            request_count += asks
            booking = booking_actions.create_booking(
                service, datetime.fromtimestamp(start, page.zone), guest, by_owner=not asks, ignore_rules=True
            )
            _set_history(booking, made, now)
            made += 1
    ahead = list(page.bookings.filter(starts_at__gt=now, pending_reason="").order_by("starts_at"))
    for place in _CANCELLED_PLACES:
        booking_actions.cancel_booking(ahead[place], "Has caught a cold", by_guest=True)
    page.bookings.update(remind_at=None)  # these addresses do not exist


def _schedule_services(services: list[Service], start: int, end: int, number: int) -> Iterator[tuple[int, Service]]:
    """Yield start times with services, for as long as they fit into a window."""
    for place, gap in itertools.cycle(_DAY_PATTERNS[number % len(_DAY_PATTERNS)]):
        service = services[place]
        begin = start + gap * 60
        if begin + service.duration * 60 > end:
            return
        yield begin, service
        start = begin + (service.duration + service.buffer_after) * 60


def _build_guest(service: Service, number: int) -> Guest:
    guest = _SAMPLE_GUESTS[number % len(_SAMPLE_GUESTS)]
    answers = [
        {"label": question["label"], "text": _SAMPLE_ANSWERS[number % len(_SAMPLE_ANSWERS)]}
        for question in service.questions
    ]
    return replace(guest, answers=answers)


def _set_history(booking: Booking, number: int, now: datetime) -> None:
    """Set when a booking was made, and the attendance."""
    earlier = booking.starts_at - timedelta(days=2 + number % 9, hours=number % 7)
    booking.created_at, booking.by_owner = min(now - timedelta(hours=number % 5), earlier), number % 6 == 1
    booking.owner_note = _SAMPLE_NOTES.get(number, "")
    if booking.ends_at <= now:
        booking.outcome = AttendanceStatus.NO_SHOW if number == _NO_SHOW_NUMBER else AttendanceStatus.ATTENDED
    booking.save(update_fields=["created_at", "by_owner", "owner_note", "outcome"])
