"""Steps of a chart, for undo and redo, and to show other planners what changed. They contain ids but no names."""

from __future__ import annotations

from django.db import models

from workspace.lib import clock
from workspace.products.seat.models.chart import Chart
from workspace.storage.database.compiled_write import CompiledModel

Move = list[str]  # ids of the guest, of the previous table and of the new one; empty for no table


class Step(CompiledModel):
    """A step of a chart.

    `version` is the chart's version after it. `guests` and `tables` are ids that it created or changed, and
    `deleted_ids` those that it deleted. Versions without a step may have changed more than that. `actor` is the person
    who made it.
    """

    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="steps")
    version = models.PositiveIntegerField()
    actor = models.CharField(max_length=80, blank=True)
    act = models.CharField(max_length=10)
    moves: models.JSONField[list[Move], list[Move]] = models.JSONField(default=list)
    guests: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    tables: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    deleted_ids: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    is_undone = models.BooleanField(default=False)
    change = models.CharField(max_length=40, blank=True)  # the account's change that contains the step
    created_at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("id",)
        indexes = [models.Index(fields=["chart", "version"], name="seat_steps_by_version")]

    def __str__(self) -> str:
        return f"{self.act} {self.version}"
