"""Public addresses: one table for all products. A row is never given to another publication."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import clock

if TYPE_CHECKING:
    from workspace.publishing.models.publication import Publication


_INSERT_SQL = """INSERT INTO publishing_address (kind, slug, publication_id, created_at) VALUES %s
  ON CONFLICT (kind, slug) DO NOTHING RETURNING slug"""


class Address(models.Model):
    """`/KIND'S-PREFIX/slug`. The newest address of a publication is its current one; older ones go on resolving."""

    kind = models.CharField(max_length=12)
    slug = models.CharField(max_length=50)  # ASCII, lower case
    publication = models.ForeignKey("publishing.Publication", on_delete=models.PROTECT, related_name="addresses")
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "slug"], name="one_publication_an_address")]

    def __str__(self) -> str:
        return f"{self.kind}/{self.slug}"

    @classmethod
    def find_by_slug(cls, kind: str, slug: str) -> Address | None:
        """The address with its publication, account and brand, by one query; slugs are compared in lower case."""
        if len(slug) > 50 or not slug.isascii() or not slug.isprintable():
            return None
        found = cls.objects.select_related("publication__account__brand")
        return found.filter(kind=kind, slug=slug.lower()).first()

    @classmethod
    def create_many(cls, publications: Sequence[Publication]) -> set[str]:
        """An address for each of these, at its slug; the slugs that were taken already, or are another's among these.
        One statement, which breaks no transaction where it meets what is there."""
        if not publications:
            return set()
        now = connection.ops.adapt_datetimefield_value(clock.now())
        rows = [value for one in publications for value in (one.kind, one.slug, one.pk, now)]
        with connection.cursor() as cursor:
            cursor.execute(_INSERT_SQL % ", ".join(["(%s, %s, %s, %s)"] * len(publications)), rows)
            given = Counter(slug for (slug,) in cursor.fetchall())
        return {slug for slug, count in Counter(one.slug for one in publications).items() if given[slug] < count}

    @classmethod
    def list_kinds_at(cls, account: Account, slug: str, kinds: Iterable[str]) -> list[str]:
        """Of these kinds those of which the account has a thing at this slug."""
        # the kinds lead the index
        found = cls.objects.filter(kind__in=kinds, slug=slug, publication__account=account)
        return list(found.order_by("kind").values_list("kind", flat=True))
