"""A link in an email to a guest: a hash, valid for one purpose and subject until it is used or expires."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.compiled_write import CompiledModel


class GuestLink(CompiledModel):
    token_hash = models.CharField(primary_key=True, max_length=64)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    purpose = models.CharField(max_length=40)
    subject = models.CharField(max_length=64)  # id of the object on which the link acts
    to_hash = models.CharField(max_length=64)  # keyed hash of the email address, used only for counting
    created_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["purpose", "subject"], name="guest_links_of_a_subject"),
            models.Index(fields=["to_hash", "created_at"], name="guest_links_to_an_address"),
            models.Index(fields=["expires_at"], name="guest_links_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.subject}"
