from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.delivery import calendars, worker
        from workspace.products.booking import in_calendars, later

        calendars.register(in_calendars.SOURCE)
        worker.every(60, later.remind)
        worker.every(60, later.let_lapse)
