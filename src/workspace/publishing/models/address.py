"""Public addresses: one table for all products. A row is never given to another publication."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models

from workspace.accounts.models import Account
from workspace.toolkit import clock


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
    def find(cls, kind: str, slug: str) -> Address | None:
        """The address with its publication, account and brand, by one query; slugs are compared in lower case."""
        if len(slug) > 50 or not slug.isascii() or not slug.isprintable():
            return None
        found = cls.objects.select_related("publication__account__brand")
        return found.filter(kind=kind, slug=slug.lower()).first()

    @classmethod
    def kinds_at(cls, account: Account, slug: str, kinds: Iterable[str]) -> list[str]:
        """Of these kinds those of which the account has a thing at this slug."""
        # the kinds lead the index
        found = cls.objects.filter(kind__in=kinds, slug=slug, publication__account=account)
        return list(found.order_by("kind").values_list("kind", flat=True))

    @classmethod
    def holds(cls, kind: str, slugs: list[str]) -> bool:
        return cls.objects.filter(kind=kind, slug__in=[slug.lower() for slug in slugs]).exists()
