from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "workspace.audit_trail"
    label = "records"

    def ready(self) -> None:
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import carry
        from workspace.audit_trail import closure, privacy  # noqa: F401  closing registers itself
        from workspace.audit_trail.takeout import CARRIED

        data_subjects.register(privacy.TRAIL)
        carry(*CARRIED)
