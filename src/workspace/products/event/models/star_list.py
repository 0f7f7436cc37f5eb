"""A guest's starred sessions.

They are stored only if the guest asks for a calendar or for a link for another phone. They contain no data about the
guest."""

from __future__ import annotations

import secrets

from django.core import signing
from django.db import models
from django.utils.crypto import constant_time_compare

from workspace.lib import clock
from workspace.lib.ids import SLUG_ALPHABET
from workspace.products.event.models.event import Event

STAR = "star"  # the event that is counted when a session is starred
SESSION_VIEW = "session"  # the event that is counted when a session's page is opened
TOKEN_LENGTH = 24  # 118 bits, so that it cannot be guessed
_SALT = "event.starred"


def _token() -> str:
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(TOKEN_LENGTH))


class StarList(models.Model):
    """A list of starred sessions.

    The token gives read access. Only the phone that created the list has the key for changing it.
    """

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
