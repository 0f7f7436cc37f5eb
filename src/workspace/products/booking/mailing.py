"""Mails to who booked, in their language and zone: what was booked, moved, cancelled, declined."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from django.utils import translation

from workspace.delivery import mail
from workspace.products.booking.models import Booking
from workspace.publishing.language import USUAL, moment
from workspace.toolkit.ids import new_id

What = Literal["booked", "requested", "confirmed", "moved", "cancelled", "declined"]


def tell(booking: Booking, what: What, before: datetime | None = None) -> bool:
    """Whether there is an address to write to. `before`: when it was to begin, of one that was moved."""
    if not booking.email:
        return False
    page, account = booking.page, booking.page.account
    language = booking.language or page.language or USUAL
    zone = ZoneInfo(booking.guest_zone or page.time_zone)
    with translation.override(language):
        given = {
            "what": what,
            "booking": booking,
            "business": account.name,
            "place": page.place,
            "zone": zone.key,
            "when": moment(booking.starts_at, zone, language),
            "before": moment(before, zone, language) if before else "",
        }
    mail.send(
        "booking_told",
        booking.email,
        given,
        account=account,
        dedupe=f"booking:{booking.pk}:{new_id('m')}",
        reply_to=account.owner.email,
        language=language,
    )
    return True
