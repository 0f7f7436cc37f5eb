"""Visits by guests: one row per visit, stored for 400 days, without personal data.

No column contains an IP address. A visitor is a hash made with the day's salt, which is deleted after the day. A day is
the account's local date at the time of the visit.
"""

from __future__ import annotations

from django.db import models

VIEW_EVENT = "view"  # event of opening a page
MAX_EVENT_LENGTH = 12
MAX_PART_LENGTH = 40
MAX_VALUE_LENGTH = 100  # for cities, countries, devices and referrers


def publication_key() -> models.ForeignKey[object, object]:
    # Every index here starts with the publication. There is no database constraint, because a visit may be written just
    # after its publication was deleted, and must not make the rest of its batch fail.
    return models.ForeignKey(
        "publishing.Publication",
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )


class Visit(models.Model):
    """One event of one guest: `scan`, `view`, `click`, `save`. `detail` is the clicked part, or empty for the page."""

    publication = publication_key()
    event = models.CharField(max_length=MAX_EVENT_LENGTH)
    detail = models.CharField(max_length=MAX_PART_LENGTH, blank=True)
    occurred_at = models.DateTimeField()
    day = models.DateField()  # the account's local day at that time; it does not change with the time zone
    bot = models.BooleanField()
    device = models.CharField(max_length=10)
    city = models.CharField(max_length=MAX_VALUE_LENGTH)
    country = models.CharField(max_length=MAX_VALUE_LENGTH)
    referrer = models.CharField(max_length=MAX_VALUE_LENGTH, blank=True)  # the host only
    visitor = models.CharField(max_length=32)

    class Meta:
        indexes = [
            models.Index(fields=["publication", "event", "occurred_at"], name="visits_of_a_publication"),
            models.Index(fields=["occurred_at"], name="visits_by_time"),  # for deletion by age
        ]

    def __str__(self) -> str:
        return f"{self.event} of {self.publication_id} at {self.occurred_at}"


class UniqueVisitor(models.Model):
    """A record that a visitor was counted on a day.

    The key is a hash of the visitor, the publication, the event and the part.
    """

    visitor_day_key = models.CharField(primary_key=True, max_length=32)
    day = models.DateField(db_index=True)

    def __str__(self) -> str:
        return f"{self.visitor_day_key} on {self.day}"
