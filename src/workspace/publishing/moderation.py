"""What the operator decides of a public address, and of a report about one: by command and by page."""

from __future__ import annotations

from workspace.lib import clock
from workspace.publishing.models import Publication, Report
from workspace.storage.database.transactions import writing


def take_down(publication: Publication, reason: str) -> None:
    """Its owner keeps it, and cannot show it; what was reported about it is settled."""
    with writing():
        publication.ban(reason)
        publication.reports.filter(resolved_at=None).update(resolved_at=clock.now())


def put_back(publication: Publication) -> None:
    with writing():
        publication.unban()


def set_aside(report: Report) -> None:
    """Nothing is wrong with it."""
    with writing():
        Report.objects.filter(pk=report.pk, resolved_at=None).update(resolved_at=clock.now())
