"""Counters of visits, so that statistics cost the same for ten visits or ten million.

A tally counts all visits ever. For each day, a row has the counts by hour, and facets count visits with common
properties. A day is the account's local day at the time of the visit, and does not change if the account's time zone
changes later.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.publishing.models.visit import MAX_EVENT_LENGTH, MAX_PART_LENGTH, MAX_VALUE_LENGTH, publication_key

# Dimensions of a facet.
DEVICE, CITY, COUNTRY, REFERRER, PART = "device", "city", "country", "referrer", "part"
HOUR_COLUMNS = tuple(f"h{hour:02}" for hour in range(24))


class VisitCounter(models.Model):
    """All visits ever.

    `total` counts every visit by people, `uniques` only the first of each visitor on each day, and `bots` visits by
    bots.
    """

    publication = publication_key()
    event = models.CharField(max_length=MAX_EVENT_LENGTH)
    detail = models.CharField(max_length=MAX_PART_LENGTH, blank=True)
    total = models.PositiveBigIntegerField(default=0)
    uniques = models.PositiveBigIntegerField(default=0)
    bots = models.PositiveBigIntegerField(default=0)
    last_visit_at = models.DateTimeField(null=True)  # last visit of a person

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "event", "detail"], name="one_counter_a_detail")]

    def __str__(self) -> str:
        return f"{self.total} {self.event} of {self.publication_id}"


def _parent_key(model: str) -> models.ForeignKey[Any, Any]:
    # The primary keys below start with it. As with visits, an item that has just been deleted must not make a batch
    # fail.
    return models.ForeignKey(model, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)


def _hour_column() -> models.IntegerField[int, int]:
    return models.IntegerField(default=0)


class DailyCounter(models.Model):
    """One local day of a tally, which started at `begins_at`.

    It counts visits by people, first visits on that day, bots, and people in each local hour.
    """

    pk = models.CompositePrimaryKey("counter_id", "day")
    counter = _parent_key("publishing.VisitCounter")
    day = models.DateField()
    begins_at = models.DateTimeField()
    count = models.IntegerField(default=0)
    uniques = models.IntegerField(default=0)
    bots = models.IntegerField(default=0)
    h00, h01, h02, h03, h04, h05 = (
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
    )
    h06, h07, h08, h09, h10, h11 = (
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
    )
    h12, h13, h14, h15, h16, h17 = (
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
    )
    h18, h19, h20, h21, h22, h23 = (
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
        _hour_column(),
    )

    def __str__(self) -> str:
        return f"{self.count} on {self.day}"


class Breakdown(models.Model):
    """All visits by people that share a value: a device, a city, or the clicked part.

    Unique visitors are counted as in the tally, and those of a part are counted for that part.
    """

    counter = _parent_key("publishing.VisitCounter")
    dimension = models.CharField(max_length=10)
    value = models.CharField(max_length=MAX_VALUE_LENGTH, blank=True)
    count = models.PositiveBigIntegerField()
    uniques = models.PositiveBigIntegerField()
    last_day = models.DateField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["counter", "dimension", "value"], name="one_breakdown_a_value")]

    def __str__(self) -> str:
        return f"{self.count} by {self.dimension} {self.value}"


class DailyBreakdown(models.Model):
    """A day when a facet was counted, and its counts before that day.

    The visits since a day are the facet's counts minus those before that day, which costs the same for any period.
    """

    pk = models.CompositePrimaryKey("breakdown_id", "day")
    breakdown = _parent_key("publishing.Breakdown")
    day = models.DateField()
    before_count = models.PositiveIntegerField()
    before_uniques = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.before_count} before {self.day}"
