from django.apps import AppConfig


class FamilyConfig(AppConfig):
    name = "workspace.family"
    label = "family"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.accounts.carrying.tables import leave
        from workspace.accounts.closing import on_leave
        from workspace.delivery import outbox, worker
        from workspace.family import connecting
        from workspace.family.personal import PERSONAL

        leave("is connected anew, by each person", "family.grant")
        leave("belongs to the installation", "family.registration", "family.condition")
        on_leave(connecting.leave_with, name="linked_apps.end_grants")
        personal.register(*PERSONAL)
        outbox.register(connecting.KIND, connecting.GivingBack)
        worker.every(3600, connecting.sweep)
