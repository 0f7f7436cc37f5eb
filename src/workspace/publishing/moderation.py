"""What the operator decides of a public address, and of a report about one: by command and by page."""

from __future__ import annotations

from workspace.lib import clock
from workspace.publishing.models import Publication, Report
from workspace.storage.database.transactions import write_transaction


def ban_publication(publication: Publication, reason: str) -> None:
    """Its owner keeps it, and cannot show it; what was reported about it is settled."""
    with write_transaction():
        publication.ban(reason)
        publication.reports.filter(resolved_at=None).update(resolved_at=clock.now())


def unban_publication(publication: Publication) -> None:
    with write_transaction():
        publication.unban()


def dismiss_report(report: Report) -> None:
    """Nothing is wrong with it."""
    with write_transaction():
        Report.objects.filter(pk=report.pk, resolved_at=None).update(resolved_at=clock.now())
