"""A hundred simultaneous bookings of the same time, by guests and by tools, in several processes.

One succeeds. All others get available times."""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection

from workspace.accounts.dispatch import Caller, execute_tool
from workspace.lib import clock
from workspace.lib.errors import UnavailableError
from workspace.products.booking.api import booking_tools
from workspace.products.booking.domain.booking_actions import Guest, create_booking
from workspace.products.booking.domain.locks import SlotUnavailableError
from workspace.products.booking.models import Booking, Service, Status
from workspace.products.booking.tests.pages import make_service
from workspace.public_site.guest_page import guest_transaction
from workspace.storage.database.errors import DatabaseTimeoutError
from workspace.testing import separate_process
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db(transaction=True)
PROCESSES, EACH = 4, 25


def _by_page(service: Service, start: str, name: str) -> None:
    with guest_transaction(service.page.publication_id):
        create_booking(service, datetime.fromisoformat(start), Guest(name=name))


def _by_tool(service: Service, start: str, name: str) -> None:
    item = {"service_id": service.pk, "start": start, "name": name}
    execute_tool(
        booking_tools.save_bookings, Caller(service.page.account), {"page_id": service.page_id, "items": [item]}
    )


def _book_once(id: str, start: str, number: int, name: str) -> str:
    service = Service.objects.select_related("page__resource", "page__account").get(pk=id)
    while True:
        try:
            (_by_page if number % 2 else _by_tool)(service, start, name)
            return "booked"
        except SlotUnavailableError as refusal:
            return f"{refusal.guest_message}, {len(refusal.nearest_times)} others"
        except (
            DatabaseTimeoutError,
            UnavailableError,
        ):  # the machine is busy; a server would ask the guest to try again
            continue


def book_many(number: str, service: str, start: str) -> None:
    """Book the same time again and again in another process, and print the answers."""
    sys.stdout.write(json.dumps([_book_once(service, start, n, f"Guest {number}-{n}") for n in range(EACH)]))


def _in_processes(service: str, start: str, folder: Path) -> list[str]:
    this = f"{__name__}:{book_many.__name__}"
    running = []
    for number in range(PROCESSES):
        with (folder / str(number)).open("wb") as told:
            running.append(separate_process.start(this, str(number), service, start, stdout=told))
    assert [process.wait(120) for process in running] == [0] * PROCESSES
    return [answer for number in range(PROCESSES) for answer in json.loads((folder / str(number)).read_text())]


def _in_threads(service: str, start: str, folder: Path) -> list[str]:
    """Use threads, whose connections to a database server are as separate as those of processes."""

    def book(number: int) -> str:
        try:
            return _book_once(service, start, number, f"Guest {number}")
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        return list(pool.map(book, range(PROCESSES * EACH)))


def test_one_of_a_hundred_gets_the_time_and_the_others_get_alternatives(tmp_path: Path) -> None:
    service = make_service(make_account(), max_days_ahead=730)
    start = datetime(clock.now().year + 1, 6, 1, 10, tzinfo=UTC)
    many = _in_processes if connection.vendor == "sqlite" else _in_threads
    answers = Counter(many(service.pk, start.isoformat(), tmp_path))
    assert answers == {"booked": 1, "This time was just booked. Choose another time., 3 others": PROCESSES * EACH - 1}
    [booking] = Booking.objects.all()
    assert (booking.status, booking.starts_at) == (Status.CONFIRMED, start)
