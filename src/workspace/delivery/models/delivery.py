"""A delivery: one item that must leave the service, such as an email or a webhook message.

Its row commits with the decision to send it, and a worker sends it afterwards, at least once.

States: waiting → leased → sent or kept (no mail server, as in development), or waiting again after a failure, or
parked. A delivery that was not sent can be withdrawn. Leases expire, and rows of a killed worker are leased again, so a
receiver may get a delivery twice but never misses one.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import connection, models

from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage.database.compiled_write import CompiledModel
from workspace.storage.database.transactions import write_transaction

# Bodies contain one-time links and personal data, so they are deleted earlier than rows.
SENT_CONTENT_RETENTION = timedelta(hours=1)  # it is in the recipient's mailbox, and could contain a sign-in link
LOCAL_CONTENT_RETENTION = timedelta(days=7)  # for emails that were not sent and are only read on the outbox page
PARKED_CONTENT_RETENTION = timedelta(days=30)
ROW_RETENTION = timedelta(days=400)
MAX_ERROR_LENGTH = 500


def _delivery_id() -> str:
    return new_id("dlv")


class DeliveryState(models.TextChoices):
    WAITING = "waiting"
    LEASED = "leased"
    SENT = "sent"
    KEPT = "kept"
    PARKED = "parked"
    WITHDRAWN = "withdrawn"


class Delivery(CompiledModel):
    """A row of the outbox."""

    id = models.CharField(primary_key=True, max_length=40, default=_delivery_id, editable=False)
    kind = models.CharField(max_length=20)
    # None after the content was deleted
    payload: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(null=True)
    # no cascade: the last email of a deleted account, which confirms the deletion, still has to be sent
    account = models.ForeignKey(
        "accounts.Account", null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries"
    )
    dedupe_key = models.CharField(max_length=200, null=True, blank=True, unique=True)
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # when the lease of a leased row expires
    next_attempt_at = models.DateTimeField(default=clock.now)
    lease_token = models.CharField(max_length=32, null=True, blank=True)
    last_error = models.CharField(max_length=MAX_ERROR_LENGTH, blank=True)
    created_at = models.DateTimeField(default=clock.now)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["next_attempt_at"],
                condition=models.Q(state__in=["waiting", "leased"]),
                name="delivery_due",
            ),
            models.Index(fields=["created_at"], condition=models.Q(payload__isnull=False), name="delivery_unblanked"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state="leased", lease_token__isnull=False)
                | (~models.Q(state="leased") & models.Q(lease_token__isnull=True)),
                name="delivery_leased_with_a_token",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id} ({self.state})"

    @classmethod
    def lease_due(cls, kinds: list[str], *, limit: int, seconds: float) -> list[Self]:
        """Lease up to `limit` due rows of these kinds for `seconds`.

        A lease counts as an attempt, so that a row that crashes its worker is not retried forever."""
        due = cls.objects.filter(
            state__in=[DeliveryState.WAITING, DeliveryState.LEASED], next_attempt_at__lte=clock.now(), kind__in=kinds
        )
        if not due.exists():  # an idle worker takes no write lock
            return []
        token = secrets.token_hex(16)
        with write_transaction():
            rows = due.order_by("next_attempt_at", "id")
            if connection.features.has_select_for_update_skip_locked:
                rows = rows.select_for_update(skip_locked=True)
            taken = list(rows[:limit])
            until = clock.now() + timedelta(seconds=seconds)
            for row in taken:
                row.state, row.lease_token, row.next_attempt_at = DeliveryState.LEASED, token, until
                row.attempts += 1
            cls.objects.filter(pk__in=[row.pk for row in taken]).update(
                state=DeliveryState.LEASED,
                lease_token=token,
                next_attempt_at=until,
                attempts=models.F("attempts") + 1,
            )
        return taken

    def finish(self, state: DeliveryState) -> bool:
        """Mark the row as sent or kept. Return False if the lease was lost, as all changes to a leased row do."""
        return self._update_leased(state=state, sent_at=clock.now(), last_error="")

    def back_off(self, seconds: float, error: str) -> bool:
        """Return a leased row to the queue, and retry it after `seconds`."""
        return self._update_leased(
            state=DeliveryState.WAITING,
            next_attempt_at=clock.now() + timedelta(seconds=seconds),
            last_error=error[:MAX_ERROR_LENGTH],
        )

    @classmethod
    def postpone_due(cls, kind: str, seconds: float, error: str) -> int:
        """Postpone all due rows of a kind if its channel is unavailable, because one failed attempt is enough."""
        with write_transaction():
            due = cls.objects.filter(kind=kind, state=DeliveryState.WAITING, next_attempt_at__lte=clock.now())
            until = clock.now() + timedelta(seconds=seconds)
            return due.update(next_attempt_at=until, last_error=error[:MAX_ERROR_LENGTH])

    def park(self, error: str) -> bool:
        """Stop retrying and store the error. An administrator may retry it."""
        return self._update_leased(state=DeliveryState.PARKED, last_error=error[:MAX_ERROR_LENGTH])

    def release(self, seconds: float = 0, error: str = "") -> bool:
        """Return an untried leased row to the queue and store the reason. It is tried after `seconds`."""
        return self._update_leased(
            state=DeliveryState.WAITING,
            next_attempt_at=clock.now() + timedelta(seconds=seconds),
            attempts=self.attempts - 1,
            last_error=error[:MAX_ERROR_LENGTH],
        )

    def _update_leased(self, **fields: Any) -> bool:
        with write_transaction():
            mine = Delivery.objects.filter(pk=self.pk, state=DeliveryState.LEASED, lease_token=self.lease_token)
            return mine.update(lease_token=None, **fields) == 1

    def has_lease(self) -> bool:
        """Return whether the lease is valid, that is, the row was not withdrawn or leased by another worker."""
        return Delivery.objects.filter(pk=self.pk, state=DeliveryState.LEASED, lease_token=self.lease_token).exists()

    def is_expiring_within(self, seconds: float) -> bool:
        return self.next_attempt_at - clock.now() < timedelta(seconds=seconds)

    @classmethod
    def retry(cls, id: str) -> bool:
        """Queue a parked row again with its attempts reset.

        Return False if it is not parked or its content was deleted."""
        with write_transaction():
            parked = cls.objects.filter(pk=id, state=DeliveryState.PARKED, payload__isnull=False)
            return parked.update(state=DeliveryState.WAITING, attempts=0, next_attempt_at=clock.now()) == 1

    @classmethod
    def blank_old_content(cls, now: datetime | None = None) -> int:
        """Delete the content of rows sent an hour ago, kept for 7 days or parked for 30 days.

        Rows are deleted after 400 days. Return the number of rows whose content was deleted."""
        moment = now or clock.now()
        done = models.Q(state=DeliveryState.SENT, sent_at__lt=moment - SENT_CONTENT_RETENTION)
        kept = models.Q(state=DeliveryState.KEPT, sent_at__lt=moment - LOCAL_CONTENT_RETENTION)
        given_up = models.Q(state=DeliveryState.PARKED, next_attempt_at__lt=moment - PARKED_CONTENT_RETENTION)
        with write_transaction():
            blanked = cls.objects.filter(done | kept | given_up, payload__isnull=False).update(payload=None)
            cls.objects.filter(
                state__in=[DeliveryState.SENT, DeliveryState.KEPT, DeliveryState.PARKED, DeliveryState.WITHDRAWN],
                created_at__lt=moment - ROW_RETENTION,
            ).delete()
        return blanked
