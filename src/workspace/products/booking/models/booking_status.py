"""The states of a booking."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.db.models import Q


class Status(models.TextChoices):
    CONFIRMED = "confirmed"
    PENDING = "pending_payment"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class PendingReason(models.TextChoices):
    """The reason why a booking is pending."""

    NOTHING = ""
    APPROVAL = "approval"
    PAYMENT = "payment"


class AttendanceStatus(models.TextChoices):
    UNKNOWN = ""
    ATTENDED = "attended"
    NO_SHOW = "no_show"


# The database allows no overlap between these (see `overlap_constraint.py`). A pending booking whose hold has ended is
# set to expired first.
LIVE_STATUSES = (Status.CONFIRMED, Status.PENDING)


def live_filter(now: datetime, prefix: str = "") -> Q:
    """Return the condition for live bookings. `prefix` is the path to the booking in lookups from other models."""
    confirmed = Q(**{f"{prefix}status": Status.CONFIRMED})
    return confirmed | Q(**{f"{prefix}status": Status.PENDING, f"{prefix}hold_until__gt": now})
