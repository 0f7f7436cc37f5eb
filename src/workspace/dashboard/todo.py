"""An owner's to-dos in all products: expiring items, reached limits, failed deliveries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext

from workspace.accounts.models import Account
from workspace.delivery.mail import health
from workspace.insights import recent_activity
from workspace.lib import clock
from workspace.lib.errors import OperationNotAllowedError
from workspace.payments.models import Connection
from workspace.payments.provider_calls import PAGE_PATH
from workspace.payments.provider_registry import get_title
from workspace.publishing import items
from workspace.storage.database.compiled_function import compile_once

ENDING_PERIOD = timedelta(days=7)
MAX_ENDING = 4
# a plan with one or two items is usually full, which is not worth a to-do
MIN_COUNT_FOR_LIMIT = 5


@dataclass(frozen=True, slots=True)
class ToDo:
    text: str
    page: str
    icon: str


def list_todos(account: Account, item_counts: dict[str, int]) -> list[ToDo]:
    """Return all to-dos except submissions. `item_counts` contains the number of items per kind."""
    return [
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
            _format_end(one.thing.title, one.at, now, account),
            f"{urlsplit(one.thing.page).path}/settings",
            "clock",
        )
        for one in recent_activity.list_expiring(account, within=ENDING_PERIOD, limit=MAX_ENDING)
    ]


def _format_end(title: str, at: datetime, now: datetime, account: Account) -> str:
    there = at.astimezone(account.zone)
    days = (there.date() - clock.today(account.time_zone)).days
    texts = (
        {0: gettext("“%(title)s” expired today"), -1: gettext("“%(title)s” expired yesterday")}
        if at <= now
        else {
            0: gettext("“%(title)s” expires today at %(time)s"),
            1: gettext("“%(title)s” expires tomorrow at %(time)s"),
        }
    )
    other = (
        gettext("“%(title)s” expired on %(day)s")
        if at <= now
        else gettext("“%(title)s” expires on %(day)s at %(time)s")
    )
    values = {"title": title, "day": f"{there.day} {there:%B}", "time": f"{there:%H:%M}"}
    return texts.get(days, other) % values


def _payment_todos(account: Account) -> list[ToDo]:
    refused = _failing_connections.fetch_some(1, account)
    if not refused:
        return []
    title = get_title(refused[0].provider)
    text = gettext("%(title)s rejected your key. Enter a new key so that customers can pay online.")
    return [ToDo(text % {"title": title}, PAGE_PATH, "warning")]


@compile_once
def _failing_connections(account: Account) -> QuerySet[Connection]:
    return Connection.objects.filter(account=account).exclude(last_error="").order_by("pk")


def _delivery_todos(account: Account) -> list[ToDo]:
    count = health.count_undelivered(account)
    if not count:
        return []
    text = ngettext(
        "%(count)s email to a guest or to you could not be delivered in the last 7 days",
        "%(count)s emails to guests or to you could not be delivered in the last 7 days",
        count,
    )
    return [ToDo(text % {"count": f"{count:,}"}, "", "mail")]


def _limit_todos(account: Account, counts: dict[str, int]) -> list[ToDo]:
    full = []
    for product in items.list_manifests():
        if counts.get(product.key, 0) >= MIN_COUNT_FOR_LIMIT:
            try:
                product.models[0].check_quota(account)
            except OperationNotAllowedError as refusal:
                full.append(ToDo(refusal.message, product.home, "info"))
    return full
