from django.apps import AppConfig


class RecordsConfig(AppConfig):
    name = "workspace.records"
    label = "records"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.accounts.carrying.tables import carry
        from workspace.records import closing, people  # noqa: F401  closing registers itself
        from workspace.records.carried import CARRIED

        personal.register(people.TRAIL)
        carry(*CARRIED)
