"""What its owner should see to, over all products: what waits, what ends, what is full, what did not arrive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from workspace.accounts.models import Account
from workspace.delivery.mail import health
from workspace.insights import recent_activity
from workspace.insights.recent_activity import Series
from workspace.lib import clock
from workspace.lib.errors import ToolError
from workspace.payments.circuit_breaker import PAGE
from workspace.payments.models import Connection
from workspace.publishing import items

ENDS_WITHIN = timedelta(days=7)
MOST_ENDING = 4
# a plan for one or two things is full by its nature: that is no news
FULL_FROM = 5


@dataclass(frozen=True, slots=True)
class ToDo:
    text: str
    page: str
    icon: str


def needs(account: Account, counts: dict[str, int], came: Sequence[Series]) -> list[ToDo]:
    """`counts`: how many things there are of each kind; `came`: what came in."""
    return [
        *(ToDo(one.arrivals.waits_told(one.waiting), one.arrivals.page, "clock") for one in came if one.waiting),
        *_ending(account),
        *(
            ToDo(need.text, need.page, "warning")
            for product in items.manifests()
            if product.needs is not None and counts.get(product.key)
            for need in product.needs(account)
        ),
        *_refused(account),
        *_undelivered(account),
        *_full(account, counts),
    ]


def _ending(account: Account) -> list[ToDo]:
    now = clock.now()
    return [
        ToDo(
            f"“{one.thing.title}” {_when(one.at, now, account)}",
            f"{urlsplit(one.thing.page).path}/settings",
            "clock",
        )
        for one in recent_activity.ending(account, within=ENDS_WITHIN, most=MOST_ENDING)
    ]


def _when(at: datetime, now: datetime, account: Account) -> str:
    there = at.astimezone(account.zone)
    days = (there.date() - clock.today(account.time_zone)).days
    word = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(days, f"on {there.day} {there:%B}")
    return f"stopped being shown {word}" if at <= now else f"is shown until {word}, {there:%H:%M}"


def _refused(account: Account) -> list[ToDo]:
    refused = Connection.objects.filter(account=account).exclude(trouble="").exists()
    return [ToDo("Stripe refuses your key, so nobody can pay online", PAGE, "warning")] if refused else []


def _undelivered(account: Account) -> list[ToDo]:
    count = health.undelivered(account)
    if not count:
        return []
    mails = "A mail to a guest or to you" if count == 1 else f"{count:,} mails to guests or to you"
    return [ToDo(f"{mails} could not be delivered in the last 7 days", "", "mail")]


def _full(account: Account, counts: dict[str, int]) -> list[ToDo]:
    full = []
    for product in items.manifests():
        if counts.get(product.key, 0) >= FULL_FROM:
            try:
                product.things[0].check_room(account)
            except ToolError as refusal:
                full.append(ToDo(refusal.message, product.home, "info"))
    return full
