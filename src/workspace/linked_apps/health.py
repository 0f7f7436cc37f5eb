"""Health of linked apps, with a circuit breaker.

If an app does not respond, it is not called for a while, so that no one waits for it. Then one call probes it, and the
first success ends the outage for everyone.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from workspace.lib import clock
from workspace.linked_apps import messages
from workspace.linked_apps.models import MAX_PROBLEM_LENGTH, AppHealth
from workspace.storage.database.transactions import write_transaction

FAILURES_UNTIL_DOWN = 3  # slow responses in a row; an unreachable app is down immediately
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 5.0, 60.0  # delay before the next probe
PROBE_LEASE = timedelta(seconds=30)  # time during which only one call probes


def app_health(names: list[str]) -> dict[str, AppHealth]:
    """Return the health of the apps that are down, keyed by name."""
    return {one.application: one for one in AppHealth.objects.filter(application__in=names).exclude(down_since=None)}


def find_outage(name: str) -> AppHealth | None:
    """Return the outage of an app, or None if it may be called, possibly as a probe."""
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
    """Record that an app did not respond.

    `slow` means that only a time limit was exceeded, which a single tool may have caused.
    """
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
    """Describe an outage and the next attempt."""
    assert condition.down_since is not None
    since = f"{condition.down_since:%-d %B %Y, %H:%M} UTC"
    left = (condition.next_at or condition.down_since) - (now or clock.now())
    seconds = max(1, round(left.total_seconds()))
    values = {"title": title, "since": since, "problem": condition.last_error, "seconds": seconds}
    return str(messages.UNAVAILABLE(**values))
