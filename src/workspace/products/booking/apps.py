from django.apps import AppConfig


class BookingConfig(AppConfig):
    name = "workspace.products.booking"
    label = "booking"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.products.booking.erasing import PERSONAL

        personal.register(*PERSONAL)  # until its manifest tells them
