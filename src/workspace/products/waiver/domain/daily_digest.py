"""What was signed yesterday, as one mail in the morning: a school's bus signs fifty times within an hour, and nobody
wants fifty mails. The first signature of a day puts its mail into the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings

from workspace.accounts.models import Account
from workspace.delivery import notifications, outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.delivery.notifications import Kind
from workspace.products.waiver.models import Signature, Signing
from workspace.products.waiver.rules.validity import midnight
from workspace.storage.database.transactions import writing

LATER = "waiver.digest"  # the outbox's kind
MORNING = time(7)
NAMED = 50  # of a waiver
NEWS = Kind("waiver.signed", "Waivers signed, once a day", "Somebody signed a waiver the day before", "/app/waiver")


def tell_tomorrow(signing: Signing) -> None:
    account = signing.account
    day = signing.at.astimezone(account.zone).date()
    morning = datetime.combine(day + timedelta(days=1), MORNING, account.zone)
    given = {"account": account.pk, "day": day.isoformat()}
    outbox.put(LATER, given, account=account, dedupe=f"waiver-digest:{account.pk}:{day}", at=morning)


def signed_on(account: Account, day: date) -> list[dict[str, Any]]:
    """Of each waiver how many signed, the first names, and how many more there are."""
    zone = account.zone
    within = {"created_at__gte": midnight(day, zone), "created_at__lt": midnight(day + timedelta(days=1), zone)}
    rows = account.signatures.filter(**within).select_related("waiver", "signing").order_by("id")
    of_waivers: dict[str, list[Signature]] = {}
    for one in rows:
        of_waivers.setdefault(one.waiver_id, []).append(one)
    return [_told(found) for found in of_waivers.values()]


def _told(found: Sequence[Signature]) -> dict[str, Any]:
    return {
        "title": found[0].waiver.title,
        "count": len(found),
        "names": list(_names(found[:NAMED])),
        "more": max(0, len(found) - NAMED),
        "page": f"{settings.BASE_URL}/app/waiver/{found[0].waiver_id}/signatures",
    }


def _names(found: Iterable[Signature]) -> Iterable[str]:
    for one in found:
        yield one.name if one.is_signer else f"{one.name}, signed for by {one.signing.name}"


class Digests:
    """The outbox's way for them."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        payload = delivery.payload or {}
        with writing():
            account = Account.objects.filter(pk=payload.get("account")).first()
            day = date.fromisoformat(str(payload.get("day")))
            if account is not None and (waivers := signed_on(account, day)):
                total = sum(one["count"] for one in waivers)
                notifications.tell(account, NEWS, "waiver_signed", {"waivers": waivers, "total": total, "day": day})
        return State.SENT

    def close(self) -> None:
        pass
