"""Events received from the administrator's payment provider. Each is stored once."""

from __future__ import annotations

from datetime import timedelta

from django.db import models

from workspace.lib import clock
from workspace.storage.database.transactions import write_transaction

RETENTION = timedelta(days=40)  # a provider repeats an event for three days, and on manual request for thirty


class BillingEvent(models.Model):
    id = models.CharField(primary_key=True, max_length=100)
    kind = models.CharField(max_length=60)
    received_at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"

    @classmethod
    def delete_expired(cls) -> None:
        with write_transaction():
            cls.objects.filter(received_at__lt=clock.now() - RETENTION).delete()
