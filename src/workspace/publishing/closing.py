"""When an account is closed: its addresses stay and answer 410, what guests left there is deleted."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from workspace.accounts.closing import on_close
from workspace.accounts.models import Account
from workspace.publishing.models import DaySlot, Facet, FacetSlot, Report, Tally, Visit
from workspace.publishing.models.publication import share_key
from workspace.storage import files
from workspace.toolkit import clock


@on_close
def retire_addresses(account: Account) -> None:
    publications = list(account.publications.values_list("pk", flat=True))
    tallies = list(Tally.objects.filter(publication_id__in=publications).values_list("pk", flat=True))
    FacetSlot.objects.filter(facet_id__in=Facet.objects.filter(tally_id__in=tallies)).delete()
    for below in (Facet, DaySlot):
        below._default_manager.filter(tally_id__in=tallies).delete()
    for model in (Visit, Tally, Report):
        model._default_manager.filter(publication_id__in=publications).delete()
    transaction.on_commit(lambda: _forget_pictures(publications))
    account.publications.update(deleted_at=clock.now(), password="", ban_reason="", version=F("version") + 1)


def _forget_pictures(publications: list[str]) -> None:
    for id in publications:
        files.delete(share_key(id))
