from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.delivery.worker import every
        from workspace.publishing import housekeeping

        every(housekeeping.HOUR, housekeeping.forget)
