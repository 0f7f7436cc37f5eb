"""Words of names, so that check-in can find certificates with an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.products.certs.models.certificate import Certificate
from workspace.storage.database.bulk_insert import insert_rows

FULL_NAME_PREFIX = "="  # prefix of a full name; no word starts with it


class NameWord(models.Model):
    """A normalized word of a name, or the full name."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    certificate = models.ForeignKey(Certificate, on_delete=models.CASCADE, related_name="name_words")
    word = models.CharField(max_length=121)

    class Meta:
        indexes = [
            # also supports prefix searches, whatever the database's collation
            models.Index(
                fields=["account", "word", "-certificate"],
                name="certificates_by_word",
                opclasses=["varchar_ops", "varchar_pattern_ops", "varchar_ops"],
            )
        ]

    def __str__(self) -> str:
        return self.word

    @classmethod
    def create_for(cls, certificates: Sequence[Certificate]) -> None:
        """Create the rows of new certificates.

        They are inserted without model instances, because there are about four per certificate.
        """
        rows = [
            (certificate.account_id, certificate.pk, word)
            for certificate in certificates
            for word in _index_words(certificate.name)
        ]
        with connection.cursor() as cursor:
            insert_rows(cursor, cls._meta.db_table, ("account_id", "certificate_id", "word"), rows)


def _index_words(name: str) -> Iterable[str]:
    words = name_key.split_words(name)
    return dict.fromkeys((*(word[:120] for word in words), _join_words(words)))


def full_name_key(name: str) -> str:
    return _join_words(name_key.split_words(name))


def _join_words(words: Sequence[str]) -> str:
    return f"{FULL_NAME_PREFIX}{name_key.key_from_words(words)}"[:121]
