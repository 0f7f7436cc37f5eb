"""The words by which things are searched: one row a thing, folded. They are written at the end of each write that opened
or changed a publication, so whatever changes what is published cannot forget them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from django.db import models

from workspace.accounts.models import Account
from workspace.storage.database import at_the_end

if TYPE_CHECKING:
    from workspace.publishing.models.publication import Publication

TITLE, MOST = 200, 100_000  # characters
_BATCH = 200

Key = tuple[str, str]  # kind and publication


class Words(models.Model):
    """`words` begins with the title. What lies in the bin has no row."""

    publication = models.OneToOneField(
        "publishing.Publication", on_delete=models.CASCADE, primary_key=True, related_name="words"
    )
    # the index below begins with it
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=12)
    thing_id = models.CharField(max_length=40)
    title = models.CharField(max_length=TITLE)
    words = models.TextField()

    # what makes the rows of a kind's things from the ids of their publications; none for what is not there any more
    makers: ClassVar[dict[str, Callable[[Sequence[str]], list[Words]]]] = {}

    class Meta:
        indexes = [models.Index(fields=["account", "kind"], name="words_of_an_account")]

    def __str__(self) -> str:
        return self.title

    @classmethod
    def note(cls, publications: Iterable[Publication]) -> None:
        """What is published there is new, or has changed."""
        for publication in publications:
            at_the_end(write_words, (publication.kind, publication.pk))


def write_words(keys: Sequence[Key]) -> None:
    """Write the rows of what is published there, and take away those of what is there no more."""
    for kind, make in Words.makers.items():
        ids = sorted({id for known, id in keys if known == kind})  # one order for all, so that nobody waits in a ring
        for start in range(0, len(ids), _BATCH):
            some = ids[start : start + _BATCH]
            made = make(some)
            Words.objects.bulk_create(
                made,
                update_conflicts=True,
                unique_fields=["publication"],
                update_fields=["account", "kind", "thing_id", "title", "words"],
            )
            if len(made) < len(some):
                there = {row.publication_id for row in made}
                Words.objects.filter(pk__in=[id for id in some if id not in there]).delete()
