from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.accounts.closing import on_leave
        from workspace.delivery import calendars, worker
        from workspace.products.booking import in_calendars, later
        from workspace.products.booking.models import Booking
        from workspace.publishing.suspending import on_return, on_suspend

        on_leave(later.tell_of_deletion, name="booking.notify_of_deletion")
        on_suspend(later.tell_the_last)
        on_return(later.tell_of_return)
        calendars.register(in_calendars.SOURCE)
        Booking.after_undo.append(in_calendars.put)
        worker.every(60, later.remind)
        worker.every(60, later.release_unanswered)
        worker.every(60, later.tell_of_expiry)
