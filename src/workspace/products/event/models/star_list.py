"""A guest's own choice of sessions, kept only where the guest has asked for a calendar of it, or for the way to another
phone. It holds nothing of who they are."""

from __future__ import annotations

import secrets

from django.core import signing
from django.db import models
from django.utils.crypto import constant_time_compare

from workspace.lib import clock
from workspace.lib.ids import SLUG_ALPHABET
from workspace.products.event.models.event import Event

STAR = "star"  # a session was starred, as it is counted
SESSION_VIEW = "session"  # a session's own page was opened
TOKEN_LENGTH = 24  # 118 bits: who has not been given it does not find it
_SALT = "event.starred"


def _token() -> str:
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(TOKEN_LENGTH))


class StarList(models.Model):
    """Whoever has the token reads it; only the phone that made it has the key, by which it is changed."""

    token = models.CharField(primary_key=True, max_length=TOKEN_LENGTH, default=_token, editable=False)
    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="star_lists")
    sessions: models.JSONField[list[str], list[str]] = models.JSONField(default=list, blank=True)
    changed_at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [models.Index(fields=["event", "changed_at"], name="star_lists_by_age")]

    def __str__(self) -> str:
        return f"{len(self.sessions)} starred"

    @property
    def key(self) -> str:
        return signing.Signer(salt=_SALT).signature(self.token)

    def matches_key(self, key: str) -> bool:
        return constant_time_compare(self.key, key)
