"""Every tool that writes is taken back: each row of each table is again what it was, with its id."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from tests.across.samples import SAMPLES, things_for
from workspace.accounts.models import CallQuota, Change, Upload
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.products.bid.models import NumberSequence
from workspace.products.seat.models import Chart
from workspace.publishing.models import Publication, PublishedItem
from workspace.publishing.models.search_document import SearchDocument
from workspace.storage.models import SealingKey
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

WRITES = sorted(tool.name for tool in CATALOG if not tool.reads)

# What cannot be taken back, and why.
EXCEPTIONS = {
    # nobody is shown it until another tool uses it, which can be taken back
    "svc_upload_file": "an upload that nothing uses goes by itself within a day",
}

# What reaches people, or stands on record for good: the answer says so before anybody counts on taking it back.
FOR_GOOD = {
    "svc_booking_cancel": "What is booked, moved or cancelled is told to people and not taken back",
    "svc_bid_send": "A mail cannot be called back",
    "svc_bid_decide": "What is on record stays as it was",
    "svc_waiver_void": "What is on record stays as it was",
    "svc_payments_refund": "Money that is on its way back is not called back",
    "svc_waiver_invite": "A mail cannot be called back",
    "svc_certs_sample": "A mail cannot be called back",
    "svc_invite_send": "Mail that has left is not called back",
    "svc_support_reply": "What was told to the team is not called back",
}

# what was done stays told, calls stay counted, a key that has sealed something once is to be kept, and a number is
# given out once
APART = (Change, CallQuota, SealingKey, NumberSequence)
# where a code led, of which undoing is one more line; what a form asked, which nobody sees once that is taken back; a
# job that was stopped, which stays told for a week; what was done to a chart, step by step; a mail that was withdrawn,
# of which nothing is left but that
HISTORIES = (
    "qr.DestinationChange",
    "form.FormVersion",
    "delivery.Job",
    "delivery.JobItem",
    "seat.Step",
    "seat.SolverRun",
    "delivery.Delivery",
)

Rows = dict[tuple[type[Model], Any], dict[str, Any]]


@pytest.mark.parametrize("name", sorted(set(WRITES) - {*EXCEPTIONS, *FOR_GOOD}))
def test_what_a_tool_did_is_taken_back_in_every_row(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = SAMPLES[name](made)
    before, versions = _rows(), _versions()
    change = api.run(name, **arguments)["change"]
    assert change is not None and "cannot_be_undone" not in change, change
    assert _rows() != before, "there is something to take back"
    api.run("svc_undo", change_id=change["id"])
    after = _rows()
    assert {key: after.get(key) for key in before} == before
    left = {key: row for key, row in after.items() if key not in before and key[0]._meta.label not in HISTORIES}
    assert all(row.get("binned_at") for row in left.values()), f"what is new and not in the bin: {left}"
    assert all(_versions()[pk] >= version for pk, version in versions.items())


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_what_is_only_sent_says_that_it_goes_by_itself_and_does(name: str, api: Api, time_machine: Any) -> None:
    arguments = SAMPLES[name](things_for(name, api))
    _let_a_day_pass(time_machine)  # what was sent for the sample itself goes, too
    before = _rows()
    status, body = api.post("call", {"name": name, "arguments": arguments})
    assert status == 200 and body["data"]["change"] is None
    assert "within a day" in body["text"]
    _let_a_day_pass(time_machine)
    assert _rows() == before


def _let_a_day_pass(time_machine: Any) -> None:
    time_machine.move_to(clock.now() + timedelta(days=1, seconds=1))
    Upload.delete_expired()


@pytest.mark.parametrize("name", sorted(FOR_GOOD))
def test_what_is_done_for_good_says_so_and_is_not_taken_back(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    change = api.run(name, **SAMPLES[name](made))["change"]
    assert change["cannot_be_undone"] == FOR_GOOD[name]
    done = _rows()
    assert "cannot be taken back" in api.refuse("svc_undo", change_id=change["id"])["message"]
    assert _rows() == done


def test_nine_of_ten_tools_that_write_can_be_taken_back() -> None:
    assert {*EXCEPTIONS, *FOR_GOOD} <= set(WRITES)
    # as one rounds: of 87 it is 78 and a third, and what cannot be are mails, money and records
    assert round(10 * (len(WRITES) - len(FOR_GOOD)) / len(WRITES)) >= 9


def _rows() -> Rows:
    """Every row of every table, without what only grows: versions, and the moment of the last change."""
    models = [model for model in apps.get_models() if model._meta.managed and model not in APART]
    return {(model, row["pk"]): row for model in models for row in model._base_manager.values("pk", *_columns(model))}


def _columns(model: type[Model]) -> list[str]:
    grows = {Publication: {"version"}, SearchDocument: {"changed_at"}, Chart: {"version", "updated_at"}}.get(
        model, {"updated_at"} if issubclass(model, PublishedItem) else set()
    )
    return [column.attname for column in model._meta.concrete_fields if column.attname not in grows]


def _versions() -> dict[str, int]:
    return dict(Publication._base_manager.values_list("pk", "version"))
