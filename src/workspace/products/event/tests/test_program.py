"""A program with all of its parts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace.accounts.models import Account
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Event
from workspace.products.event.tests.programs import SATURDAY, program, session
from workspace.testing.api import make_account

pytestmark = pytest.mark.django_db


@pytest.fixture
def account(db: None) -> Account:
    return make_account()


def test_a_program_is_loaded_with_six_queries_whatever_its_size(account: Account) -> None:
    event = program(account)
    for number in range(12):
        session(event, f"Talk {number}", f"{9 + number // 2:02}:00", room=f"Room {number % 3}", speakers=("Ada", "Bo"))
    early = session(event, "Second day", "09:00", day=SATURDAY)
    result = Event.objects.select_related("account", "publication").get(pk=event.pk)
    with CaptureQueriesContext(connection) as queries:
        whole = Program.load(result)
        first = whole.sessions[0]
        assert (first.title, first.day.date.day, first.room.name if first.room else "") == ("Talk 0", 15, "Room 0")
        assert [speaker.name for speaker in whole.speakers_for(first)] == ["Ada", "Bo"]
        assert whole.sessions[-1] == early
        assert len(whole.clashes) > 0
        assert whole.running_at(early.starts_at).now[0].id == early.pk  # type: ignore[arg-type]
    assert len(queries) == 6


def test_deleted_parts_are_not_in_the_program(account: Account) -> None:
    event = program(account)
    item = session(event, "Talk", "09:00", room="Hall", speakers=("Ada",))
    speaker = event.speakers.get()
    for row in (speaker, item.room):
        assert row is not None
        type(row).objects.filter(pk=row.pk).update(binned_at="2026-01-01T00:00:00Z")
    whole = Program.load(event)
    assert whole.speakers_for(whole.sessions[0]) == []
    assert whole.sessions[0].room is None
