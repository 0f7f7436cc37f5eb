"""Who is called how, so that the door finds a certificate by an index."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models

from workspace.accounts.models import Account
from workspace.products.certs.models.certificate import Certificate
from workspace.toolkit import names

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
    def of(cls, certificate: Certificate) -> Iterable[NameWord]:
        found = dict.fromkeys((*(word[:120] for word in names.words(certificate.name)), whole(certificate.name)))
        for word in found:
            yield cls(account_id=certificate.account_id, certificate=certificate, word=word)


def whole(name: str) -> str:
    return f"{WHOLE}{names.key(name)}"[:121]
