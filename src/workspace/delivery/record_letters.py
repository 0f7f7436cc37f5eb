"""The end of an account's chain of records, mailed to its owner after each month in which there was something new: who
has kept it can tell a chain that was written anew, also by whoever runs the installation."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from workspace.delivery import mail, news
from workspace.delivery.models import Delivery, Notice
from workspace.delivery.news import Kind
from workspace.records.models import Chain, Record
from workspace.storage.database import writing
from workspace.toolkit import clock

ENDS = Kind("records.end", "Your records", "Once a month: the hash at their end, for you to keep", "/app/account")


def send_ends() -> int:
    """The worker's chore: about what was put on record in the month before; how many were written."""
    now = clock.now()
    this_month = datetime(now.year, now.month, 1, tzinfo=UTC)
    month_before = (this_month - timedelta(days=1)).replace(day=1)
    fresh = Record.objects.filter(at__gte=month_before, at__lt=this_month).values("chain")
    written = 0
    for chain in Chain.objects.filter(pk__in=fresh, closed_at=None).exclude(account=None).select_related("account"):
        key = f"records-end:{chain.pk}:{this_month:%Y-%m}"
        if not Delivery.objects.filter(dedupe=key).exists():
            written += _write(chain, key)
    return written


def _write(chain: Chain, key: str) -> bool:
    account = chain.account
    assert account is not None
    with writing():
        if not Notice.held(account, ENDS.name).is_on:
            return False
        given = {"chain": chain, "account": account, "notices_url": news.page_of_switches()}
        mail.send("records_end", account.owner.email, given, account=account, dedupe=key)
    return True
