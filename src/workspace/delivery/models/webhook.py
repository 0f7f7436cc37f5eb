"""Webhook endpoints and messages.

An endpoint is a URL of the owner. A message is one event for one endpoint."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import models
from typing_extensions import override

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage import encryption, journal
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.journal import Journaled
from workspace.storage.row_tasks import row_task

SECRET_PURPOSE = "webhook.secret"
SECRET_OVERLAP = timedelta(hours=24)  # how long a previous secret signs in addition to the new one
MAX_URL_LENGTH = 2048
MAX_PROBLEM_LENGTH = 200
MAX_LOGGED_MESSAGES = 200  # messages in the log of one endpoint
RETENTION = timedelta(days=30)
GONE, FAILING = "gone", "failing"


def _endpoint_id() -> str:
    return new_id("whk")


def _message_id() -> str:
    return new_id("msg")


def new_secret() -> str:
    """Return a new secret in the format of Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64."""
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


class Endpoint(Journaled):
    """A webhook endpoint.

    `item_id` is the item whose events it receives; it is empty for the whole account's events. `events` are the only
    kinds that it receives; it is empty for all. `disabled` is the reason why the service stopped sending: the receiver
    answered 410 (Gone) or failed for days.
    """

    journal_secret_fields = ("secret", "previous_secret")
    journal_displayed_fields = {
        **dict.fromkeys(("account", "id", "item_id", "secret_shown", "previous_secret_until", "created_at")),
        **dict.fromkeys(("disabled", "failing_since", "failed_at")),
    }

    id = models.CharField(primary_key=True, max_length=40, default=_endpoint_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="endpoints")
    item_id = models.CharField(max_length=40, blank=True)
    url = models.CharField(max_length=MAX_URL_LENGTH)
    events: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    live = models.BooleanField(default=True)
    secret = models.TextField()
    previous_secret = models.TextField(blank=True)
    previous_secret_until = models.DateTimeField(null=True, blank=True)
    secret_shown = models.BooleanField(default=False)  # whether the secret was shown, which happens only once
    disabled = models.CharField(max_length=10, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        indexes = [
            models.Index(fields=["account", "item_id"], name="endpoints_of_an_item"),
            models.Index(fields=["account", "-id"], name="endpoints_newest_first"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["account", "item_id"], condition=~models.Q(item_id=""), name="one_endpoint_an_item"
            )
        ]

    def __str__(self) -> str:
        return self.url

    @classmethod
    def open(cls, account: Account, url: str, *, thing_id: str = "", events: Sequence[str] = ()) -> Endpoint:
        """Create an endpoint with a new secret."""
        sealed = encryption.encrypt_secret(new_secret(), account.pk, SECRET_PURPOSE)
        made = cls.objects.create(account=account, url=url, item_id=thing_id, events=list(events), secret=sealed)
        journal.record_new_rows(made)
        return made

    @property
    def is_active(self) -> bool:
        return self.live and not self.disabled

    def accepts(self, event: str) -> bool:
        return self.is_active and (not self.events or event in self.events)

    def reveal_secret(self) -> str:
        """Return the secret on the first call, and "" afterwards. Raise DecryptionError if it cannot be decrypted."""
        first = Endpoint.objects.filter(pk=self.pk, secret_shown=False).update(secret_shown=True)
        return encryption.decrypt_secret(self.secret, self.account_id, SECRET_PURPOSE) if first else ""

    def rotate_secret(self) -> None:
        """Create a new secret. The previous one is also used for signing for one more day."""
        self.previous_secret, self.previous_secret_until = self.secret, clock.now() + SECRET_OVERLAP
        self.secret = encryption.encrypt_secret(new_secret(), self.account_id, SECRET_PURPOSE)
        self.secret_shown = False
        self.save(update_fields=["secret", "previous_secret", "previous_secret_until", "secret_shown"])

    def signing_secrets(self, now: datetime) -> list[str]:
        """Return the valid secrets, newest first. Raise DecryptionError if one cannot be decrypted."""
        sealed = [self.secret]
        if self.previous_secret and self.previous_secret_until is not None and self.previous_secret_until > now:
            sealed.append(self.previous_secret)
        return [encryption.decrypt_secret(one, self.account_id, SECRET_PURPOSE) for one in sealed]

    @override
    @classmethod
    def complete_restored_many(cls, rows: Sequence[Endpoint]) -> None:
        """Give restored endpoints new secrets, because the secret of a deleted endpoint is not stored."""
        for row in rows:
            row.secret, row.secret_shown = (
                encryption.encrypt_secret(new_secret(), row.account_id, SECRET_PURPOSE),
                False,
            )
            row.save(update_fields=["secret", "secret_shown"])


class MessageState(models.TextChoices):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    STOPPED = "stopped"  # before delivery, because its endpoint was paused, disabled or changed


class Message(CompiledModel):
    """An event for one endpoint.

    `id` is the `webhook-id`, which is the same in all attempts. `body` is the text that is signed and sent. `status` is
    the status of the last response. `next_at` is the time of the next attempt.
    """

    id = models.CharField(primary_key=True, max_length=40, default=_message_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="webhook_messages")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="messages")
    event = models.CharField(max_length=40)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=MessageState.choices, default=MessageState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=MAX_PROBLEM_LENGTH, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    tried_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["account", "-id"], name="messages_newest_first"),
            models.Index(fields=["endpoint", "-id"], name="messages_of_an_endpoint"),
            models.Index(fields=["created_at"], name="messages_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.id} ({self.state})"

    @classmethod
    def delete_old(cls) -> int:
        """Delete messages that are old or not among the newest of their endpoint, unless they are waiting."""
        over = cls.objects.exclude(state=MessageState.WAITING)
        return over.filter(created_at__lt=clock.now() - RETENTION).delete()[0] + shorten_logs()


def _endpoints_with_long_logs() -> models.QuerySet[Message, str]:
    counted = Message.objects.order_by().values("endpoint").annotate(n=models.Count("pk"))
    return counted.filter(n__gt=MAX_LOGGED_MESSAGES).values_list("endpoint", flat=True)


@row_task("delivery.shorten_webhook_logs", _endpoints_with_long_logs)
def shorten_logs(endpoint: str) -> int:
    """Delete finished messages of an endpoint except the newest ones. Return how many were deleted."""
    mine = Message.objects.filter(endpoint=endpoint).order_by("-id")
    last = mine.values_list("pk", flat=True)[MAX_LOGGED_MESSAGES : MAX_LOGGED_MESSAGES + 1].first()
    over = mine.exclude(state=MessageState.WAITING).order_by()
    return over.filter(pk__lte=last).delete()[0] if last else 0
