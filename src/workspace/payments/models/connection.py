"""Connections of accounts to payment providers. People set them up, and no tool can read the key."""

from __future__ import annotations

import secrets as random

from django.conf import settings
from django.db import models

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import SLUG_ALPHABET, new_id
from workspace.payments.models.payment import Payment
from workspace.storage import encryption
from workspace.storage.journal import Journaled

KEY_PURPOSE, WEBHOOK_PURPOSE = "payments.key", "payments.hook"
_TOKEN_LENGTH = 32  # in the webhook's URL: 158 bits


def _id() -> str:
    return new_id("con")


def _token() -> str:
    return "".join(random.choice(SLUG_ALPHABET) for _ in range(_TOKEN_LENGTH))


class Connection(Journaled):
    """An account's key at a payment provider.

    - `key`, `webhook_secret`: encrypted.
    - `key_end`: the last characters, to identify the key.
    - `webhook_id`: empty if the owner set up the webhook manually.
    - `is_ending`: no further payments are taken, and open ones are cancelled.
    - `last_error`: why the provider rejects the key; empty if it works.
    """

    journal_secret_fields = ("key", "webhook_secret", "token")

    id = models.CharField(primary_key=True, max_length=40, default=_id, editable=False)
    account = models.OneToOneField(Account, on_delete=models.CASCADE, related_name="payment_connection")
    provider = models.CharField(max_length=20)
    key = models.TextField(blank=True)
    key_end = models.CharField(max_length=4, blank=True)
    live = models.BooleanField()
    provider_account = models.CharField(max_length=60, blank=True)
    name = models.CharField(max_length=200, blank=True)
    token = models.CharField(max_length=40, unique=True, default=_token)
    webhook_id = models.CharField(max_length=80, blank=True)
    webhook_secret = models.TextField(blank=True)
    webhook_problem = models.CharField(max_length=300, blank=True)
    last_event_at = models.DateTimeField(null=True, blank=True)
    reconciled_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)
    is_ending = models.BooleanField(default=False)
    connected_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.provider} …{self.key_end}"

    @property
    def secret_key(self) -> str:
        """The decrypted key. Raise DecryptionError if it cannot be decrypted."""
        return encryption.decrypt_secret(self.key, self.account_id, KEY_PURPOSE)

    @property
    def signing_secret(self) -> str:
        """The decrypted signing secret, or "". Raise DecryptionError if it cannot be decrypted."""
        return (
            encryption.decrypt_secret(self.webhook_secret, self.account_id, WEBHOOK_PURPOSE)
            if self.webhook_secret
            else ""
        )

    @property
    def webhook_url(self) -> str:
        return f"{settings.BASE_URL}/hooks/{self.provider}/{self.token}"

    def can_reach(self, payment: Payment) -> bool:
        """Return whether its key is for the provider and mode with which the payment was started."""
        return bool(self.key) and (self.provider, self.live) == (payment.provider, payment.live)

    @property
    def payments(self) -> models.QuerySet[Payment]:
        """The account's payments that were started with this provider and in this mode."""
        return Payment.objects.filter(account=self.account_id, provider=self.provider, live=self.live)

    @property
    def can_take_payments(self) -> bool:
        return bool(self.key) and not self.is_ending and not self.last_error
