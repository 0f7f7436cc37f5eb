"""Samples of jobs, calendars and address books, for the tests across all tools."""

from __future__ import annotations

from typing import Any

from workspace.delivery import jobs
from workspace.delivery.models import AddressBook, Calendar, ContactCopy
from workspace.delivery.models.address_book import PASSWORD
from workspace.delivery.models.calendar import ADDRESS, CalendarPart
from workspace.storage import encryption
from workspace.testing.api import Api
from workspace.testing.sample_jobs import letters

SAMPLES = {
    "svc_jobs_get": lambda made: {"job_id": made["job"]},
    "svc_jobs_stop": lambda made: {"job_id": made["job"]},
    "svc_calendars_save": lambda made: {"items": [{"id": made["calendar"], "name": "Work"}]},
    "svc_address_books_save": lambda made: {"items": [{"id": made["address_book"], "name": "Mine"}]},
}
LISTS: dict[str, Any] = {}


def create_samples(api: Api) -> dict[str, str]:
    return {"job": jobs.start(api.account, "tests.no_file", letters(2)).pk, "calendar": _calendar(api)} | {
        "address_book": _address_book(api)
    }


def _calendar(api: Api) -> str:
    """Create a calendar directly, because connecting one sends a request to its server."""
    sealed = encryption.encrypt_secret("https://calendar.example/private.ics", api.account.pk, ADDRESS)
    parts: list[CalendarPart] = [{"url": "", "name": "Work", "reads": True, "writes": False}]
    made = Calendar.objects.create(
        account=api.account, kind="ics", name="Old name", host="calendar.example", address=sealed, parts=parts
    )
    return made.pk


def _address_book(api: Api) -> str:
    """Create an address book directly and switched off, so that no worker contacts it."""
    sealed = encryption.encrypt_secret("s3cret", api.account.pk, PASSWORD)
    url = "https://books.example/people/"
    made = AddressBook.objects.create(
        account=api.account,
        name="Old name",
        url=url,
        host="books.example",
        username="olive",
        password=sealed,
        available_books=[{"url": url, "name": "People", "writes": True, "version": "3.0"}],
        target_book=url,
        products=["card"],
        live=False,
    )
    ContactCopy.objects.create(address_book=made, product="card", subject="lead_1", url=f"{url}lead_1.vcf", digest="-")
    return made.pk
