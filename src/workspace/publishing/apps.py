"""Django app configuration of the package publishing."""

from django.apps import AppConfig


class PublishingConfig(AppConfig):
    name = "workspace.publishing"
    label = "publishing"

    def ready(self) -> None:
        from workspace.accounts import item_references
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.delivery import outbox
        from workspace.delivery.outbox.worker import every
        from workspace.publishing import guest_links, items

        # closure and takeout_jobs register themselves
        from workspace.publishing.account_lifecycle import closed_account_publications, suspension, takeout_jobs  # noqa: F401
        from workspace.publishing.models.soft_delete import purge_expired
        from workspace.publishing.privacy import PERSONAL_TEXTS
        from workspace.publishing.takeout import TAKEOUT_TABLES

        item_references.register_finder(items.resolve_reference)
        data_subjects.register_personal_data(*PERSONAL_TEXTS)
        register_tables(*TAKEOUT_TABLES)
        outbox.register_channel(suspension.DELIVERY_KIND, suspension.SuspensionChannel)
        every(3600, guest_links.delete_expired, name="publishing.delete_ended_guest_links")
        every(3600, purge_expired)
