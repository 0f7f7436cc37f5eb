"""To-dos for programs that start soon and have conflicts or are not published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Min

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.text import format_count
from workspace.products.event.domain.program import Program
from workspace.publishing.manifest import TodoItem

LOOKAHEAD = timedelta(days=14)
MAX_PROGRAMS = 3


def list_todo_items(account: Account) -> Sequence[TodoItem]:
    today = clock.today(account.time_zone)
    near = account.events.filter(days__binned_at=None, days__date__gte=today, days__date__lte=today + LOOKAHEAD)
    items = []
    for event in (
        near.select_related("publication").annotate(begins=Min("days__date")).order_by("begins")[:MAX_PROGRAMS]
    ):
        page = f"/app/event/{event.pk}"
        if not event.is_published:
            items.append(TodoItem(f"“{event.title}” begins {event.begins:%-d %B}, and guests do not see it yet", page))
        if clashes := len(Program.load(event).clashes):
            items.append(TodoItem(f"{format_count(clashes, 'clash', 'clashes')} in “{event.title}”", page))
    return items
