"""The keys that documents are sealed with: one for the installation, and those before it, whose seals still hold."""

from __future__ import annotations

from django.db import models

from workspace.lib import clock


class SealKey(models.Model):
    """`certificate` is X.509 in DER, and public; `private_key` is PKCS #8 in base64, sealed as all secrets are."""

    number = models.PositiveIntegerField(primary_key=True)
    certificate = models.BinaryField()
    private_key = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"seal key {self.number}"
