"""Moderation by the administrator, for the command and the pages: bans of publications, and reports."""

from __future__ import annotations

from workspace.lib import clock
from workspace.publishing.models import Publication, Report
from workspace.storage.database.transactions import write_transaction


def ban_publication(publication: Publication, reason: str) -> None:
    """Ban a publication and resolve the reports about it. The owner keeps the item but cannot show it."""
    with write_transaction():
        publication.ban(reason)
        publication.reports.filter(resolved_at=None).update(resolved_at=clock.now())


def unban_publication(publication: Publication) -> None:
    with write_transaction():
        publication.unban()


def dismiss_report(report: Report) -> None:
    """Resolve a report without any action."""
    with write_transaction():
        Report.objects.filter(pk=report.pk, resolved_at=None).update(resolved_at=clock.now())
