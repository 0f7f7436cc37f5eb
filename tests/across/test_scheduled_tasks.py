"""Scheduled tasks: a failing row never stops the others, in any task."""

from __future__ import annotations

import re
from typing import Any

import pytest

from workspace.accounts import account_deletion
from workspace.billing.reconciliation import NIGHTLY_TASK
from workspace.delivery.address_books.worker import TASK_NAME
from workspace.delivery.calendars.worker import READ_TASK, WRITE_TASK
from workspace.delivery.models import ScheduledTask
from workspace.delivery.outbox import worker
from workspace.delivery.outbox.worker import OutboxWorker
from workspace.lib import clock
from workspace.payments import worker as payments_worker
from workspace.products.booking.domain.scheduled_emails import CLOSURE_TASK, RETURN_TASK
from workspace.storage.models import SetAside
from workspace.storage.row_tasks import RowTask, row_key

pytestmark = pytest.mark.django_db

# These process no single rows: each runs statements over whole tables, or has a single subject. All other tasks are a
# row_task.
WHOLE_TABLE = {
    "delivery.blank_old_deliveries",
    "delivery.probe_mail_server",
    "delivery.delete_old_messages",  # besides the row task delivery.shorten_webhook_logs
    "delivery.delete_old_event_copies",
    "accounts.delete_old_calls",
    "storage.delete_leftover_files",  # each file by run_rows
    "storage.delete_ended_cache_entries",
    "storage.delete_old_failures",
    "accounts.delete_old_refresh_tokens",
    "accounts.delete_unused_oauth_clients",
    "interfaces.delete_ended_sessions",
    "analytics.delete_old_visits",
    "analytics.delete_old_figures",
    "publishing.delete_ended_guest_links",
    "billing.delete_old_invite_mails",
    "billing.delete_old_events",
    "support.delete_old_mail",
    "form.delete_unsent_responses",
    "form.delete_unsent_files",
    "payments.delete_old_events",
}


def test_each_registered_task_processes_its_rows_by_the_shared_helper() -> None:
    others = {duty.name for duty in worker._periodic_tasks if not isinstance(duty.func, RowTask)}
    assert others - WHOLE_TABLE == set(), "make it a storage.row_tasks.row_task"
    assert WHOLE_TABLE - others == set(), "this task no longer exists"


def test_each_task_has_a_unique_name_that_does_not_depend_on_its_module() -> None:
    names = [duty.name for duty in worker._periodic_tasks]
    names += [
        *account_deletion._after_shutdown_hooks,
        payments_worker.RECONCILIATION_TASK,
        NIGHTLY_TASK,
        READ_TASK,
        WRITE_TASK,
        TASK_NAME,
        CLOSURE_TASK,
        RETURN_TASK,
    ]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z_]+\.[a-z]+(_[a-z]+)+", name)] == []


def test_a_stored_name_without_a_task_is_ignored() -> None:
    ScheduledTask.objects.create(name="products.booking.later.remind", due_at=clock.now())
    SetAside.record_failure("products.booking.later.remind", "bok_1", "KeyError: 'Mars/Base'")
    OutboxWorker().run_due_tasks()
    assert {duty.name for duty in worker._periodic_tasks} < set(ScheduledTask.objects.values_list("name", flat=True))
    SetAside.objects.update(failed_at=clock.now() - SetAside.RETENTION)
    SetAside.delete_expired()
    assert not SetAside.objects.exists()


def test_a_failing_row_in_any_registered_task_stops_no_other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [duty.func for duty in worker._periodic_tasks if isinstance(duty.func, RowTask)]
    handled: list[tuple[str, str]] = []
    for task in tasks:
        plant(task, handled, monkeypatch)
    OutboxWorker().run_due_tasks()
    assert len(tasks) > 12
    assert handled == [(task.name, name) for task in tasks for name in ("first", "last")]
    rows = SetAside.objects.values_list("task", "row", "error")
    assert sorted(rows) == sorted((task.name, "bad", "KeyError: 'Mars/Base'") for task in tasks)


def plant(task: RowTask, handled: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the rows of a task: one that raises, between two that do not. Other rows are processed normally."""
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
