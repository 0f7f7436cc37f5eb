"""Invitations by email, stored so that an address is emailed once and the owner sees who has not signed yet."""

from __future__ import annotations

from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.products.waiver.models.waiver import Waiver
from workspace.storage.database.compiled_write import CompiledModel


def _invitation_id() -> str:
    return new_id("ask")


class SigningInvitation(CompiledModel):
    """An address invited to a waiver. `signed_at` is when it signed after the last invitation."""

    id = models.CharField(primary_key=True, max_length=40, default=_invitation_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="signing_invitations", db_index=False)
    waiver = models.ForeignKey(Waiver, on_delete=models.CASCADE, related_name="invitations", db_index=False)
    email = models.CharField(max_length=254)  # folded
    language = models.CharField(max_length=8)
    send_count = models.PositiveIntegerField(default=1)
    last_sent_at = models.DateTimeField(default=clock.now)  # time of the last invitation
    signed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["waiver", "email"], name="one_signing_invitation_an_address")]
        indexes = [
            models.Index(fields=["account", "last_sent_at"], name="waiver_invitations_of_a_day"),
            models.Index(fields=["waiver", "-last_sent_at"], name="waiver_invitations_newest"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def mail_key(self) -> str:
        """The dedupe key of the delivery of the email."""
        return f"{self.mail_key_prefix}:{self.send_count}"

    @property
    def mail_key_prefix(self) -> str:
        """The prefix of the dedupe keys of all emails to this address."""
        return f"waiver-invite:{self.pk}"
