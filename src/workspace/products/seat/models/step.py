"""What was done to a chart, step by step: to take moves back and do them again, and to tell another planner what has
changed. It holds ids, no names."""

from __future__ import annotations

from django.db import models

from workspace.lib import clock
from workspace.products.seat.models.chart import Chart

Move = list[str]  # a guest's id, the id of the table they left and of the one they went to; empty for none


class Step(models.Model):
    """`version` is the chart's after it. `guests` and `tables` are ids of what it made or changed, `deleted_ids` of what it
    took away. Where versions have no step, more than that may have changed. `actor` is whose step it was."""

    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="steps")
    version = models.PositiveIntegerField()
    actor = models.CharField(max_length=80, blank=True)
    act = models.CharField(max_length=10)
    moves: models.JSONField[list[Move], list[Move]] = models.JSONField(default=list)
    guests: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    tables: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    deleted_ids: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    is_undone = models.BooleanField(default=False)
    change = models.CharField(max_length=40, blank=True)  # the account's change that the step belongs to
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["chart", "version"], name="seat_steps_by_version")]

    def __str__(self) -> str:
        return f"{self.act} {self.version}"
