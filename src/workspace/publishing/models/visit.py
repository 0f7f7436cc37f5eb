"""What is remembered of guests: a row a visit for 400 days, and nothing that names a person.

No column holds an address. A visitor is a hash under the day's salt, and the salt is thrown away with the day. Days are
the account's: the date that its clocks showed when somebody came.
"""

from __future__ import annotations

from django.db import models

VIEW_EVENT = "view"  # the event of a guest who opens a page
MAX_EVENT_LENGTH = 12
MAX_PART_LENGTH = 40
MAX_VALUE_LENGTH = 100  # of a city, country, device or referrer


def publication_key() -> models.ForeignKey[object, object]:
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
    """One event by one guest: `scan`, `view`, `click`, `save`. `detail` names what was clicked, empty for the whole."""

    publication = publication_key()
    event = models.CharField(max_length=MAX_EVENT_LENGTH)
    detail = models.CharField(max_length=MAX_PART_LENGTH, blank=True)
    occurred_at = models.DateTimeField()
    day = models.DateField()  # the account's, on which it was counted: stays when the account changes its zone
    bot = models.BooleanField()
    device = models.CharField(max_length=10)
    city = models.CharField(max_length=MAX_VALUE_LENGTH)
    country = models.CharField(max_length=MAX_VALUE_LENGTH)
    referrer = models.CharField(max_length=MAX_VALUE_LENGTH, blank=True)  # the host only
    visitor = models.CharField(max_length=32)

    class Meta:
        indexes = [
            models.Index(fields=["publication", "event", "occurred_at"], name="visits_of_a_publication"),
            models.Index(fields=["occurred_at"], name="visits_by_time"),  # in which they are forgotten
        ]

    def __str__(self) -> str:
        return f"{self.event} of {self.publication_id} at {self.occurred_at}"


class UniqueVisitor(models.Model):
    """That somebody was here on that day; the key is a hash of the visitor, the publication, the event and the part."""

    visitor_day_key = models.CharField(primary_key=True, max_length=32)
    day = models.DateField(db_index=True)

    def __str__(self) -> str:
        return f"{self.visitor_day_key} on {self.day}"


class VisitorSalt(models.Model):
    """The secret of one date, which is today somewhere for 50 hours: from UTC+14 to UTC-12. Once it is gone, the day's
    hashes lead back to nobody."""

    day = models.DateField(primary_key=True)
    value = models.CharField(max_length=64)

    def __str__(self) -> str:
        return str(self.day)


class RateCounter(models.Model):
    """How often somebody did something within a window of time; the key is a hash under the day's salt."""

    key = models.CharField(primary_key=True, max_length=32)
    count = models.PositiveIntegerField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.count} until {self.expires_at}"
