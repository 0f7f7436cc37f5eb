from django.apps import AppConfig


class SupportConfig(AppConfig):
    name = "workspace.support"
    label = "support"

    def ready(self) -> None:
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import carry
        from workspace.delivery.outbox import worker
        from workspace.support import tickets
        from workspace.support.models import MailIn
        from workspace.support.privacy import PERSONAL
        from workspace.support.takeout import CARRIED

        data_subjects.register(*PERSONAL)
        carry(*CARRIED)
        worker.every(3600, tickets.close_what_rests)

        def forget_old_mail() -> None:
            MailIn.forget_old()

        worker.every(3600, forget_old_mail, name="support.delete_old_mail")
