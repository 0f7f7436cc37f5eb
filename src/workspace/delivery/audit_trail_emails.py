"""Monthly emails with the last hash of an account's audit trail.

The owner gets an email after each month that added records. An owner who keeps these emails can detect a rewritten
chain, even if the administrator of the instance rewrote it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from workspace.audit_trail.models import Chain, Record
from workspace.delivery import mail, notifications
from workspace.delivery.models import Delivery, NotificationSetting
from workspace.delivery.notifications import NotificationKind
from workspace.lib import clock
from workspace.owner_translation import owner_gettext_lazy
from workspace.storage.database.transactions import write_transaction
from workspace.storage.row_tasks import row_task

CHAIN_END_NOTIFICATION = NotificationKind(
    "records.end",
    owner_gettext_lazy("Audit trail"),
    owner_gettext_lazy("Once a month, the latest hash of your audit trail"),
    "/app/account",
)


def _month_start() -> datetime:
    now = clock.now()
    return datetime(now.year, now.month, 1, tzinfo=UTC)


def _chains_with_new_records() -> QuerySet[Chain]:
    this_month = _month_start()
    month_before = (this_month - timedelta(days=1)).replace(day=1)
    fresh = Record.objects.filter(created_at__gte=month_before, created_at__lt=this_month).values("chain")
    return Chain.objects.filter(pk__in=fresh, closed_at=None).exclude(account=None)


@row_task("delivery.send_audit_trail_ends", lambda: _chains_with_new_records().values_list("pk", flat=True))
def send_chain_ends(id: Any) -> bool:
    """Email the last hash of a chain if it has records from last month. Return whether an email was queued."""
    key = f"records-end:{id}:{_month_start():%Y-%m}"
    if Delivery.objects.filter(dedupe_key=key).exists():
        return False
    chain = Chain.objects.select_related("account").filter(pk=id).exclude(account=None).first()
    return chain is not None and _write_email(chain, key)


def _write_email(chain: Chain, key: str) -> bool:
    account = chain.account
    assert account is not None
    with write_transaction():
        if not NotificationSetting.lock_or_create(account, CHAIN_END_NOTIFICATION.name).is_on:
            return False
        given = {"chain": chain, "account": account, "notices_url": notifications.settings_url()}
        mail.send("owner/audit_trail_end", account.owner.email, given, account=account, dedupe=key)
    return True
