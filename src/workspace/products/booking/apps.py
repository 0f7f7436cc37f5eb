from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.accounts.closure import on_leave
        from workspace.delivery import calendars
        from workspace.delivery.outbox import worker
        from workspace.products.booking.domain import calendar_events, reminders
        from workspace.products.booking.models import Booking
        from workspace.publishing.account_lifecycle.suspension import on_return, on_suspend

        on_leave(reminders.tell_of_deletion, name="booking.notify_of_deletion")
        on_suspend(reminders.tell_the_last)
        on_return(reminders.tell_of_return)
        calendars.register(calendar_events.SOURCE)
        Booking.after_undo.append(calendar_events.put)
        worker.every(60, reminders.remind)
        worker.every(60, reminders.release_unanswered)
        worker.every(60, reminders.tell_of_expiry)
