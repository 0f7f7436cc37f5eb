from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.accounts import item_references
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import carry
        from workspace.delivery import outbox
        from workspace.delivery.outbox.worker import every
        from workspace.publishing import guest_links, items
        # closure and takeout_jobs register themselves
        from workspace.publishing.account_lifecycle import closure, suspension, takeout_jobs  # noqa: F401
        from workspace.publishing.models.soft_delete import empty_bin
        from workspace.publishing.privacy import TRAILS
        from workspace.publishing.takeout import CARRIED

        item_references.found_by(items.refer)
        data_subjects.register(*TRAILS)
        carry(*CARRIED)
        outbox.register(suspension.KIND, suspension.Notifications)
        every(3600, guest_links.forget_ended, name="publishing.delete_ended_guest_links")
        every(3600, empty_bin)
