"""An account's usage for the administrator's command: numbers only, no content."""

from __future__ import annotations

from typing import TypedDict

from django.db.models import Count, QuerySet, Sum

from workspace.accounts.models import Account, Membership
from workspace.delivery.models import DeliveryState
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.publishing.models import VisitCounter
from workspace.rate_limits.models import CallQuota


class AccountUsage(TypedDict):
    """The usage of an account. `things` has the number of items by product, and `visits` the number of all visits."""

    id: str
    name: str
    owner: str
    since: str
    closes: str | None
    suspended_since: str | None
    suspended_for: str
    plans: dict[str, str]
    event_credits: int
    things: dict[str, int]
    visits: int
    keys: int
    calls_today: int
    uploads: int
    upload_bytes: int
    waiting: int
    parked: int


def search_owners(query: str = "") -> QuerySet[Membership]:
    """Return the owners of all accounts, newest account first.

    With `query`, return those whose business name or email contains it.
    """
    owners = Membership.objects.filter(role=Membership.OWNER).select_related("account", "person")
    if query.strip():
        # compared in Python, because SQLite's LIKE does not match É with é
        wanted, owner_texts = search_key(query), owners.values_list("pk", "account__name", "person__email")
        owners = owners.filter(
            pk__in=[pk for pk, name, email in owner_texts if wanted in search_key(name) or wanted in email]
        )
    return owners.order_by("-account__created_at", "-account_id")


def compute_usage(account: Account) -> AccountUsage:
    published = account.publications.filter(deleted_at=None).order_by()
    uploads = account.uploads.aggregate(number=Count("pk"), size=Sum("size"))
    buckets = CallQuota.objects.filter(day=clock.now().date())
    mine = [key.bucket for key in account.keys.all()]
    calls = buckets.filter(key__in=mine) | buckets.filter(key__startswith=f"oauth:{account.pk}:")
    states = dict(account.deliveries.order_by().values_list("state").annotate(Count("pk")))
    return {
        "id": account.pk,
        "name": account.name,
        "owner": account.owner.email,
        "since": str(clock.to_iso(account.created_at)),
        "closes": clock.to_iso(account.closes_at) if account.closes_at else None,
        "suspended_since": clock.to_iso(account.banned_at) if account.banned_at else None,
        "suspended_for": account.ban_reason,
        "plans": account.plans,
        "event_credits": account.event_credits,
        "things": dict(published.values_list("kind").annotate(Count("pk"))),
        "visits": VisitCounter.objects.filter(publication__account=account, detail="").aggregate(all=Sum("total"))[
            "all"
        ]
        or 0,
        "keys": account.keys.filter(revoked_at=None).count(),
        "calls_today": calls.aggregate(all=Sum("used"))["all"] or 0,
        "uploads": uploads["number"],
        "upload_bytes": uploads["size"] or 0,
        "waiting": states.get(DeliveryState.WAITING, 0) + states.get(DeliveryState.LEASED, 0),
        "parked": states.get(DeliveryState.PARKED, 0),
    }
