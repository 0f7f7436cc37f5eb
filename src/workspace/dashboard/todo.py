"""To-dos of an owner over all products: waiting submissions, expiring items, reached limits, failed deliveries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from workspace.accounts.models import Account
from workspace.delivery.mail import health
from workspace.insights import recent_activity
from workspace.insights.recent_activity import SubmissionSeries
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payments.models import Connection
from workspace.payments.provider_calls import PAGE_PATH
from workspace.payments.provider_registry import get_title
from workspace.publishing import items

ENDING_PERIOD = timedelta(days=7)
MAX_ENDING = 4
# a plan with one or two items is full by nature, which is not worth a to-do
MIN_COUNT_FOR_LIMIT = 5


@dataclass(frozen=True, slots=True)
class ToDo:
    text: str
    page: str
    icon: str


def list_todos(
    account: Account, item_counts: dict[str, int], recent_submissions: Sequence[SubmissionSeries]
) -> list[ToDo]:
    """Return the to-dos. `item_counts` are items by kind, `recent_submissions` recent submissions."""
    return [
        *(
            ToDo(one.source.format_waiting(one.waiting), one.source.page, "clock")
            for one in recent_submissions
            if one.waiting
        ),
        *_expiry_todos(account),
        *(
            ToDo(need.text, need.page, "warning")
            for product in items.list_manifests()
            if product.todo is not None and item_counts.get(product.key)
            for need in product.todo(account)
        ),
        *_payment_todos(account),
        *_delivery_todos(account),
        *_limit_todos(account, item_counts),
    ]


def _expiry_todos(account: Account) -> list[ToDo]:
    now = clock.now()
    return [
        ToDo(
            f"“{one.thing.title}” {_format_end(one.at, now, account)}",
            f"{urlsplit(one.thing.page).path}/settings",
            "clock",
        )
        for one in recent_activity.list_expiring(account, within=ENDING_PERIOD, limit=MAX_ENDING)
    ]


def _format_end(at: datetime, now: datetime, account: Account) -> str:
    there = at.astimezone(account.zone)
    days = (there.date() - clock.today(account.time_zone)).days
    word = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(days, f"on {there.day} {there:%B}")
    return f"stopped being shown {word}" if at <= now else f"is shown until {word}, {there:%H:%M}"


def _payment_todos(account: Account) -> list[ToDo]:
    refused = Connection.objects.filter(account=account).exclude(last_error="").first()
    if refused is None:
        return []
    title = get_title(refused.provider)
    return [ToDo(f"{title} refuses your key, so nobody can pay online", PAGE_PATH, "warning")]


def _delivery_todos(account: Account) -> list[ToDo]:
    count = health.count_undelivered(account)
    if not count:
        return []
    mails = "A mail to a guest or to you" if count == 1 else f"{count:,} mails to guests or to you"
    return [ToDo(f"{mails} could not be delivered in the last 7 days", "", "mail")]


def _limit_todos(account: Account, counts: dict[str, int]) -> list[ToDo]:
    full = []
    for product in items.list_manifests():
        if counts.get(product.key, 0) >= MIN_COUNT_FOR_LIMIT:
            try:
                product.models[0].check_quota(account)
            except OperationNotAllowedError as refusal:
                full.append(ToDo(refusal.message, product.home, "info"))
    return full
