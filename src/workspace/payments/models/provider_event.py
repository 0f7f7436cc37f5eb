"""Events received from a payment provider. Each is stored once."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError, models, transaction

from workspace.accounts.models import Account
from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

RETENTION = timedelta(days=40)  # a provider repeats an event for three days, and on manual request for thirty


class ProviderEvent(models.Model):
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="provider_events")
    event = models.CharField(max_length=100)
    kind = models.CharField(max_length=60)
    received_at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account", "event"], name="an_event_once")]
        indexes = [models.Index(fields=["received_at"], name="provider_events_by_age")]

    def __str__(self) -> str:
        return f"{self.kind} {self.event}"

    @classmethod
    def record_if_new(cls, account_id: str, event: str, kind: str) -> bool:
        """Record the event inside the transaction that handles it. Return False if it was already recorded."""
        try:
            with transaction.atomic():
                cls.objects.create(account_id=account_id, event=event, kind=kind[:60])
        except IntegrityError:
            return False
        return True

    @classmethod
    def delete_expired(cls) -> None:
        with write_transaction():
            cls.objects.filter(received_at__lt=clock.now() - RETENTION).delete()
