"""What is remembered of guests: a row a visit for 400 days, counters for ever, and nothing that names a person.

No column holds an address. A visitor is a hash under the day's salt, and the salt is thrown away with the day.
"""

from __future__ import annotations

from django.db import models

EVENT_LENGTH = 12
PART_LENGTH = 40
VALUE_LENGTH = 100  # of a city, country, device or referrer

# the dimensions of a slot
ALL, BOT, DEVICE, CITY, COUNTRY, REFERRER = "all", "bot", "device", "city", "country", "referrer"


def _publication() -> models.ForeignKey[object, object]:
    # Every index here begins with the publication. There is no constraint on the reference: a visit may be written a
    # moment after its publication was deleted, and must not take the rest of its batch down with it.
    return models.ForeignKey(
        "publishing.Publication",
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )


class Visit(models.Model):
    """One event by one guest: `scan`, `view`, `click`, `save`. `part` names what was clicked, empty for the whole."""

    publication = _publication()
    event = models.CharField(max_length=EVENT_LENGTH)
    part = models.CharField(max_length=PART_LENGTH, blank=True)
    at = models.DateTimeField()
    bot = models.BooleanField()
    device = models.CharField(max_length=10)
    city = models.CharField(max_length=VALUE_LENGTH)
    country = models.CharField(max_length=VALUE_LENGTH)
    referrer = models.CharField(max_length=VALUE_LENGTH, blank=True)  # the host only
    visitor = models.CharField(max_length=32)

    class Meta:
        indexes = [models.Index(fields=["publication", "event", "at"], name="visits_of_a_publication")]

    def __str__(self) -> str:
        return f"{self.event} of {self.publication_id} at {self.at}"


class Slot(models.Model):
    """Visits within one hour of UTC that share a value: by device, city, country, referrer, or `all` of them (value
    empty). People only, but for the dimension `bot`. `uniques` are those not seen earlier on the same day in UTC."""

    publication = _publication()
    event = models.CharField(max_length=EVENT_LENGTH)
    part = models.CharField(max_length=PART_LENGTH, blank=True)
    hour = models.DateTimeField()
    dimension = models.CharField(max_length=10)
    value = models.CharField(max_length=VALUE_LENGTH, blank=True)
    count = models.PositiveIntegerField()
    uniques = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["publication", "event", "part", "hour", "dimension", "value"],
                name="one_slot_an_hour_and_value",
            )
        ]

    def __str__(self) -> str:
        return f"{self.count} at {self.hour}"


class Tally(models.Model):
    """All visits there ever were: people in `total` with every repeat, first visits of a day in `uniques`, and bots
    apart."""

    publication = _publication()
    event = models.CharField(max_length=EVENT_LENGTH)
    part = models.CharField(max_length=PART_LENGTH, blank=True)
    total = models.PositiveBigIntegerField(default=0)
    uniques = models.PositiveBigIntegerField(default=0)
    bots = models.PositiveBigIntegerField(default=0)
    last_at = models.DateTimeField(null=True)  # the last visit of a person

    class Meta:
        constraints = [models.UniqueConstraint(fields=["publication", "event", "part"], name="one_tally_a_part")]

    def __str__(self) -> str:
        return f"{self.total} {self.event} of {self.publication_id}"


class Seen(models.Model):
    """That somebody was here today; the key is a hash of the visitor, the publication, the event and the part."""

    key = models.CharField(primary_key=True, max_length=32)
    day = models.DateField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key} on {self.day}"


class Salt(models.Model):
    """The secret of one day in UTC. Once it is gone, the day's hashes lead back to nobody."""

    day = models.DateField(primary_key=True)
    value = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.day)


class Attempt(models.Model):
    """How often somebody did something within a window of time; the key is a hash under the day's salt."""

    key = models.CharField(primary_key=True, max_length=32)
    count = models.PositiveIntegerField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.ends_at}"
