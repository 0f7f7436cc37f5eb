"""Scheduled tasks: one bad row never stops the others, whatever the task."""

from __future__ import annotations

from typing import Any

import pytest

from workspace.delivery import worker
from workspace.delivery.worker import Worker
from workspace.storage.models import SetAside
from workspace.storage.row_tasks import RowTask, row_key

pytestmark = pytest.mark.django_db

# These go through no rows: each runs statements over whole tables, or looks at one thing. Any other task is a row_task.
WHOLE_TABLE = {
    "delivery.models.delivery.Delivery.blank_old",
    "delivery.smtp.look_again",
    "delivery.models.webhook.Message.forget_old",  # and the row task shorten_logs
    "delivery.calendars.pushing.forget_old",
    "delivery.apps.forget_old_calls",
    "storage.files.sweep",  # each file by run_rows
    "storage.shared_cache.forget_ended",
    "storage.models.SetAside.forget_old",
    "accounts.models.oauth.OAuthRefreshToken.forget_old",
    "accounts.models.oauth.OAuthClient.forget_unused",
    "interfaces.sign_in.housekeeping.forget_sessions",
    "publishing.housekeeping.forget",
    "publishing.housekeeping.forget_figures",
    "publishing.guest_links.forget_ended",
    "billing.sweeping.forget",
    "billing.models.event.BillingEvent.forget_old",
    "support.apps.forget_old_mail",
    "products.form.submitting.forget_begun",
    "products.form.models.file.GuestFile.forget_waiting",
    "payments.models.event.ProviderEvent.forget_old",
}


def test_each_registered_task_goes_through_its_rows_by_the_one_helper() -> None:
    others = {duty.name for duty in worker._duties if not isinstance(duty.func, RowTask)}
    assert others - WHOLE_TABLE == set(), "make it a storage.row_tasks.row_task"
    assert WHOLE_TABLE - others == set(), "this task no longer exists"


def test_a_raising_row_planted_in_each_registered_task_stops_no_other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [duty.func for duty in worker._duties if isinstance(duty.func, RowTask)]
    handled: list[tuple[str, str]] = []
    for task in tasks:
        plant(task, handled, monkeypatch)
    Worker().keep_house()
    assert len(tasks) > 12
    assert handled == [(task.name, name) for task in tasks for name in ("first", "last")]
    rows = SetAside.objects.values_list("task", "row", "error")
    assert sorted(rows) == sorted((task.name, "bad", "KeyError: 'Mars/Base'") for task in tasks)


def plant(task: RowTask, handled: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that raises between two that do not; what there is beside them has its real function."""
    work = task.handle

    def handle(id: Any) -> object:
        if id == "bad":
            raise KeyError("Mars/Base")
        if id in ("first", "last"):
            handled.append((task.name, row_key(id)))
            return 0
        return work(id)

    due = task.due
    monkeypatch.setattr(task, "handle", handle)
    monkeypatch.setattr(task, "due", lambda: ["first", "bad", "last", *due()])
