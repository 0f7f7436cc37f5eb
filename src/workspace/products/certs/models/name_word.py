"""Who is called how, so that the door finds a certificate by an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import connection, models

from workspace.accounts.models import Account
from workspace.lib import name_key
from workspace.products.certs.models.certificate import Certificate
from workspace.storage.database.bulk import insert

WHOLE = "="  # before a whole name; no word begins so


class NameWord(models.Model):
    """One word of a name, folded, or the whole of it."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    certificate = models.ForeignKey(Certificate, on_delete=models.CASCADE, related_name="name_words")
    word = models.CharField(max_length=121)

    class Meta:
        indexes = [
            # also what begins with a text, whatever the database's order of letters is
            models.Index(
                fields=["account", "word", "-certificate"],
                name="certificates_by_word",
                opclasses=["varchar_ops", "varchar_pattern_ops", "varchar_ops"],
            )
        ]

    def __str__(self) -> str:
        return self.word

    @classmethod
    def keep(cls, made: Sequence[Certificate]) -> None:
        """Of new certificates. Written as plain rows: there are four times as many of them."""
        rows = [(one.account_id, one.pk, word) for one in made for word in _words_of(one.name)]
        with connection.cursor() as cursor:
            insert(cursor, cls._meta.db_table, ("account_id", "certificate_id", "word"), rows)


def _words_of(name: str) -> Iterable[str]:
    words = name_key.words(name)
    return dict.fromkeys((*(word[:120] for word in words), _whole(words)))


def whole(name: str) -> str:
    return _whole(name_key.words(name))


def _whole(words: Sequence[str]) -> str:
    return f"{WHOLE}{name_key.joined(words)}"[:121]
