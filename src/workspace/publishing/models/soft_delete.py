"""The bin: deleted rows are hidden for 30 days and can be restored unchanged, with their IDs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Self

from django.apps import apps
from django.db import models
from typing_extensions import override

from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction
from workspace.storage.journal import Journaled, update_rows
from workspace.storage.row_tasks import row_task, run_rows

BIN_RETENTION = timedelta(days=30)


# Condition of the indexes behind lists. PostgreSQL cannot use an index's order after a nullable column.
NOT_DELETED = models.Q(binned_at=None)
DELETED = models.Q(binned_at__isnull=False)


class _NotDeletedManager(models.Manager[Any]):
    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(binned_at=None)


class SoftDeleted(Journaled):
    """A row that can be moved to the bin.

    The journal records its `binned_at` but does not copy the row.
    """

    journal_displayed_fields = {"binned_at": ("deleted", bool)}
    binned_at = models.DateTimeField(null=True, blank=True, db_index=True)

    # Also used by related managers (`account.cards`). `_base_manager` includes rows in the bin.
    objects = _NotDeletedManager()

    class Meta:
        abstract = True

    @override
    @classmethod
    def undo_creation_many(cls, rows: Sequence[Self]) -> None:
        """Move rows to the bin when their creation is undone."""
        update_rows((row, {"binned_at": clock.now()}) for row in rows)

    def purge(self) -> None:
        """Permanently delete the row and everything that belongs to it."""
        self.delete()

    @classmethod
    def purge_deleted(cls) -> None:
        """Permanently delete rows of this model that have been in the bin for 30 days."""
        run_rows(purge_expired.name, _list_overdue(cls), purge_expired.handle)


def _list_overdue(kind: type[SoftDeleted] = SoftDeleted) -> list[tuple[str, Any]]:
    """Return the model label and key of each row that has been in the bin for 30 days."""
    found: list[tuple[str, Any]] = []
    for model in apps.get_models():
        if issubclass(model, kind):
            old = model._base_manager.filter(binned_at__lt=clock.now() - BIN_RETENTION)
            found += [(model._meta.label, pk) for pk in old.values_list("pk", flat=True)]
    return found


@row_task("publishing.empty_bin", _list_overdue)
def purge_expired(row: tuple[str, Any]) -> None:
    """Permanently delete a row that has been in the bin for 30 days."""
    label, pk = row
    with write_transaction():
        found = apps.get_model(label)._base_manager.filter(pk=pk, binned_at__lt=clock.now() - BIN_RETENTION).first()
        if found is not None:
            found.purge()
