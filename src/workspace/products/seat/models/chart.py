"""A chart: a room with tables and guests. If the owner allows it, guests can find their table at its public URL."""

from __future__ import annotations

from django.db import models
from typing_extensions import TypedDict, override

from workspace.accounts.models import Account, Upload
from workspace.lib import clock, name_order
from workspace.lib.errors import OperationNotAllowedError
from workspace.lib.ids import new_id
from workspace.products.seat import messages
from workspace.publishing.models import Publication, PublishedItem, picture_restorers

KIND = "seat"


class Course(TypedDict):
    """A course, with the meals that guests can choose. If `choices` is empty, any words are allowed."""

    name: str
    choices: list[str]


def _chart_id() -> str:
    return new_id("chart")


class Chart(PublishedItem):
    """A seating chart.

    `width` and `depth` of the room are in centimeters, and so is `background_width`, the width that its picture
    represents. `version` increases with each write by one or more. `units` is the unit of lengths for the owner.
    """

    kind = KIND
    pictures = ("background_image",)
    counted_changes = ("version",)
    journal_displayed_fields = {
        **PublishedItem.journal_displayed_fields,
        "background_image": ("background_image_id", None),
    }
    journal_field_restorers = {**PublishedItem.journal_field_restorers, **picture_restorers(*pictures)}

    id = models.CharField(primary_key=True, max_length=40, default=_chart_id, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="seating_charts")
    publication = models.OneToOneField(Publication, on_delete=models.PROTECT, related_name="seating_chart")
    title = models.CharField(max_length=120)
    date = models.DateField(null=True, blank=True)
    venue = models.CharField(max_length=200, blank=True)
    width = models.FloatField(default=1600)
    depth = models.FloatField(default=1200)
    background_image = models.ForeignKey(Upload, on_delete=models.RESTRICT, null=True, blank=True, related_name="+")
    background_width = models.FloatField(default=0)  # 0: as wide as the room
    units = models.CharField(max_length=2, default="cm")
    courses: models.JSONField[list[Course], list[Course]] = models.JSONField(default=list, blank=True)
    find_table = models.BooleanField(default=False)
    find_from = models.DateTimeField(null=True, blank=True)
    show_names = models.BooleanField(default=False)
    name_order = models.CharField(
        max_length=12, default=name_order.DEFAULT_ORDER
    )  # the part of a name that is the surname
    seat_waiting = models.BooleanField(default=True)  # whether auto-seating includes guests who have not replied
    version = models.PositiveIntegerField(default=1)

    class Meta(PublishedItem.Meta):
        verbose_name = "seating chart"

    def __str__(self) -> str:
        return self.title

    @property
    def is_search_open(self) -> bool:
        """True if guests can search for their table now."""
        return self.find_table and (self.find_from is None or self.find_from <= clock.now())

    def remaining_quota(self) -> int | None:
        """Return how many more guests the plan allows, or None if unlimited. Placeholders count as guests."""
        most = self.account.limits(KIND).guests
        return None if most is None else max(0, most - self.guests.count())

    @override
    def check_part_limits(self) -> None:
        """Raise OperationNotAllowedError if an undo would restore more guests than the plan allows."""
        most = self.account.limits(KIND).guests
        if most is not None and self.guests.count() > most:
            way_out = self.account.with_upgrade_hint(KIND, "delete some")
            raise OperationNotAllowedError(messages.GUEST_LIMIT(most=most, way_out=way_out))
