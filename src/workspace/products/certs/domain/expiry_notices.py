"""Who was mailed a certificate hears of it a month before it expires. In the outbox stands only when to look; who is
written to is seen at that moment, each once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from workspace.accounts.models import Account
from workspace.delivery import outbox
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import State
from workspace.lib import clock
from workspace.products.certs.domain import emails
from workspace.products.certs.models import Certificate
from workspace.storage.database.transactions import writing

LATER = "certs.ending"  # the outbox's kind
BEFORE = timedelta(days=30)
SHORTEST = timedelta(days=60)  # what counts for less is not written about again
AT_ONCE = 100
_MORNING = time(9)


def look_before_end(one: Certificate) -> None:
    """In the caller's transaction. One look is enough for all of an account's that end on a day."""
    today = clock.today(one.account.time_zone)
    if one.expires_on is None or one.expires_on - SHORTEST < today:
        return
    _put(one.account, one.expires_on)


def _put(account: Account, end: date, after: str = "") -> None:
    at = datetime.combine(end - BEFORE, _MORNING, account.zone)
    payload = {"end": end.isoformat(), "after": after}
    outbox.put(LATER, payload, account=account, at=at, dedupe=f"certs-ending:{account.pk}:{end:%Y%m%d}:{after}")


def tell(account: Account, end: date, after: str = "") -> tuple[int, str]:
    """How many were written to, and behind which certificate more wait; empty for none."""
    rows = account.certificates.select_related("account").filter(expires_on=end, reminded_at=None, is_mailed=True)
    rows = rows.filter(revoked_at=None, replaced_by=None, pk__gt=after).exclude(email="")
    found = list(rows.order_by("pk")[:AT_ONCE])
    told = 0
    for one in found:
        with writing():
            # it may have been revoked, corrected or told of by another worker in the meantime
            still = rows.filter(pk=one.pk).update(reminded_at=clock.now())
            if still:
                emails.ending(one)
                told += 1
    return told, found[-1].pk if len(found) == AT_ONCE else ""


class Looks:
    """The outbox's way for them."""

    delays: Sequence[float] = (60.0, 600.0, 3600.0)

    def send(self, delivery: Delivery) -> State:
        payload = delivery.payload or {}
        account, end = delivery.account, str(payload.get("end", ""))
        if account is not None and end:
            day = date.fromisoformat(end)
            if clock.today(account.time_zone) <= day:
                _, after = tell(account, day, str(payload.get("after", "")))
                if after:
                    _put(account, day, after)
        return State.SENT

    def close(self) -> None:
        pass
