from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.delivery import calendars, news, worker
        from workspace.payments import purposes
        from workspace.products.booking import in_calendars, later
        from workspace.products.booking.erasing import PERSONAL
        from workspace.products.booking.mailing import NEWS
        from workspace.products.booking.paid import VISITS

        calendars.register(in_calendars.SOURCE)
        worker.every(60, later.remind)
        worker.every(60, later.let_lapse)
        # until its manifest tells them
        personal.register(*PERSONAL)
        purposes.register(VISITS)
        for kind in NEWS:
            news.register(kind)
