"""Django app configuration of the package support."""

from django.apps import AppConfig


class SupportConfig(AppConfig):
    name = "workspace.support"
    label = "support"

    def ready(self) -> None:
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.delivery.outbox import worker
        from workspace.support import tickets
        from workspace.support.models import InboundMail
        from workspace.support.privacy import PERSONAL_DATA
        from workspace.support.takeout import TAKEOUT_TABLES

        data_subjects.register_personal_data(*PERSONAL_DATA)
        register_tables(*TAKEOUT_TABLES)
        worker.every(3600, tickets.close_idle_ticket)

        def forget_old_mail() -> None:
            InboundMail.delete_expired()

        worker.every(3600, forget_old_mail, name="support.delete_old_mail")
