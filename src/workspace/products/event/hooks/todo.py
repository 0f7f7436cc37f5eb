"""To-dos for programs that start soon but have conflicts or are not published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Min
from django.utils.formats import date_format

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_ngettext
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
            text = owner_gettext("“%(title)s” starts on %(date)s and isn’t published yet.")
            items.append(TodoItem(text % {"title": event.title, "date": date_format(event.begins, "F j")}, page))
        if clashes := len(Program.load(event).clashes):
            text = owner_ngettext(
                "%(count)s schedule conflict in “%(title)s”", "%(count)s schedule conflicts in “%(title)s”", clashes
            )
            items.append(TodoItem(text % {"count": clashes, "title": event.title}, page))
    return items
