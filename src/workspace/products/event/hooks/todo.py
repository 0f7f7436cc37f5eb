"""What an owner should see to: a program that is near, and clashes or is not published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Min

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.text import counted
from workspace.products.event.domain.program import Program
from workspace.publishing.manifest import Need

NEAR = timedelta(days=14)
LOOKED_AT = 3  # programs


def needs(account: Account) -> Sequence[Need]:
    today = clock.today(account.time_zone)
    near = account.events.filter(days__binned_at=None, days__date__gte=today, days__date__lte=today + NEAR)
    found = []
    for event in near.select_related("publication").annotate(begins=Min("days__date")).order_by("begins")[:LOOKED_AT]:
        page = f"/app/event/{event.pk}"
        if not event.is_published:
            found.append(Need(f"“{event.title}” begins {event.begins:%-d %B}, and guests do not see it yet", page))
        if clashes := len(Program.of(event).clashes):
            found.append(Need(f"{counted(clashes, 'clash', 'clashes')} in “{event.title}”", page))
    return found
