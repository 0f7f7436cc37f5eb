from django.apps import AppConfig


class FamilyConfig(AppConfig):
    name = "workspace.linked_apps"
    label = "family"

    def ready(self) -> None:
        from workspace.accounts.closure import on_leave
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import leave
        from workspace.delivery import outbox
        from workspace.delivery.outbox import worker
        from workspace.linked_apps import connection
        from workspace.linked_apps.privacy import PERSONAL

        leave("is connected anew, by each person", "family.grant")
        leave("belongs to the installation", "family.registration", "family.condition")
        on_leave(connection.leave_with, name="linked_apps.end_grants")
        data_subjects.register(*PERSONAL)
        outbox.register(connection.KIND, connection.GivingBack)
        worker.every(3600, connection.sweep)
