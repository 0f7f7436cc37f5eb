"""A salon's real day: a cut and a colour, what is booked, a request that waits, a lunch that is nobody's."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from workspace.accounts.models import Account
from workspace.products.booking import acting
from workspace.products.booking.acting import Guest
from workspace.products.booking.asking import availability_of
from workspace.products.booking.models import BookingPage
from workspace.products.booking.saving import make_services
from workspace.toolkit import clock
from workspace.toolkit.hours import Window

_WEEK: list[Window] = [
    {"days": ["tue", "wed", "thu", "fri"], "from": "09:00", "until": "13:00"},
    {"days": ["tue", "wed", "thu", "fri"], "from": "14:00", "until": "18:30"},
    {"days": ["sat"], "from": "09:00", "until": "15:00"},
]
_SERVICES: list[dict[str, Any]] = [
    {"name": "Cut", "duration": 45, "price": Decimal(45), "buffer_after": 10, "interval": 15,
     "text": "Wash, cut and blow-dry"},
    {"name": "Colour and cut", "duration": 120, "price": Decimal(110), "buffer_after": 15, "interval": 30,
     "approval": True, "questions": [{"label": "Which colour do you wear now?", "type": "short", "required": True}]},
    {"name": "Fringe", "duration": 15, "price": Decimal(12), "interval": 15, "daily_cap": 6},
]  # fmt: skip
# which service, the how manieth free time of the day, who
_DAY = [
    (0, 0, Guest(name="Amira Said", email="amira@example.net")),
    (2, 6, Guest(name="Ben Okafor", phone="+43 660 1234567")),
    (0, 12, Guest(name="Chiara Rossi", email="chiara@example.org")),
    (1, 2, Guest(name="Deniz Kaya", email="deniz@example.com",
                 answers=({"label": "Which colour do you wear now?", "text": "Dark brown"},))),
]  # fmt: skip


def fill(account: Account) -> None:
    if account.booking_pages.exists():
        return
    page = BookingPage.make(
        account,
        name="Book a visit",
        description="Come as you are. If you are late, call us.",
        place="Hauptstraße 12",
        hours=_WEEK,
    )
    made = make_services(page, _SERVICES, "services")
    page = BookingPage.objects.select_related("account", "resource").get(pk=page.pk)
    day = _next_open(page)
    for number, place, guest in _DAY:
        service = made[number]
        service.page = page
        free = availability_of(page, service.terms(), day, day, service=service).free(day, day)
        if free:
            start = datetime.fromtimestamp(free[min(place, len(free) - 1)], page.zone)
            acting.book(service, start, guest)
    page.bookings.update(remind_at=None)  # nobody has these addresses
    begin = datetime.combine(day + timedelta(days=7), datetime.min.time(), page.zone)
    acting.block(page, begin + timedelta(hours=16), begin + timedelta(hours=18), "Dentist")


def _next_open(page: BookingPage) -> date:
    """The first whole day ahead on which it opens."""
    day = clock.today(page.time_zone)
    opening = page.opening(day, day + timedelta(days=14))
    days = (day + timedelta(days=ahead) for ahead in range(1, 15))
    return next(one for one in days if len(list(opening.windows(one, one))) > 1)
