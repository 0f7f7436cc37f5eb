"""Mails about a booking: to its guest in their language and zone, with an invitation for their calendar, and to the
owner as news. Each says whose clocks its times are of."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from workspace.delivery import mail, notifications
from workspace.delivery.mail.calendar_invites import Invite
from workspace.delivery.notifications import Kind
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.lib.time_zones import differ
from workspace.products.booking.domain import calendar_events, cancellation_policy, guest_links
from workspace.products.booking.models import Booking, Status, Waiting
from workspace.publishing.language import USUAL, amount, moment_of_week

What = Literal[
    "booked",  # by the guest, and sure
    "confirmed",  # by the owner, for the guest
    "approved",
    "requested",
    "pay",  # it is held until it is paid
    "failed",  # the payment
    "moved",
    "cancelled",
    "declined",
    "expired",
    "late",  # paid, when the time was another's
    "refunded",  # by its owner's hand, and it takes place
    "left",  # the account is closed or out of service
    "stands",  # and is back
    "reminder",
]
NEW = Kind("booking.new", "Bookings", "A guest books a visit", "/app/booking")
REQUESTS = Kind("booking.request", "Requests", "A guest asks for a visit that you confirm", "/app/booking")
CHANGES = Kind("booking.changed", "Bookings moved or cancelled", "A guest moves or cancels a visit", "/app/booking")
NEWS = (NEW, REQUESTS, CHANGES)
_INVITING = ("booked", "confirmed", "approved", "moved")


def tell(
    booking: Booking,
    what: What,
    before: datetime | None = None,
    *,
    by_guest: bool = False,
    back: int = 0,
    once: str = "",
) -> bool:
    """Whether there is an address to write to. `before`: when it was to begin, of one that was moved; `by_guest`: it is
    their own doing; `back`: what goes back to them, minor units; `once`: a key under which it is written once."""
    if not booking.email:
        return False
    page = booking.page
    language = booking.language or page.language or USUAL
    zone = ZoneInfo(booking.guest_zone or page.time_zone)
    with translation.override(language):
        label, link = _next(booking, what, language)
        given = {
            **_told(booking, zone, language),
            "what": "pay" if what == "approved" and booking.waiting_for == Waiting.PAYMENT else what,
            "is_answered": what == "approved",
            "before": moment_of_week(before, zone, language) if before else "",
            "by_guest": by_guest,
            "back": amount(back, page.currency, language) if back else "",
            "until": moment_of_week(booking.hold_until, zone, language) if booking.hold_until else "",
            "was_request": booking.waiting_for == Waiting.APPROVAL,
            "owed": amount(booking.owed_minor, page.currency, language) if booking.owed_minor else "",
            "paid": amount(booking.paid_minor, page.currency, language) if booking.paid_minor else "",
            "label": label,
            "link": link,
        }
    mail.send(
        "booking_told",
        booking.email,
        given,
        # what is left undone goes with an account, but for this
        account=None if what == "left" else booking.account,
        dedupe=f"booking:{booking.pk}:{once or new_id('m')}",
        reply_to=booking.account.owner.email,
        language=language,
        invite=_invite(booking, what),
    )
    return True


def _next(booking: Booking, what: What, language: str) -> tuple[str, str]:
    """What its reader can do about it, and where."""
    if what == "left":
        return "", ""
    if what in ("declined", "expired", "late", "cancelled"):
        return gettext("Choose another time"), booking.page.public_url
    if what in ("pay", "failed") or (what == "approved" and booking.waiting_for == Waiting.PAYMENT):
        label = gettext("Pay %(amount)s") % {"amount": amount(booking.owed_minor, booking.page.currency, language)}
    elif what == "requested":
        label = gettext("See your request")
    elif cancellation_policy.is_open_to_change(booking):
        label = gettext("See it, move it or cancel it")
    else:
        label = gettext("See your visit")
    return label, guest_links.url_of(booking)


def _invite(booking: Booking, what: What) -> Invite | None:
    """What is sure goes into the guest's calendar, and what was there and does not take place is taken out of it."""
    if what == "cancelled" and booking.invited:
        return Invite(calendar_events.guests(booking), True, booking.account.name, booking.name)
    if what not in _INVITING or booking.status != Status.CONFIRMED:
        return None
    if not booking.invited:
        booking.invited = True
        Booking.objects.filter(pk=booking.pk).update(invited=True)
    return Invite(calendar_events.guests(booking), False, booking.account.name, booking.name)


def _told(booking: Booking, zone: ZoneInfo, language: str) -> dict[str, Any]:
    page = booking.page
    return {
        "booking": booking,
        "business": booking.account.name,
        "place": page.place,
        "zone": zone.key.replace("_", " "),
        "when": moment_of_week(booking.starts_at, zone, language),
        "there": moment_of_week(booking.starts_at, page.zone, language)
        if differ(zone, page.zone, booking.starts_at)
        else "",
        "price": "" if booking.price_minor is None else amount(booking.price_minor, page.currency, language),
        "there_zone": page.time_zone.replace("_", " "),
    }


def tell_owner(booking: Booking, what: str, before: datetime | None = None) -> None:
    """`what`: new, request, moved, cancelled, withdrawn (a request) or expired."""
    kind = {"new": NEW, "request": REQUESTS, "expired": REQUESTS}.get(what, CHANGES)
    zone = booking.account.zone
    given = {
        **_told(booking, zone, settings.LANGUAGE_CODE),
        "what": what,
        "before": moment_of_week(before, zone, settings.LANGUAGE_CODE) if before else "",
        "until": moment_of_week(booking.hold_until, zone, settings.LANGUAGE_CODE) if booking.hold_until else "",
        "paid": amount(booking.paid_minor, booking.page.currency, settings.LANGUAGE_CODE) if booking.paid_minor else "",
        "page_url": f"{settings.BASE_URL}{booking.owners_path}",
    }
    notifications.tell(booking.account, kind, "booking_news", given, reply_to=booking.email or None)


def tell_made(booking: Booking) -> None:
    """To both, of what a guest has booked; who pays first is told when it is paid."""
    match booking.waiting_for:
        case Waiting.PAYMENT:
            tell(booking, "pay")
        case Waiting.APPROVAL:
            tell(booking, "requested")
            tell_owner(booking, "request")
        case _:
            tell(booking, "booked")
            tell_owner(booking, "new")


def is_to_come(booking: Booking) -> bool:
    return booking.starts_at > clock.now()
