from django.apps import AppConfig


class EventConfig(AppConfig):
    name = "workspace.products.event"
    label = "event"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.products.event.erasing import PERSONAL

        personal.register(*PERSONAL)  # until its manifest tells them
