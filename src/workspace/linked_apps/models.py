"""Tables of linked apps: grants, client registrations and health."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import models

from workspace.accounts.models import Account, Person
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage import encryption
from workspace.storage.database.transactions import write_transaction

ACCESS_TOKEN_PURPOSE, REFRESH_TOKEN_PURPOSE, CLIENT_SECRET_PURPOSE = "family.access", "family.refresh", "family.client"
RENEWAL_MARGIN = timedelta(seconds=30)  # a token is renewed this long before it expires
MAX_PROBLEM_LENGTH = 300
NO_OWNER = ""  # data of the instance is encrypted for no account
USE_RECORD_INTERVAL = timedelta(minutes=1)  # minimum interval, so that not every call writes a row


def _grant_id() -> str:
    return new_id("fam")


class LinkedApp(models.Model):
    """One person's access to one app, for one account.

    - `access_token_encrypted`, `refresh_token_encrypted`: the encrypted tokens.
    - `last_error`: why it must be connected again; empty if it is valid.
    - `refresh_lease_until`: when the lease for renewing the tokens ends.
    - `tools`: the last valid list of tools, sanitized, as of `tools_at`.
    - `rejected_tools`: rejected tools with the reasons.
    - `protocol_version`: the version of the protocol.
    - `plan`, `remote_name`: the plan and account name at the app.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_grant_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="linked_apps")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    application = models.CharField(max_length=20)
    issuer = models.TextField()
    resource = models.TextField()
    token_url = models.TextField()
    revocation_url = models.TextField(blank=True)
    client_id = models.TextField()
    client_secret = models.TextField(blank=True)
    access_token_encrypted = models.TextField()
    refresh_token_encrypted = models.TextField(blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    refresh_lease_until = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    protocol_version = models.CharField(max_length=20, blank=True)
    tools: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = models.JSONField(default=list)
    tools_at = models.DateTimeField(null=True, blank=True)
    checked_at = models.DateTimeField(null=True, blank=True)
    rejected_tools: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    plan = models.CharField(max_length=40, blank=True)
    remote_name = models.CharField(max_length=120, blank=True)
    connected_at = models.DateTimeField(default=clock.now)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "person", "application"], name="one_linked_app_an_application"),
        ]

    def __str__(self) -> str:
        return f"{self.application} in {self.account_id}"

    @property
    def is_fresh(self) -> bool:
        return self.expires_at is None or self.expires_at > clock.now() + RENEWAL_MARGIN

    @property
    def access_token(self) -> str:
        """The decrypted access token. Raise DecryptionError if it cannot be decrypted."""
        return encryption.decrypt_secret(self.access_token_encrypted, self.account_id, ACCESS_TOKEN_PURPOSE)

    @property
    def refresh_token(self) -> str:
        """The decrypted refresh token, or "". Raise DecryptionError if it cannot be decrypted."""
        return (
            encryption.decrypt_secret(self.refresh_token_encrypted, self.account_id, REFRESH_TOKEN_PURPOSE)
            if self.refresh_token_encrypted
            else ""
        )

    def decrypt_client_secret(self) -> str:
        """Return our secret at the authorization server, or "" for a public client.

        Raise DecryptionError if it cannot be decrypted.
        """
        return (
            encryption.decrypt_secret(self.client_secret, NO_OWNER, CLIENT_SECRET_PURPOSE) if self.client_secret else ""
        )

    @classmethod
    def record_use(cls, id: str) -> None:
        now = clock.now()
        unnoted = models.Q(used_at=None) | models.Q(used_at__lt=now - USE_RECORD_INTERVAL)
        if cls.objects.filter(unnoted, pk=id).exists():
            with write_transaction(relaxed=True):
                cls.objects.filter(pk=id).update(used_at=now)


class Registration(models.Model):
    """This instance as the client of an authorization server with dynamic registration."""

    application = models.CharField(max_length=20)
    issuer = models.TextField()
    redirect_uri = models.TextField()
    client_id = models.TextField()
    client_secret = models.TextField(blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["application", "issuer", "redirect_uri"], name="one_registration_a_server"),
        ]

    def __str__(self) -> str:
        return f"at {self.issuer}"


class AppHealth(models.Model):
    """The health of an app.

    `failures` counts failures since its last response. Once there are enough of them, `down_since` is set, and the app
    is not called until `next_at`.
    """

    application = models.CharField(primary_key=True, max_length=20)
    failures = models.PositiveIntegerField(default=0)
    down_since = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.application
