from django.apps import AppConfig


class SupportConfig(AppConfig):
    name = "workspace.support"
    label = "support"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.accounts.carrying.tables import carry
        from workspace.delivery import worker
        from workspace.support import rules
        from workspace.support.carried import CARRIED
        from workspace.support.models import MailIn
        from workspace.support.personal import PERSONAL

        personal.register(*PERSONAL)
        carry(*CARRIED)
        worker.every(3600, rules.close_what_rests)

        def forget_old_mail() -> None:
            MailIn.forget_old()

        worker.every(3600, forget_old_mail, name="support.delete_old_mail")
