"""Django app configuration of booking pages."""

from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.accounts.account_deletion import register_after_shutdown_hook
        from workspace.delivery import calendars
        from workspace.delivery.outbox import worker
        from workspace.products.booking.domain import calendar_events, scheduled_emails
        from workspace.products.booking.models import Booking
        from workspace.publishing.account_lifecycle.suspension import (
            register_return_listener,
            register_suspension_listener,
        )

        register_after_shutdown_hook(scheduled_emails.notify_of_deletion, name="booking.notify_of_deletion")
        register_suspension_listener(scheduled_emails.notify_of_closure)
        register_return_listener(scheduled_emails.notify_of_return)
        calendars.register_source(calendar_events.CALENDAR_SOURCE)
        Booking.after_undo.append(calendar_events.push_booking_event)
        worker.every(60, scheduled_emails.send_reminder)
        worker.every(60, scheduled_emails.expire_late_bookings)
        worker.every(60, scheduled_emails.notify_expired)
