"""The daily digest: a morning email with the signatures of the previous day.

A class of fifty may sign within an hour, and no one wants fifty emails. The first signature of a day adds the email to
the outbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery import notifications, outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.delivery.notifications import NotificationKind
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.products.waiver.models import Signature, Signing
from workspace.products.waiver.rules.validity import start_of_day
from workspace.storage.database.transactions import write_transaction

DELIVERY_KIND = "waiver.digest"  # kind of the delivery in the outbox
SEND_TIME = time(7)
MAX_NAMES = 50  # per waiver
SIGNED_NOTIFICATION = NotificationKind(
    "waiver.signed",
    owner_gettext_lazy("Waivers signed, daily summary"),
    owner_gettext_lazy("A daily list of the waivers signed the day before"),
    "/app/waiver",
)


def schedule_digest(signing: Signing) -> None:
    account = signing.account
    day = signing.signed_at.astimezone(account.zone).date()
    morning = datetime.combine(day + timedelta(days=1), SEND_TIME, account.zone)
    fields = {"account": account.pk, "day": day.isoformat()}
    outbox.put(DELIVERY_KIND, fields, account=account, dedupe=f"waiver-digest:{account.pk}:{day}", at=morning)


def summarize_day(account: Account, day: date) -> list[dict[str, Any]]:
    """Return how many people signed each waiver, a few of their names, and the number of other names."""
    zone = account.zone
    within = {"created_at__gte": start_of_day(day, zone), "created_at__lt": start_of_day(day + timedelta(days=1), zone)}
    rows = account.signatures.filter(**within).select_related("waiver", "signing").order_by("id")
    of_waivers: dict[str, list[Signature]] = {}
    for row in rows:
        of_waivers.setdefault(row.waiver_id, []).append(row)
    return [_summarize_waiver(signatures) for signatures in of_waivers.values()]


def _summarize_waiver(signatures: Sequence[Signature]) -> dict[str, Any]:
    return {
        "title": signatures[0].waiver.title,
        "count": len(signatures),
        "names": list(_list_names(signatures[:MAX_NAMES])),
        "more": max(0, len(signatures) - MAX_NAMES),
        "page": f"{settings.BASE_URL}/app/waiver/{signatures[0].waiver_id}/signatures",
    }


def _list_names(signatures: Iterable[Signature]) -> Iterable[str]:
    for signature in signatures:
        if signature.is_signer:
            yield signature.name
        else:
            names = {"name": signature.name, "signer": signature.signing.name}
            yield owner_gettext("%(name)s, signed by %(signer)s") % names


class DigestChannel:
    """The outbox channel of daily digests."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> DeliveryState:
        payload = delivery.payload or {}
        with write_transaction():
            account = Account.objects.filter(pk=payload.get("account")).first()
            day = date.fromisoformat(str(payload.get("day")))
            if account is not None and (waivers := summarize_day(account, day)):
                total = sum(waiver["count"] for waiver in waivers)
                notifications.notify_owner(
                    account,
                    SIGNED_NOTIFICATION,
                    "owner/waiver_signed",
                    {"waivers": waivers, "total": total, "day": day},
                )
        return DeliveryState.SENT

    def close(self) -> None:
        pass
