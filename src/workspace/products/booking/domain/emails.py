"""Emails about bookings: to guests, with a calendar invitation, and notifications to the owner.

Guests get them in their language and time zone. Each email names the time zone of its times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.delivery import mail, notifications
from workspace.delivery.mail import PreparedEmail
from workspace.delivery.mail.calendar_invites import Invite
from workspace.delivery.notifications import NotificationKind, OwnerEmail
from workspace.lib import clock
from workspace.lib.ids import new_id
from workspace.lib.languages import OWNER_LANGUAGES
from workspace.lib.time_zones import offsets_differ
from workspace.owner_translation import owner_gettext_lazy
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
    "left",  # the account was closed or suspended
    "stands",  # the account is active again
    "reminder",
]
NEW_BOOKING = NotificationKind(
    "booking.new", owner_gettext_lazy("Bookings"), owner_gettext_lazy("A client books an appointment"), "/app/booking"
)
BOOKING_REQUEST = NotificationKind(
    "booking.request",
    owner_gettext_lazy("Requests"),
    owner_gettext_lazy("A client requests an appointment that needs your approval"),
    "/app/booking",
)
BOOKING_CHANGE = NotificationKind(
    "booking.changed",
    owner_gettext_lazy("Rescheduled and canceled bookings"),
    owner_gettext_lazy("A client reschedules or cancels an appointment"),
    "/app/booking",
)
NOTIFICATIONS = (NEW_BOOKING, BOOKING_REQUEST, BOOKING_CHANGE)
_TEMPLATES: dict[GuestEmailKind, str] = {
    "booked": "booking_booked",
    "confirmed": "booking_booked_by_owner",
    "approved": "booking_approved",
    "requested": "booking_requested",
    "pay": "booking_payment_due",
    "failed": "booking_payment_failed",
    "moved": "booking_rescheduled",
    "cancelled": "booking_canceled",
    "declined": "booking_declined",
    "expired": "booking_payment_expired",
    "late": "booking_paid_too_late",
    "refunded": "booking_refunded",
    "left": "booking_page_closed",
    "stands": "booking_page_reopened",
    "reminder": "booking_reminder",
}
_OWNER_TEMPLATES = {
    "new": "owner/booking_created",
    "request": "owner/booking_requested",
    "moved": "owner/booking_rescheduled",
    "cancelled": "owner/booking_canceled",
    "withdrawn": "owner/booking_request_withdrawn",
    "expired": "owner/booking_request_expired",
}
_INVITING_KINDS = ("booked", "confirmed", "approved", "moved")


def email_guest(
    booking: Booking,
    email_kind: GuestEmailKind,
    former_start: datetime | None = None,
    *,
    by_guest: bool = False,
    refund_minor: int = 0,
    dedupe_key: str = "",
) -> bool:
    """Email the guest of a booking. Return whether the guest has an email address.

    `former_start` is the previous start of a rescheduled booking. `by_guest` means that the guest made the change.
    `refund_minor` is the refund in minor units. `dedupe_key` prevents a second email with the same key.
    """
    was_invited = booking.invited
    letter = _prepare_guest_email(
        booking, email_kind, former_start, by_guest=by_guest, refund_minor=refund_minor, dedupe_key=dedupe_key
    )
    if letter is None:
        return False
    if booking.invited and not was_invited:
        Booking.objects.filter(pk=booking.pk).update(invited=True)
    mail.queue_emails([letter], account=_account_of_email(booking, email_kind))
    return True


def _account_of_email(booking: Booking, email_kind: GuestEmailKind) -> Account | None:
    # an account's unsent emails are deleted with it; this email must still be sent
    return None if email_kind == "left" else booking.account


def _prepare_guest_email(
    booking: Booking,
    email_kind: GuestEmailKind,
    former_start: datetime | None = None,
    *,
    by_guest: bool = False,
    refund_minor: int = 0,
    dedupe_key: str = "",
) -> PreparedEmail | None:
    """Render an email as `email_guest` sends it. Return None if the guest has no email address.

    An invitation sets `booking.invited`, which the caller saves."""
    if not booking.email:
        return None
    page = booking.page
    language = booking.language or page.language or DEFAULT_LANGUAGE
    zone = ZoneInfo(booking.guest_zone or page.time_zone)
    with translation.override(language):
        label, link = _next_step(booking, email_kind, language)
        fields = {
            **_booking_context(booking, zone, language),
            "before": format_full_moment(former_start, zone, language) if former_start else "",
            "back": format_amount(refund_minor, page.currency, language) if refund_minor else "",
            "until": format_full_moment(booking.hold_until, zone, language) if booking.hold_until else "",
            "owed": format_amount(booking.unpaid_minor, page.currency, language) if booking.unpaid_minor else "",
            "paid": format_amount(booking.paid_minor, page.currency, language) if booking.paid_minor else "",
            "label": label,
            "link": link,
        }
    return mail.prepare_email(
        _choose_template(booking, email_kind, by_guest),
        booking.email,
        fields,
        account=_account_of_email(booking, email_kind),
        dedupe=f"booking:{booking.pk}:{dedupe_key or new_id('m')}",
        reply_to=booking.account.owner.email,
        language=language,
        invite=_build_invite(booking, email_kind),
    )


def _choose_template(booking: Booking, email_kind: GuestEmailKind, by_guest: bool) -> str:
    """Return the template of an email. Some kinds have several, depending on the booking's state or who changed it."""
    match email_kind:
        case "booked" if booking.paid_minor:
            return "booking_booked_and_paid"
        case "approved" if booking.pending_reason == PendingReason.PAYMENT:
            return "booking_approved_unpaid"
        case "moved" | "cancelled" if by_guest:
            return f"{_TEMPLATES[email_kind]}_by_guest"
        case "expired" if booking.pending_reason == PendingReason.APPROVAL:
            return "booking_request_expired"
    return _TEMPLATES[email_kind]


def _next_step(booking: Booking, email_kind: GuestEmailKind, language: str) -> tuple[str, str]:
    """Return the label and the URL of the email's button."""
    if email_kind == "left":
        return "", ""
    if email_kind in ("declined", "expired", "late", "cancelled"):
        return gettext("Choose another time"), booking.page.public_url
    if email_kind in ("pay", "failed") or (
        email_kind == "approved" and booking.pending_reason == PendingReason.PAYMENT
    ):
        label = gettext("Pay %(amount)s") % {
            "amount": format_amount(booking.unpaid_minor, booking.page.currency, language)
        }
    elif email_kind == "requested":
        label = gettext("View request")
    elif cancellation_policy.can_guest_change(booking):
        label = gettext("Manage appointment")
    else:
        label = gettext("View appointment")
    return label, guest_links.link_url(booking)


def _build_invite(booking: Booking, email_kind: GuestEmailKind) -> Invite | None:
    """Return the invitation for the guest's calendar, or a cancellation if an earlier invitation no longer applies."""
    if email_kind == "cancelled" and booking.invited:
        return Invite(calendar_events.guest_event(booking), True, booking.account.name, booking.name)
    if email_kind not in _INVITING_KINDS or booking.status != Status.CONFIRMED:
        return None
    booking.invited = True
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


def notify_owner(booking: Booking, change: str, former_start: datetime | None = None) -> None:
    """Notify the owner. `change` is new, request, moved, cancelled, withdrawn (for a request) or expired."""
    kind = {"new": NEW_BOOKING, "request": BOOKING_REQUEST, "expired": BOOKING_REQUEST}.get(change, BOOKING_CHANGE)
    fields = _owner_context(booking, former_start)
    notifications.notify_owner(booking.account, kind, _OWNER_TEMPLATES[change], fields, reply_to=booking.email or None)


def _owner_context(booking: Booking, former_start: datetime | None = None) -> dict[str, Any]:
    zone = booking.account.zone
    return {
        **_booking_context(booking, zone, OWNER_LANGUAGES[0]),
        "before": format_full_moment(former_start, zone, OWNER_LANGUAGES[0]) if former_start else "",
        "until": format_full_moment(booking.hold_until, zone, OWNER_LANGUAGES[0]) if booking.hold_until else "",
        "paid": format_amount(booking.paid_minor, booking.page.currency, OWNER_LANGUAGES[0])
        if booking.paid_minor
        else "",
        "page_url": f"{settings.BASE_URL}{booking.dashboard_path}",
    }


@dataclass(frozen=True, slots=True)
class CreatedEmails:
    """The emails about a new booking, rendered before the transaction that stores it."""

    booking: Booking
    guest_email: PreparedEmail | None
    owner_email: OwnerEmail | None

    def queue(self) -> None:
        """Send the emails in the caller's transaction."""
        if self.guest_email is not None:
            mail.queue_emails([self.guest_email], account=self.booking.account)
        if self.owner_email is not None:
            self.owner_email.queue()


def prepare_created(booking: Booking) -> CreatedEmails:
    """Render the emails about a new booking. If it waits for a payment, only the guest gets an email."""
    match booking.pending_reason:
        case PendingReason.PAYMENT:
            return CreatedEmails(booking, _prepare_guest_email(booking, "pay"), None)
        case PendingReason.APPROVAL:
            guest_email, kind, change = _prepare_guest_email(booking, "requested"), BOOKING_REQUEST, "request"
        case _:
            guest_email, kind, change = _prepare_guest_email(booking, "booked"), NEW_BOOKING, "new"
    owner_email = notifications.prepare_owner_email(
        booking.account, kind, _OWNER_TEMPLATES[change], _owner_context(booking), reply_to=booking.email or None
    )
    return CreatedEmails(booking, guest_email, owner_email)


def is_upcoming(booking: Booking) -> bool:
    return booking.starts_at > clock.now()
