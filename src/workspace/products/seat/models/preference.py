"""Seating preferences: guests to sit together or apart, and tables to prefer or avoid."""

from __future__ import annotations

from django.db import models

from workspace.lib.ids import new_id
from workspace.products.seat.models.chart import Chart
from workspace.products.seat.models.table import Table
from workspace.storage.journal import Journaled


def _preference_id() -> str:
    return new_id("pref")


class Weight(models.TextChoices):
    NICE = "nice"
    WANTED = "wanted"
    MUST = "must"


class SeatingPreference(Journaled):
    """A seating preference.

    `between` has ids of guests and names of parties: two for together and apart, and one for near and away, which have
    a `table`.
    """

    journal_item_path = "chart"

    id = models.CharField(primary_key=True, max_length=40, default=_preference_id, editable=False)
    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="preferences")
    kind = models.CharField(max_length=8)
    between: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="preferences")
    weight = models.CharField(max_length=6, default=Weight.WANTED)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.kind
