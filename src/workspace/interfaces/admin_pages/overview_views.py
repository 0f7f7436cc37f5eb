"""The state of the instance, and open tasks for its administrator."""

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
from workspace.owner_translation import owner_gettext, owner_ngettext
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
    """Return the kinds of open tasks, with their counts and URLs."""
    parked = Delivery.objects.filter(state=DeliveryState.PARKED, payload__isnull=False).count()
    failed = Job.objects.filter(state=JobState.FAILED, ended_at__gte=clock.now() - RECENT_PERIOD).count()
    tickets = Ticket.objects.exclude(waiting_since=None).count()
    reports = Report.objects.filter(resolved_at=None).count()
    held = InboundMail.objects.filter(outcome=HELD).count()
    rows = SetAside.objects.count()
    texts = [
        (tickets, owner_ngettext("ticket is waiting", "tickets are waiting", tickets), "/app/inbox"),
        (reports, owner_ngettext("report is waiting", "reports are waiting", reports), f"{HOME}/reports"),
        (held, owner_ngettext("email was held", "emails were held", held), f"{HOME}/mails"),
        (parked, owner_ngettext("delivery failed", "deliveries failed", parked), f"{HOME}/deliveries"),
        (rows, owner_ngettext("task row failed", "task rows failed", rows), f"{HOME}/set-aside"),
        (failed, owner_ngettext("job failed this week", "jobs failed this week", failed), f"{HOME}/jobs?state=failed"),
    ]
    return [{"number": number, "text": text, "url": url} for number, text, url in texts]


def _list_figures() -> list[tuple[str, Any, str]]:
    accounts = Account.objects.aggregate(
        all=Count("pk"),
        fresh=Count("pk", filter=Q(created_at__gte=clock.now() - RECENT_PERIOD)),
        suspended=Count("pk", filter=Q(banned_at__isnull=False)),
    )
    leaving = Delivery.objects.filter(state__in=[DeliveryState.WAITING, DeliveryState.LEASED]).count()
    disk = shutil.disk_usage(settings.DATA)
    disk_text = owner_gettext("of %(total)s GB, using %(database)s") % {
        "total": f"{disk.total / 1e9:,.0f}",
        "database": _database_name(),
    }
    return [
        (
            owner_gettext("Accounts"),
            accounts["all"],
            owner_gettext("%(fresh)s this week, %(suspended)s suspended") % accounts,
        ),
        (owner_gettext("Deliveries in progress"), leaving, owner_gettext("Emails and webhooks")),
        (owner_gettext("Jobs in progress"), Job.objects.filter(state__in=ACTIVE_STATES).count(), ""),
        (
            owner_gettext("Free disk space"),
            f"{disk.free / 1e9:,.0f} GB",
            disk_text,
        ),
    ]


def _remove_backticks(text: str) -> str:
    """Remove the backticks around commands, which are meant for a terminal."""
    return text.replace("`", "")


def _database_name() -> str:
    return "SQLite" if is_sqlite() else "PostgreSQL"
