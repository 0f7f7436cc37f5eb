"""Search documents: one row per item, with its words normalized for search.

They are written at the end of each transaction that created or changed a publication, so that no code path can forget
them. If the journal of a write contains no searched column, only the time of the change is updated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.bulk_insert import create_rows
from workspace.storage.database.compiled_write import update_by_key
from workspace.storage.database.transactions import run_at_end
from workspace.storage.journal import Journal, Journaled, current_journal

MAX_TITLE_LENGTH, MAX_WORDS_LENGTH = 200, 100_000  # characters
_BATCH_SIZE = 200
_REPLACE_SQL = "ON CONFLICT (publication_id) DO UPDATE SET " + ", ".join(
    f"{name} = excluded.{name}" for name in ("account_id", "kind", "item_id", "title", "text", "changed_at")
)


class SearchDocument(models.Model):
    """The searchable words of an item. `text` starts with the title. Deleted items have no row."""

    publication = models.OneToOneField(
        "publishing.Publication", on_delete=models.CASCADE, primary_key=True, related_name="search_document"
    )
    # The index below starts with it.
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=12)
    item_id = models.CharField(max_length=40)
    title = models.CharField(max_length=MAX_TITLE_LENGTH)
    text = models.TextField()
    changed_at = models.DateTimeField(default=clock.now)  # when the item changed, as in its own row

    # Functions that build the rows of a kind for publication ids and new rows. They omit items that no longer exist.
    builders: ClassVar[dict[str, Callable[[Sequence[str], Sequence[Journaled]], list[SearchDocument]]]] = {}
    # The columns on which the documents of a kind depend, as model label and field.
    columns: ClassVar[dict[str, frozenset[tuple[str, str]]]] = {}

    class Meta:
        indexes = [
            models.Index(fields=["account", "kind"], name="search_of_an_account"),
            # Sort orders of lists.
            models.Index(fields=["account", "kind", "title", "item_id"], name="search_by_title"),
            models.Index(fields=["account", "kind", "-changed_at", "-item_id"], name="search_by_change"),
        ]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def enqueue_update(cls, kind: str, publications: Iterable[str]) -> None:
        """Schedule an update of these publications' documents at the end of the transaction."""
        journal = current_journal()
        for id in publications:
            run_at_end(_update_documents, (id, kind, journal))


def _update_documents(updates: Sequence[tuple[str, str, Journal | None]]) -> None:
    """Write the documents of publications, given as (id, kind, journal).

    Without a journal, the changes are unknown.
    """
    changed = {
        (id, kind)
        for id, kind, journal in updates
        if journal is None or journal.has_touched(SearchDocument.columns.get(kind, frozenset()))
    }
    unchanged = {id for id, kind, _ in updates if (id, kind) not in changed}
    if unchanged:
        update_by_key(SearchDocument, sorted(unchanged), changed_at=clock.now())
    if changed:
        journals = {journal for _, _, journal in updates if journal is not None}
        write_documents(list(changed), [row for journal in journals for row in journal.list_unchanged_new_rows()])


def write_documents(publications: Sequence[tuple[str, str]], new_rows: Sequence[Journaled] = ()) -> None:
    """Write the documents of publications, given as (id, kind), and delete those of deleted items.

    Items in `new_rows` are not read again."""
    known = sorted(publications)  # the same order for all writers prevents deadlocks
    for start in range(0, len(known), _BATCH_SIZE):
        some = [id for id, _ in known[start : start + _BATCH_SIZE]]
        kinds: dict[str, list[str]] = {}
        for id, kind in known[start : start + _BATCH_SIZE]:
            kinds.setdefault(kind, []).append(id)
        made = [
            row
            for kind, known in kinds.items()
            if kind in SearchDocument.builders
            for row in SearchDocument.builders[kind](known, new_rows)
        ]
        made.sort(key=lambda row: row.publication_id)
        create_rows(made, tail=_REPLACE_SQL)
        if len(made) < len(some):
            there = {row.publication_id for row in made}
            SearchDocument.objects.filter(pk__in=[id for id in some if id not in there]).delete()
