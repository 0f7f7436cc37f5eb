"""The words for a booking's status in sentences for owners."""

from __future__ import annotations

from workspace.owner_translation import owner_gettext_lazy
from workspace.products.booking.models import Status

_STATUS_TEXTS = {
    Status.PENDING: owner_gettext_lazy("pending"),
    Status.CONFIRMED: owner_gettext_lazy("confirmed"),
    Status.CANCELLED: owner_gettext_lazy("canceled"),
    Status.EXPIRED: owner_gettext_lazy("expired"),
}


def format_status(status: str) -> str:
    """Return the status as a word that fits into a sentence."""
    return _STATUS_TEXTS[Status(status)]
