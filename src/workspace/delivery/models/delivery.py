"""A delivery is one thing that must leave the service (a mail, later a webhook or a calendar push) exactly as
often as it was decided, and at least once: its row commits with the decision, and a worker sends it
afterwards.

waiting → leased → sent, or kept (nowhere to send to: development), or waiting again after a failure, or
parked; withdrawn by who wrote it, as long as it has not left. A lease lapses: what a killed worker held is
taken again, so a receiver may see one delivery twice, never none.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.db import connection, models

from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.storage.database.transactions import write_transaction

# Bodies carry one-time links and people's words: they go when nobody needs them any more, the rows later.
SENT_CONTENT_RETENTION = timedelta(hours=1)  # it is in its mailbox; here it could hold a link that signs somebody in
LOCAL_CONTENT_RETENTION = timedelta(days=7)  # what was not sent, and is only read on the outbox page
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


class Delivery(models.Model):
    id = models.CharField(primary_key=True, max_length=40, default=_delivery_id, editable=False)
    kind = models.CharField(max_length=20)
    # None once blanked
    payload: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = models.JSONField(null=True)
    # a deleted account's last mail ("it is gone") still has to leave
    account = models.ForeignKey(
        "accounts.Account", null=True, blank=True, on_delete=models.SET_NULL, related_name="deliveries"
    )
    dedupe_key = models.CharField(max_length=200, null=True, blank=True, unique=True)
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # of a leased row: when the lease lapses
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
        """Take up to `limit` due rows of these kinds for so many seconds; nobody else gets them until then.
        Taking counts as an attempt, so that a row that kills its worker does not come round for ever."""
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
        """Sent, or kept. False when the lease was lost meanwhile, as of every change to a leased row."""
        return self._update_leased(state=state, sent_at=clock.now(), last_error="")

    def back_off(self, seconds: float, error: str) -> bool:
        return self._update_leased(
            state=DeliveryState.WAITING,
            next_attempt_at=clock.now() + timedelta(seconds=seconds),
            last_error=error[:MAX_ERROR_LENGTH],
        )

    @classmethod
    def postpone_due(cls, kind: str, seconds: float, error: str) -> int:
        """Let all that is due of a kind wait: its way out is closed, and one that tries is enough."""
        with write_transaction():
            due = cls.objects.filter(kind=kind, state=DeliveryState.WAITING, next_attempt_at__lte=clock.now())
            until = clock.now() + timedelta(seconds=seconds)
            return due.update(next_attempt_at=until, last_error=error[:MAX_ERROR_LENGTH])

    def park(self, error: str) -> bool:
        """Stop trying, and say why; an operator may retry it."""
        return self._update_leased(state=DeliveryState.PARKED, last_error=error[:MAX_ERROR_LENGTH])

    def release(self, seconds: float = 0, error: str = "") -> bool:
        """Give a leased row back untried; where the way out is closed, for so many seconds and with the reason."""
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
        """Whether the lease still stands: the row was not withdrawn, nor taken by another worker."""
        return Delivery.objects.filter(pk=self.pk, state=DeliveryState.LEASED, lease_token=self.lease_token).exists()

    def is_expiring_within(self, seconds: float) -> bool:
        return self.next_attempt_at - clock.now() < timedelta(seconds=seconds)

    @classmethod
    def retry(cls, id: str) -> bool:
        """Send a parked row after all, from its first attempt; False when it is not parked or already
        blanked."""
        with write_transaction():
            parked = cls.objects.filter(pk=id, state=DeliveryState.PARKED, payload__isnull=False)
            return parked.update(state=DeliveryState.WAITING, attempts=0, next_attempt_at=clock.now()) == 1

    @classmethod
    def blank_old_content(cls, now: datetime | None = None) -> int:
        """Empty what was sent an hour ago, what was kept here for a week and what was parked for a month; forget rows
        after 400 days."""
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
