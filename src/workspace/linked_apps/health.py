"""Whether an application answers. One that does not is left alone for a while, so that nobody waits for it; then one
call tries it, and the first that gets through ends the trouble for all."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from workspace.lib import clock
from workspace.linked_apps.models import MAX_PROBLEM_LENGTH, AppHealth
from workspace.storage.database.transactions import write_transaction

FAILURES_UNTIL_DOWN = 3  # slow answers in a row; one that cannot be reached is down at once
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 5.0, 60.0  # seconds until it is tried again
PROBE_LEASE = timedelta(seconds=30)  # for which the one that tries has it alone


def app_health(names: list[str]) -> dict[str, AppHealth]:
    """Those that are down."""
    return {one.application: one for one in AppHealth.objects.filter(application__in=names).exclude(down_since=None)}


def find_outage(name: str) -> AppHealth | None:
    """None where it may be called, perhaps as the one that tries whether it is back; else what is wrong with it."""
    found = AppHealth.objects.filter(pk=name).exclude(down_since=None).first()
    if found is None:
        return None
    now = clock.now()
    if found.next_at is not None and found.next_at > now:
        return found
    with write_transaction():
        mine = AppHealth.objects.filter(pk=name).filter(Q(next_at=None) | Q(next_at__lte=now))
        return None if mine.update(next_at=now + PROBE_LEASE) else found


def record_failure(name: str, problem: str, *, slow: bool = False) -> None:
    """It gave no answer; `slow`: within its time, which may be a single tool's fault."""
    now = clock.now()
    with write_transaction():
        row, _ = AppHealth.objects.get_or_create(pk=name)
        row = AppHealth.objects.select_for_update().get(pk=name)
        row.failures = (
            min(row.failures + 1, 1000) if slow or row.down_since else max(FAILURES_UNTIL_DOWN, row.failures + 1)
        )
        row.last_error = problem[:MAX_PROBLEM_LENGTH]
        if row.failures >= FAILURES_UNTIL_DOWN:
            row.down_since = row.down_since or now
            pause = min(MAX_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** min(row.failures - FAILURES_UNTIL_DOWN, 8))
            row.next_at = now + timedelta(seconds=pause)
        row.save()


def record_success(name: str) -> None:
    if AppHealth.objects.filter(Q(failures__gt=0) | Q(down_since__isnull=False), pk=name).exists():
        with write_transaction():
            AppHealth.objects.filter(pk=name).update(failures=0, down_since=None, last_error="", next_at=None)


def describe_outage(title: str, condition: AppHealth, now: datetime | None = None) -> str:
    """In words, with what follows."""
    assert condition.down_since is not None
    since = f"{condition.down_since:%-d %B %Y, %H:%M} UTC"
    left = (condition.next_at or condition.down_since) - (now or clock.now())
    seconds = max(1, round(left.total_seconds()))
    return f"{title} is down since {since}: {condition.last_error}. It is tried again in {seconds} s; all else works"
