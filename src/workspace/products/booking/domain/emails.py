"""Emails about bookings: to guests, with a calendar invitation, and notifications to the owner.

Guests get them in their language and time zone. Each email names the time zone of its times."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from workspace.delivery import mail, notifications
from workspace.delivery.mail.calendar_invites import Invite
from workspace.delivery.notifications import NotificationKind
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.lib.languages import OWNER_LANGUAGES
from workspace.lib.time_zones import offsets_differ
from workspace.products.booking.domain import calendar_events, cancellation_policy, guest_links
from workspace.products.booking.models import Booking, PendingReason, Status
from workspace.publishing.language import DEFAULT_LANGUAGE, format_amount, format_full_moment

GuestEmailKind = Literal[
    "booked",  # by the guest, and confirmed
    "confirmed",  # by the owner, for the guest
    "approved",
    "requested",
    "pay",  # held until it is paid
    "failed",  # the payment failed
    "moved",
    "cancelled",
    "declined",
    "expired",
    "late",  # paid after the time was taken by another booking
    "refunded",  # by the owner; the appointment still takes place
    "left",  # the account is closed or suspended
    "stands",  # the account is active again
    "reminder",
]
NEW_BOOKING = NotificationKind("booking.new", "Bookings", "A guest books a visit", "/app/booking")
BOOKING_REQUEST = NotificationKind(
    "booking.request", "Requests", "A guest asks for a visit that you confirm", "/app/booking"
)
BOOKING_CHANGE = NotificationKind(
    "booking.changed", "Bookings moved or cancelled", "A guest moves or cancels a visit", "/app/booking"
)
NOTIFICATIONS = (NEW_BOOKING, BOOKING_REQUEST, BOOKING_CHANGE)
_INVITING_KINDS = ("booked", "confirmed", "approved", "moved")


def email_guest(
    booking: Booking,
    what: GuestEmailKind,
    before: datetime | None = None,
    *,
    by_guest: bool = False,
    back: int = 0,
    once: str = "",
) -> bool:
    """Email the guest of a booking. Return whether there is an email address.

    `before` is the former start of a rescheduled booking. `by_guest` means that the guest made the change. `back` is
    the refund in minor units. `once` is a key that prevents a second email."""
    if not booking.email:
        return False
    page = booking.page
    language = booking.language or page.language or DEFAULT_LANGUAGE
    zone = ZoneInfo(booking.guest_zone or page.time_zone)
    with translation.override(language):
        label, link = _next_step(booking, what, language)
        fields = {
            **_booking_context(booking, zone, language),
            "what": "pay" if what == "approved" and booking.pending_reason == PendingReason.PAYMENT else what,
            "is_answered": what == "approved",
            "before": format_full_moment(before, zone, language) if before else "",
            "by_guest": by_guest,
            "back": format_amount(back, page.currency, language) if back else "",
            "until": format_full_moment(booking.hold_until, zone, language) if booking.hold_until else "",
            "was_request": booking.pending_reason == PendingReason.APPROVAL,
            "owed": format_amount(booking.unpaid_minor, page.currency, language) if booking.unpaid_minor else "",
            "paid": format_amount(booking.paid_minor, page.currency, language) if booking.paid_minor else "",
            "label": label,
            "link": link,
        }
    mail.send(
        "booking_guest",
        booking.email,
        fields,
        # an account's unsent emails are deleted with it; this email must still be sent
        account=None if what == "left" else booking.account,
        dedupe=f"booking:{booking.pk}:{once or new_id('m')}",
        reply_to=booking.account.owner.email,
        language=language,
        invite=_build_invite(booking, what),
    )
    return True


def _next_step(booking: Booking, what: GuestEmailKind, language: str) -> tuple[str, str]:
    """Return the label and the URL of the email's button."""
    if what == "left":
        return "", ""
    if what in ("declined", "expired", "late", "cancelled"):
        return gettext("Choose another time"), booking.page.public_url
    if what in ("pay", "failed") or (what == "approved" and booking.pending_reason == PendingReason.PAYMENT):
        label = gettext("Pay %(amount)s") % {
            "amount": format_amount(booking.unpaid_minor, booking.page.currency, language)
        }
    elif what == "requested":
        label = gettext("See your request")
    elif cancellation_policy.can_guest_change(booking):
        label = gettext("See it, move it or cancel it")
    else:
        label = gettext("See your visit")
    return label, guest_links.link_url(booking)


def _build_invite(booking: Booking, what: GuestEmailKind) -> Invite | None:
    """Return the invitation for the guest's calendar, or a cancellation if an earlier invitation is void."""
    if what == "cancelled" and booking.invited:
        return Invite(calendar_events.guest_event(booking), True, booking.account.name, booking.name)
    if what not in _INVITING_KINDS or booking.status != Status.CONFIRMED:
        return None
    if not booking.invited:
        booking.invited = True
        Booking.objects.filter(pk=booking.pk).update(invited=True)
    return Invite(calendar_events.guest_event(booking), False, booking.account.name, booking.name)


def _booking_context(booking: Booking, zone: ZoneInfo, language: str) -> dict[str, Any]:
    page = booking.page
    return {
        "booking": booking,
        "business": booking.account.name,
        "place": page.place,
        "zone": zone.key.replace("_", " "),
        "when": format_full_moment(booking.starts_at, zone, language),
        "page_time": format_full_moment(booking.starts_at, page.zone, language)
        if offsets_differ(zone, page.zone, booking.starts_at)
        else "",
        "price": "" if booking.price_minor is None else format_amount(booking.price_minor, page.currency, language),
        "there_zone": page.time_zone.replace("_", " "),
    }


def notify_owner(booking: Booking, what: str, before: datetime | None = None) -> None:
    """Notify the owner. `what` is new, request, moved, cancelled, withdrawn (a request) or expired."""
    kind = {"new": NEW_BOOKING, "request": BOOKING_REQUEST, "expired": BOOKING_REQUEST}.get(what, BOOKING_CHANGE)
    zone = booking.account.zone
    fields = {
        **_booking_context(booking, zone, OWNER_LANGUAGES[0]),
        "what": what,
        "before": format_full_moment(before, zone, OWNER_LANGUAGES[0]) if before else "",
        "until": format_full_moment(booking.hold_until, zone, OWNER_LANGUAGES[0]) if booking.hold_until else "",
        "paid": format_amount(booking.paid_minor, booking.page.currency, OWNER_LANGUAGES[0])
        if booking.paid_minor
        else "",
        "page_url": f"{settings.BASE_URL}{booking.dashboard_path}",
    }
    notifications.notify_owner(booking.account, kind, "booking_notification", fields, reply_to=booking.email or None)


def notify_created(booking: Booking) -> None:
    """Notify the guest and the owner of a new booking. If it waits for a payment, only email the guest."""
    match booking.pending_reason:
        case PendingReason.PAYMENT:
            email_guest(booking, "pay")
        case PendingReason.APPROVAL:
            email_guest(booking, "requested")
            notify_owner(booking, "request")
        case _:
            email_guest(booking, "booked")
            notify_owner(booking, "new")


def is_upcoming(booking: Booking) -> bool:
    return booking.starts_at > clock.now()
