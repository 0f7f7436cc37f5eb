"""Counters, so that figures cost the same whether there were ten visits or ten million.

A tally is of all times. Below it a row a day tells how many came, and when; facets tell what visits had in common. A
day is the account's when somebody came, and keeps what was counted on it whatever the account's zone is later.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from workspace.publishing.models.visit import MAX_EVENT_LENGTH, MAX_PART_LENGTH, MAX_VALUE_LENGTH, publication_key

# the dimensions of a facet
DEVICE, CITY, COUNTRY, REFERRER, PART = "device", "city", "country", "referrer", "part"
HOUR_COLUMNS = tuple(f"h{hour:02}" for hour in range(24))


class VisitCounter(models.Model):
    """All visits there ever were: people in `total` with every repeat, first visits of a day in `uniques`, and bots
    apart."""

    publication = publication_key()
    event = models.CharField(max_length=MAX_EVENT_LENGTH)
    detail = models.CharField(max_length=MAX_PART_LENGTH, blank=True)
    total = models.PositiveBigIntegerField(default=0)
    uniques = models.PositiveBigIntegerField(default=0)
    bots = models.PositiveBigIntegerField(default=0)
    last_visit_at = models.DateTimeField(null=True)  # the last visit of a person

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "event", "detail"], name="one_counter_a_detail")]

    def __str__(self) -> str:
        return f"{self.total} {self.event} of {self.publication_id}"


def _parent_key(model: str) -> models.ForeignKey[Any, Any]:
    # the keys below begin with it, and as with visits what was deleted a moment ago must not stop a batch
    return models.ForeignKey(model, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False)


def _hour_column() -> models.IntegerField[int, int]:
    return models.IntegerField(default=0)


class DailyCounter(models.Model):
    """One local day of a tally, which began at `begins_at`: people, those not seen earlier on that day, bots, and the
    people of each local hour."""

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
    """People's visits of all times that share a value: a device, a city, or the part that was clicked. Uniques as in
    the tally; those of a part are its own."""

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
    """A day on which a facet counted, and what it had counted before that day: the visits of any window are the facet's
    less what stands at the window's first day, however long the window and however many the visits."""

    pk = models.CompositePrimaryKey("breakdown_id", "day")
    breakdown = _parent_key("publishing.Breakdown")
    day = models.DateField()
    before_count = models.PositiveIntegerField()
    before_uniques = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.before_count} before {self.day}"
