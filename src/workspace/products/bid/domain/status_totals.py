"""Totals of an account's proposals by status, computed by a single query."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import BigIntegerField, Case, Count, F, FilteredRelation, Q, QuerySet, Sum, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.products.bid.models import OPEN_STATUSES, Proposal, Status
from workspace.products.bid.rules.totals import to_major_units
from workspace.publishing.manifest import MoneyTotal


@dataclass(frozen=True, slots=True)
class StatusTotal:
    """The proposals with one status and currency. Expired ones are separate.

    `recent` and `recent_total` cover those decided, sent or, for drafts, created since a given time. Totals are the
    agreed ones, or else those first shown, in minor units.
    """

    status: str
    expired: bool
    currency: str
    count: int
    total: int
    recent: int
    recent_total: int


def compute_status_totals(account: Account, since: datetime) -> list[StatusTotal]:
    """Return the totals of proposals that are not archived, in the order of their lifecycle."""
    today = clock.today(account.time_zone)
    over = Case(When(status__in=OPEN_STATUSES, valid_until__lt=today, then=Value(True)), default=Value(False))
    agreed = Cast(KeyTextTransform("total", "standing__totals"), BigIntegerField())
    moment = Coalesce("decided_at", "sent_at", "created_at")
    result: QuerySet[Any] = (
        Proposal.objects.filter(account=account, archived_at=None)
        .order_by()
        .annotate(standing=FilteredRelation("decisions", condition=Q(decisions__is_current=True)))
        .annotate(over=over, worth=Coalesce(agreed, F("total")), moment=moment)
        .values("status", "over", "currency")
        .annotate(
            count=Count("pk"),
            all_of=Sum("worth"),
            recent=Count("pk", filter=Q(moment__gte=since)),
            recent_of=Sum("worth", filter=Q(moment__gte=since), default=0),
        )
        .values_list("status", "over", "currency", "count", "all_of", "recent", "recent_of")
    )
    stages = [StatusTotal(*row) for row in result]
    order = list(Status)
    return sorted(stages, key=lambda stage: (order.index(Status(stage.status)), stage.expired, stage.currency))


def compute_money_totals(account: Account, since: datetime) -> list[MoneyTotal]:
    """Return the totals in the format of the account's overview."""
    return [
        {
            "status": "expired" if stage.expired else stage.status,
            "currency": stage.currency,
            "count": stage.count,
            "total": to_major_units(stage.total, stage.currency),
            "recent": stage.recent,
            "recent_total": to_major_units(stage.recent_total, stage.currency),
        }
        for stage in compute_status_totals(account, since)
    ]
