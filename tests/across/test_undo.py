"""Undo of every tool that writes: each row of each table is restored with its id."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from tests.across.samples import SAMPLES, things_for
from workspace.accounts.models import Change, Upload
from workspace.insights.search import rebuild_index
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.products.bid.models import NumberSequence
from workspace.products.seat.models import Chart
from workspace.publishing.models import Publication, PublishedItem
from workspace.publishing.models.search_document import SearchDocument
from workspace.rate_limits.models import CallQuota
from workspace.storage.models import SealingKey
from workspace.testing.api import Api

pytestmark = pytest.mark.django_db

WRITES = sorted(tool.name for tool in CATALOG if not tool.reads)

# Tools that cannot be undone, with the reason.
EXCEPTIONS = {
    # hidden until another tool uses it, which can be undone
    "svc_upload_file": "an upload that nothing uses goes by itself within a day",
}

# Tools that contact people or write permanent records. The answer says so in advance.
FOR_GOOD = {
    "svc_booking_cancel": "Clients were notified, so this can't be undone",
    "svc_bid_send": "A sent email can't be recalled",
    "svc_bid_decide": "Records can’t be changed",
    "svc_waiver_void": "Records can’t be changed",
    "svc_payments_refund": "A refund can't be undone",
    "svc_waiver_invite": "A sent email can't be recalled",
    "svc_certs_sample": "A sent email can't be recalled",
    "svc_invite_send": "Sent emails can't be recalled",
    "svc_support_reply": "Messages to support can't be recalled",
}

# Activity and call counts are permanent, encryption keys in use must be stored, and a number is used only once.
APART = (Change, CallQuota, SealingKey, NumberSequence)
# Histories that an undo extends or keeps: former targets of a code, hidden versions of a form, stopped jobs (for a
# week), steps of a chart, and withdrawn emails without content.
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
def test_undo_restores_every_row_that_a_tool_changed(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    arguments = SAMPLES[name](made)
    before, versions = _read_all_rows(), _versions()
    change = api.run(name, **arguments)["change"]
    assert change is not None and "cannot_be_undone" not in change, change
    assert _read_all_rows() != before, "there is something to take back"
    _assert_index_is_current()
    api.run("svc_undo", change_id=change["id"])
    _assert_index_is_current()
    after = _read_all_rows()
    assert {key: after.get(key) for key in before} == before
    left = {key: row for key, row in after.items() if key not in before and key[0]._meta.label not in HISTORIES}
    assert all(row.get("binned_at") for row in left.values()), f"what is new and not in the bin: {left}"
    assert all(_versions()[pk] >= version for pk, version in versions.items())


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_an_unused_upload_expires_and_the_answer_says_so(name: str, api: Api, time_machine: Any) -> None:
    arguments = SAMPLES[name](things_for(name, api))
    _let_a_day_pass(time_machine)  # so that uploads of the sample itself expire, too
    before = _read_all_rows()
    status, body = api.post("call", {"name": name, "arguments": arguments})
    assert status == 200 and body["data"]["change"] is None
    assert "within a day" in body["text"]
    _let_a_day_pass(time_machine)
    assert _read_all_rows() == before


def _let_a_day_pass(time_machine: Any) -> None:
    time_machine.move_to(clock.now() + timedelta(days=1, seconds=1))
    Upload.delete_expired()


@pytest.mark.parametrize("name", sorted(FOR_GOOD))
def test_a_permanent_change_says_so_and_cannot_be_undone(name: str, furnished: tuple[Api, dict[str, str]]) -> None:
    api, made = furnished
    change = api.run(name, **SAMPLES[name](made))["change"]
    assert change["cannot_be_undone"] == FOR_GOOD[name]
    done = _read_all_rows()
    assert "can’t be undone" in api.refuse("svc_undo", change_id=change["id"])["message"]
    assert _read_all_rows() == done


def test_nine_of_ten_tools_that_write_can_be_undone() -> None:
    assert {*EXCEPTIONS, *FOR_GOOD} <= set(WRITES)
    # rounded: of 87 it is 78 and a third; emails, money and records cannot be undone
    assert round(10 * (len(WRITES) - len(FOR_GOOD)) / len(WRITES)) >= 9


def _read_all_rows() -> Rows:
    """Return every row of every table, without versions and times of change, which only increase."""
    models = [model for model in apps.get_models() if model._meta.managed and model not in APART]
    return {(model, row["pk"]): row for model in models for row in model._base_manager.values("pk", *_columns(model))}


def _assert_index_is_current() -> None:
    """Compare the search index with a rebuilt one."""
    columns = ("publication_id", "account_id", "kind", "item_id", "title", "text")
    written = set(SearchDocument.objects.values_list(*columns))
    rebuild_index()
    assert set(SearchDocument.objects.values_list(*columns)) == written


def _columns(model: type[Model]) -> list[str]:
    grows = {Publication: {"version"}, SearchDocument: {"changed_at"}, Chart: {"version", "updated_at"}}.get(
        model, {"updated_at"} if issubclass(model, PublishedItem) else set()
    )
    return [column.attname for column in model._meta.concrete_fields if column.attname not in grows]


def _versions() -> dict[str, int]:
    return dict(Publication._base_manager.values_list("pk", "version"))
