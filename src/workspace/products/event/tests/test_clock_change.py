"""A program across a clock change shows the place of its times, not one of the two names of its zone."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.test import Client

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.event.models import Day
from workspace.products.event.tests.programs import program, session

pytestmark = pytest.mark.django_db
SATURDAY, SUNDAY = date(2026, 10, 24), date(2026, 10, 25)


@pytest.mark.parametrize(
    ("days", "language", "line"),
    [
        ((SATURDAY,), "en", "Times: Central European Summer Time (Berlin)"),
        ((SATURDAY, SUNDAY), "en", "Times in Berlin"),
        ((SATURDAY, SUNDAY), "es", "Horas de Berlin"),
    ],
)
def test_the_line_names_the_place_across_a_clock_change(
    account: Account,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    days: tuple[date, ...],
    language: str,
    line: str,
) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 10, 1, 12, tzinfo=UTC))
    event = program(account, zone="Europe/Berlin")
    Day.objects.bulk_create([Day(event=event, date=day) for day in days])
    for day in days:
        session(event, f"Concert {day}", "10:00", "11:00", day=day)
    html = client.get(f"/e/{event.slug}", {"lang": language}).content.decode()
    assert f"<span>{line}</span>" in html
