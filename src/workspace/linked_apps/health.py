"""Whether an application answers. One that does not is left alone for a while, so that nobody waits for it; then one
call tries it, and the first that gets through ends the trouble for all."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from workspace.lib import clock
from workspace.linked_apps.models import LONGEST_PROBLEM, Condition
from workspace.storage.database.transactions import writing

DOWN_AFTER = 3  # slow answers in a row; one that cannot be reached is down at once
FIRST, LONGEST = 5.0, 60.0  # seconds until it is tried again
TRYING = timedelta(seconds=30)  # for which the one that tries has it alone


def of(names: list[str]) -> dict[str, Condition]:
    """Those that are down."""
    return {one.application: one for one in Condition.objects.filter(application__in=names).exclude(down_since=None)}


def may_try(name: str) -> Condition | None:
    """None where it may be called, perhaps as the one that tries whether it is back; else what is wrong with it."""
    found = Condition.objects.filter(pk=name).exclude(down_since=None).first()
    if found is None:
        return None
    now = clock.now()
    if found.next_at is not None and found.next_at > now:
        return found
    with writing():
        mine = Condition.objects.filter(pk=name).filter(Q(next_at=None) | Q(next_at__lte=now))
        return None if mine.update(next_at=now + TRYING) else found


def failed(name: str, problem: str, *, slow: bool = False) -> None:
    """It gave no answer; `slow`: within its time, which may be a single tool's fault."""
    now = clock.now()
    with writing():
        row, _ = Condition.objects.get_or_create(pk=name)
        row = Condition.objects.select_for_update().get(pk=name)
        row.failures = min(row.failures + 1, 1000) if slow or row.down_since else max(DOWN_AFTER, row.failures + 1)
        row.problem = problem[:LONGEST_PROBLEM]
        if row.failures >= DOWN_AFTER:
            row.down_since = row.down_since or now
            pause = min(LONGEST, FIRST * 2 ** min(row.failures - DOWN_AFTER, 8))
            row.next_at = now + timedelta(seconds=pause)
        row.save()


def works(name: str) -> None:
    if Condition.objects.filter(Q(failures__gt=0) | Q(down_since__isnull=False), pk=name).exists():
        with writing():
            Condition.objects.filter(pk=name).update(failures=0, down_since=None, problem="", next_at=None)


def said(title: str, condition: Condition, now: datetime | None = None) -> str:
    """In words, with what follows."""
    assert condition.down_since is not None
    since = f"{condition.down_since:%-d %B %Y, %H:%M} UTC"
    left = (condition.next_at or condition.down_since) - (now or clock.now())
    seconds = max(1, round(left.total_seconds()))
    return f"{title} is down since {since}: {condition.problem}. It is tried again in {seconds} s; all else works"
