"""Public addresses of all products. An address is never reassigned to another publication."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.compiled_function import compile_once
from workspace.storage.database.transactions import execute_write

_INSERT_SQL = """INSERT INTO publishing_address (kind, slug, publication_id, created_at) VALUES %s
  ON CONFLICT (kind, slug) DO NOTHING RETURNING slug"""


class Address(models.Model):
    """The URL `/PREFIX/slug`, with the prefix of its kind.

    The newest address of a publication is the current one. Older ones continue to resolve.
    """

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
        """Return the address with its publication, account and brand, or None. Run one query.

        Slugs are compared in lower case.
        """
        if len(slug) > 50 or not slug.isascii() or not slug.isprintable():
            return None
        found = _addresses_at.fetch(kind, slug.lower())
        return found[0] if found else None

    @classmethod
    def create_many(cls, places: Sequence[tuple[str, str, str]]) -> set[str]:
        """Create an address for each kind, slug and publication id. Return the slugs that are not available.

        A slug is not available if it already exists or is given twice. This runs a single statement, which does not
        abort the transaction on a conflict.
        """
        if not places:
            return set()
        now = connection.ops.adapt_datetimefield_value(clock.now())
        rows = [value for place in places for value in (*place, now)]
        made = execute_write(_INSERT_SQL % ", ".join(["(%s, %s, %s, %s)"] * len(places)), rows)
        given = Counter(slug for (slug,) in made)
        return {slug for slug, count in Counter(slug for _, slug, _ in places).items() if given[slug] < count}

    @classmethod
    def list_kinds_at(cls, account: Account, slug: str, kinds: Iterable[str]) -> list[str]:
        """Return the kinds that have an item of the account at this slug."""
        # The index starts with the kind.
        found = cls.objects.filter(kind__in=kinds, slug=slug, publication__account=account)
        return list(found.order_by("kind").values_list("kind", flat=True))


@compile_once
def _addresses_at(kind: str, slug: str) -> models.QuerySet[Address]:
    return Address.objects.select_related("publication__account__brand").filter(kind=kind, slug=slug)
