"""Django app configuration of the audit trail, which registers its personal data."""

from django.apps import AppConfig


class AuditTrailConfig(AppConfig):
    name = "workspace.audit_trail"
    label = "audit_trail"

    def ready(self) -> None:
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.audit_trail import account_closure, privacy  # noqa: F401  closure registers itself
        from workspace.audit_trail.takeout import TAKEOUT_TABLES

        data_subjects.register_personal_data(privacy.PERSONAL_TEXT)
        register_tables(*TAKEOUT_TABLES)
