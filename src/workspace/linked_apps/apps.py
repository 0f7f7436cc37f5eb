"""Django app configuration of the package linked_apps."""

from django.apps import AppConfig


class LinkedAppsConfig(AppConfig):
    name = "workspace.linked_apps"
    label = "linked_apps"

    def ready(self) -> None:
        from workspace.accounts.account_deletion import register_after_shutdown_hook
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import exclude_tables
        from workspace.delivery import outbox
        from workspace.delivery.outbox import worker
        from workspace.linked_apps import connection
        from workspace.linked_apps.privacy import PERSONAL_DATA

        exclude_tables("must be reconnected by each person", "linked_apps.linkedapp")
        exclude_tables("belongs to the instance", "linked_apps.registration", "linked_apps.apphealth")
        register_after_shutdown_hook(connection.on_account_closed, name="linked_apps.end_grants")
        data_subjects.register_personal_data(*PERSONAL_DATA)
        outbox.register_channel(connection.DELIVERY_KIND, connection.RevocationChannel)
        worker.every(3600, connection.disconnect_orphaned_grant)
