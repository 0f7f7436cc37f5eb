"""An erased guest leaves a free chair, and nothing that names them."""

from __future__ import annotations

import json

import pytest
from django.core import serializers

from workspace.accounts.privacy import data_subjects
from workspace.delivery.jobs.worker import JobWorker
from workspace.lib.data_subject import DataSubject
from workspace.products.seat.models import Chart, CheckIn, Guest, SeatingPreference, SolverRun, Step, Table
from workspace.testing.api import Api
from workspace.testing.samples.seat import add, make_chart

pytestmark = pytest.mark.django_db


def test_nothing_of_an_erased_guest_is_left_on_a_chart_but_a_free_chair(api: Api) -> None:
    made = make_chart(api)
    id, table = made["chart"]["id"], made["items"][0]["id"]
    ada, ben = add(api, id, {"name": "Ada Quint", "email": "ada@example.com", "notes": "nuts"}, "Ben Berg")
    items = [{"id": ada["id"], "table_id": table, "arrived": True}, {"id": ben["id"], "notes": "Of ada@example.com"}]
    api.run("svc_seat_save_guests", event_id=id, items=items)
    api.run("svc_seat_edit", event_id=id, preferences=[{"kind": "together", "between": [ada["id"], ben["id"]]}])
    api.run("svc_seat_arrange", event_id=id, seconds=1)
    JobWorker().run_once()
    assert SolverRun.objects.get().state
    done = data_subjects.erase_subject(api.account, DataSubject.parse("ada@example.com", ""))
    assert done["guest of a seating chart"] == 1
    left = [
        serializers.serialize("json", model.objects.all())
        for model in (Chart, Table, Guest, SeatingPreference, CheckIn, SolverRun)
    ]
    assert "Quint" not in "".join(left) and "ada@" not in "".join(left)
    assert [guest.name for guest in Guest.objects.all()] == ["Ben Berg"] and not SeatingPreference.objects.exists()
    assert api.run("svc_seat_tables", event_id=id)["items"][0]["guest_count"] == 0
    steps = json.dumps(list(Step.objects.values_list("moves", "guests", "act")))
    assert "Quint" not in steps and "ada@" not in steps
