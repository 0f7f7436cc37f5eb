"""To-dos for programs that start soon but have conflicts or are not published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from django.db.models import Min, QuerySet
from django.utils.formats import date_format

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_ngettext
from workspace.products.event.domain.program import Program
from workspace.products.event.models import Event
from workspace.publishing.manifest import TodoItem
from workspace.storage.database.compiled_function import compile_once

LOOKAHEAD = timedelta(days=14)
MAX_PROGRAMS = 3


def list_todo_items(account: Account) -> Sequence[TodoItem]:
    today = clock.today(account.time_zone)
    items = []
    for event in _events_between.fetch_some(MAX_PROGRAMS, account, today, today + LOOKAHEAD):
        page = f"/app/event/{event.pk}"
        if not event.is_published:
            text = owner_gettext("“%(title)s” starts on %(date)s and isn’t published yet.")
            begins = event.begins  # type: ignore[attr-defined]  # annotated below
            items.append(TodoItem(text % {"title": event.title, "date": date_format(begins, "j F")}, page))
        if clashes := len(Program.load(event).clashes):
            text = owner_ngettext(
                "%(count)s schedule conflict in “%(title)s”", "%(count)s schedule conflicts in “%(title)s”", clashes
            )
            items.append(TodoItem(text % {"count": clashes, "title": event.title}, page))
    return items


@compile_once
def _events_between(account: Account, first: date, last: date) -> QuerySet[Event]:
    near: QuerySet[Event] = account.events.filter(days__binned_at=None, days__date__gte=first, days__date__lte=last)
    return near.select_related("publication").annotate(begins=Min("days__date")).order_by("begins")
