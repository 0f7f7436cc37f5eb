"""Issuers of badges: an account's identifier, its keys, and its status lists."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id


def _issuer_id() -> str:
    return new_id("iss")


class Issuer(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_issuer_id, editable=False)
    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="cert_issuer")
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return self.pk


class IssuerKey(models.Model):
    """An Ed25519 key.

    `public` is a multikey. `private` is 32 bytes in base64, encrypted like all secrets. The newest key is used for
    signing. All keys remain listed, so that earlier signatures stay valid.
    """

    issuer = models.ForeignKey(Issuer, on_delete=models.CASCADE, related_name="keys")
    number = models.PositiveIntegerField()
    public = models.CharField(max_length=60)
    private = models.TextField()
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issuer", "number"], name="one_key_of_a_number")]

    def __str__(self) -> str:
        return f"{self.issuer_id} key {self.number}"


class StatusList(models.Model):
    """A list with a bit for each of its certificates (W3C Bitstring Status List)."""

    id = models.BigAutoField(primary_key=True)
    issuer = models.ForeignKey(Issuer, on_delete=models.CASCADE, related_name="lists")
    created_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"status list {self.pk}"
