"""A hundred who want the same time at once, as guests and by the owner's tools, from several processes: one has it, and
all others are told where there is room."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, connections

from workspace.accounts.door import Caller, perform
from workspace.products.booking import booking_tools
from workspace.products.booking.acting import Guest, book
from workspace.products.booking.holding import NotFree
from workspace.products.booking.models import Booking, Service, Status
from workspace.products.booking.tests.pages import make_service
from workspace.publishing.guest_page import acting
from workspace.storage.trouble import Kept
from workspace.testing import make_account
from workspace.toolkit import clock
from workspace.toolkit.errors import Unavailable

pytestmark = pytest.mark.django_db(transaction=True)
PROCESSES, EACH = 4, 25


def _by_page(service: Service, start: str, name: str) -> None:
    with acting(service.page.publication_id):
        book(service, datetime.fromisoformat(start), Guest(name=name))


def _by_tool(service: Service, start: str, name: str) -> None:
    item = {"service_id": service.pk, "start": start, "name": name}
    perform(booking_tools.save_bookings, Caller(service.page.account), {"page_id": service.page_id, "items": [item]})


def _one(id: str, start: str, number: int, name: str) -> str:
    service = Service.objects.select_related("page__resource", "page__account").get(pk=id)
    while True:
        try:
            (_by_page if number % 2 else _by_tool)(service, start, name)
            return "booked"
        except NotFree as refusal:
            return f"{refusal.told}, {len(refusal.nearest)} others"
        except (Kept, Unavailable):  # a machine with much to do: a server asks its guest to come again
            continue


def _many(number: int, service: str, start: str, ready: Any, told: Any) -> None:
    """In a process of its own."""
    connections.close_all()
    ready.wait(60)
    told.put([_one(service, start, n, f"Guest {number}-{n}") for n in range(EACH)])
    connection.close()


def test_of_a_hundred_at_once_one_has_the_time_and_the_others_read_where_there_is_room() -> None:
    service = make_service(make_account())
    day = clock.now().date().replace(year=clock.now().year + 1, day=1)
    Service.objects.update(horizon=730)
    start = datetime(day.year, day.month, 1, 10, tzinfo=UTC)
    connections.close_all()
    processes = multiprocessing.get_context("fork")
    ready, told = processes.Barrier(PROCESSES), processes.Queue()
    given = (service.pk, start.isoformat(), ready, told)
    started = [processes.Process(target=_many, args=(number, *given)) for number in range(PROCESSES)]
    for process in started:
        process.start()
    answers = Counter(answer for _ in started for answer in told.get(timeout=120))
    for process in started:
        process.join(60)
    assert answers == {"booked": 1, "This time has just been taken, 3 others": PROCESSES * EACH - 1}
    [booking] = Booking.objects.all()
    assert (booking.status, booking.starts_at) == (Status.CONFIRMED, start)
