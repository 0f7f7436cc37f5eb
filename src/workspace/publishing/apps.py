from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.delivery.worker import every
        from workspace.publishing import closing, guest_links, housekeeping  # noqa: F401 - closing registers itself
        from workspace.publishing.models import Binned

        every(housekeeping.HOUR, housekeeping.forget)
        every(housekeeping.HOUR, guest_links.forget_ended)
        every(housekeeping.HOUR, Binned.empty_bin)
