"""Publications of a closed account.

Their addresses stay reserved and return 410. Submissions by guests are deleted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from workspace.accounts.account_deletion import register_rows_to_delete, register_shutdown_hook
from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.publishing.models import Breakdown, DailyBreakdown, DailyCounter, Report, Visit, VisitCounter
from workspace.publishing.models.publication import share_image_key
from workspace.storage.files import store


@register_shutdown_hook
def retire_addresses(account: Account) -> None:
    publications = list(account.publications.values_list("pk", flat=True))
    transaction.on_commit(lambda: _delete_share_images(publications))
    account.publications.update(deleted_at=clock.now(), password="", ban_reason="", version=F("version") + 1)


@register_rows_to_delete
def list_guest_data(account: Account) -> Iterator[QuerySet[Any]]:
    mine = account.publications.values("pk")
    tallies = VisitCounter.objects.filter(publication_id__in=mine)
    yield DailyBreakdown.objects.filter(breakdown__counter__publication_id__in=mine)
    yield Breakdown.objects.filter(counter__in=tallies)
    yield DailyCounter.objects.filter(counter__in=tallies)
    for model in (Visit, VisitCounter, Report):
        yield model._default_manager.filter(publication_id__in=mine)


def _delete_share_images(publications: list[str]) -> None:
    for id in publications:
        store.delete(share_image_key(id))
