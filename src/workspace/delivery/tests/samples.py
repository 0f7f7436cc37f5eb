"""What the tests across all tools need to know of jobs and calendars."""

from __future__ import annotations

from typing import Any

from workspace.delivery import jobs
from workspace.delivery.models import Calendar
from workspace.delivery.models.calendar import ADDRESS
from workspace.delivery.tests import working
from workspace.storage import secrets
from workspace.testing import Api

SAMPLES = {
    "svc_jobs_get": lambda made: {"job_id": made["job"]},
    "svc_jobs_stop": lambda made: {"job_id": made["job"]},
    "svc_calendar_save": lambda made: {"items": [{"id": made["calendar"], "name": "Work"}]},
}
LISTS: dict[str, Any] = {}


def make(api: Api) -> dict[str, str]:
    return {"job": jobs.start(api.account, "tests.no_file", working.letters(2)).pk, "calendar": _calendar(api)}


def _calendar(api: Api) -> str:
    """One that is there, since connecting one asks its address."""
    sealed = secrets.seal("https://calendar.example/private.ics", api.account.pk, ADDRESS)
    parts = [{"url": "", "name": "Work", "reads": True, "writes": False}]
    made = Calendar.objects.create(
        account=api.account, kind="ics", name="Old name", host="calendar.example", address=sealed, parts=parts
    )
    return made.pk
