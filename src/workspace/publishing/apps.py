from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.accounts import personal, references
        from workspace.accounts.carrying.tables import carry
        from workspace.delivery import outbox
        from workspace.delivery.worker import every

        # closing registers itself
        from workspace.publishing import (  # noqa: F401
            closing,
            guest_links,
            suspending,
            taking_along,
            things,
        )
        from workspace.publishing.carried import CARRIED
        from workspace.publishing.models.binned import empty_bin
        from workspace.publishing.personal import TRAILS

        references.found_by(things.refer)
        personal.register(*TRAILS)
        carry(*CARRIED)
        outbox.register(suspending.KIND, suspending.Notifications)
        every(3600, guest_links.forget_ended, name="publishing.delete_ended_guest_links")
        every(3600, empty_bin)
