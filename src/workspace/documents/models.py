"""The keys that sign documents: the instance's current one, and earlier ones whose signatures remain valid."""

from __future__ import annotations

from django.db import models

from workspace.lib import clock


class SealKey(models.Model):
    """A signing key.

    `certificate` is X.509 in DER, and is public. `private_key` is PKCS #8 in base64, encrypted like all secrets.
    """

    number = models.PositiveIntegerField(primary_key=True)
    certificate = models.BinaryField()
    private_key = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"seal key {self.number}"
