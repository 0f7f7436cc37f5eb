"""Tables, and objects that have no seats: a stage, a bar, a door."""

from __future__ import annotations

from django.db import models

from workspace.lib.ids import new_id
from workspace.products.seat.models.chart import Chart
from workspace.products.seat.rules.table_labels import format_table_label
from workspace.storage.journal import Journaled

TABLE = "table"
OBJECTS = ("dance_floor", "stage", "bar", "buffet", "door", "pillar", "wall", "other")


def _table_id() -> str:
    return new_id("tab")


class Table(Journaled):
    """A table or an object of the room.

    `x` and `y` are its center in centimeters from the room's top left, `rotation` is in degrees clockwise. `kind` is
    `table`, or one of OBJECTS, which have no seats. `is_closed` means that no more guests are seated there, and
    `locked` that it cannot be moved on the plan. A table's name is unique within its chart.
    """

    journal_item_path = "chart"
    journal_displayed_fields = {"is_closed": ("closed", None)}

    id = models.CharField(primary_key=True, max_length=40, default=_table_id, editable=False)
    chart = models.ForeignKey(Chart, on_delete=models.CASCADE, related_name="tables")
    kind = models.CharField(max_length=12, default=TABLE)
    name = models.CharField(max_length=60, blank=True)
    shape = models.CharField(max_length=10, default="round")
    capacity = models.PositiveSmallIntegerField(default=0)
    x = models.FloatField(default=0)
    y = models.FloatField(default=0)
    width = models.FloatField(default=152)
    depth = models.FloatField(default=152)
    rotation = models.FloatField(default=0)
    end_seats = models.BooleanField(default=False)
    locked = models.BooleanField(default=False)
    is_closed = models.BooleanField(default=False)
    color = models.CharField(max_length=7, blank=True)
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = [
            models.UniqueConstraint(
                fields=["chart", "name"], condition=models.Q(kind=TABLE), name="one_table_of_a_name"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_table(self) -> bool:
        return self.kind == TABLE

    @property
    def label(self) -> str:
        """The name of a table as owners see it: `Table 7`, `Roses`."""
        return format_table_label(self.name)
