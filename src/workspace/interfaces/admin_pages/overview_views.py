"""The state of the instance, and what is waiting for its administrator."""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.models import Account
from workspace.dashboard.session import SignedInRequest
from workspace.delivery.mail import health
from workspace.delivery.models import Delivery, DeliveryState, Job, JobState
from workspace.delivery.models.job import ACTIVE_STATES
from workspace.interfaces.admin_cli import checks
from workspace.interfaces.admin_pages.access import HOME, require_operator
from workspace.lib import clock
from workspace.publishing.models import Report
from workspace.storage.database.transactions import is_sqlite
from workspace.storage.models import SetAside
from workspace.support.models import InboundMail, Ticket
from workspace.support.models.inbound_mail import HELD

RECENT_PERIOD = timedelta(days=7)


@require_operator()
def overview(request: SignedInRequest) -> HttpResponse:
    found = list(checks.run_quick_checks())
    context = {
        "problems": [_remove_backticks(one.text) for one in found if isinstance(one, checks.Problem)],
        "remarks": [_remove_backticks(one.text) for one in found if isinstance(one, checks.Remark)],
        "mail": health.current_outage(),
        "waiting": [line for line in _list_waiting() if line["number"]],
        "figures": _list_figures(),
    }
    return render(request, "operator_pages/overview.html", context)


def _list_waiting() -> list[dict[str, Any]]:
    """Return what needs attention, with its count and URL."""
    parked = Delivery.objects.filter(state=DeliveryState.PARKED, payload__isnull=False).count()
    failed = Job.objects.filter(state=JobState.FAILED, ended_at__gte=clock.now() - RECENT_PERIOD).count()
    return [
        _build_waiting_item(
            Ticket.objects.exclude(waiting_since=None).count(), "question", "waits", "wait", "/app/inbox"
        ),
        _build_waiting_item(
            Report.objects.filter(resolved_at=None).count(), "report", "waits", "wait", f"{HOME}/reports"
        ),
        _build_waiting_item(
            InboundMail.objects.filter(outcome=HELD).count(), "mail", "was held", "were held", f"{HOME}/mails"
        ),
        _build_waiting_item(parked, "delivery", "was given up", "were given up", f"{HOME}/deliveries", "deliveries"),
        _build_waiting_item(SetAside.objects.count(), "row", "was set aside", "were set aside", f"{HOME}/set-aside"),
        _build_waiting_item(failed, "job", "failed this week", "failed this week", f"{HOME}/jobs?state=failed"),
    ]


def _build_waiting_item(
    number: int, singular_name: str, singular_verb: str, plural_verb: str, url: str, plural_name: str = ""
) -> dict[str, Any]:
    return {
        "number": number,
        "text": f"{singular_name} {singular_verb}"
        if number == 1
        else f"{plural_name or singular_name + 's'} {plural_verb}",
        "url": url,
    }


def _list_figures() -> list[tuple[str, Any, str]]:
    accounts = Account.objects.aggregate(
        all=Count("pk"),
        fresh=Count("pk", filter=Q(created_at__gte=clock.now() - RECENT_PERIOD)),
        suspended=Count("pk", filter=Q(banned_at__isnull=False)),
    )
    leaving = Delivery.objects.filter(state__in=[DeliveryState.WAITING, DeliveryState.LEASED]).count()
    disk = shutil.disk_usage(settings.DATA)
    return [
        ("Accounts", accounts["all"], f"{accounts['fresh']} this week, {accounts['suspended']} suspended"),
        ("Deliveries under way", leaving, "mails and webhooks"),
        ("Jobs under way", Job.objects.filter(state__in=ACTIVE_STATES).count(), ""),
        ("Disk free", f"{disk.free / 1e9:,.0f} GB", f"of {disk.total / 1e9:,.0f} GB; on {_database_name()}"),
    ]


def _remove_backticks(text: str) -> str:
    """Remove the backticks around commands, which are meant for a terminal."""
    return text.replace("`", "")


def _database_name() -> str:
    return "SQLite" if is_sqlite() else "PostgreSQL"
