"""Register the workers and scheduled tasks of billing."""

from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "workspace.billing"
    label = "billing"

    def ready(self) -> None:
        from workspace.accounts.account_deletion import register_after_shutdown_hook
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import exclude_tables
        from workspace.billing import effective_plans, reconciliation, status_sync
        from workspace.billing.models import BillingEvent
        from workspace.billing.outbox import JOB_NAME
        from workspace.billing.privacy import PERSONAL_DATA
        from workspace.delivery.outbox import worker
        from workspace.payments import worker as payments_worker

        payments_worker.register(JOB_NAME, status_sync.run_sync_job, reconciliation.reconcile)
        register_after_shutdown_hook(status_sync.on_account_closed, name="billing.end_subscriptions")
        data_subjects.register_personal_data(*PERSONAL_DATA)
        bought = (
            "customer",
            "price",
            "purchase",
            "billingevent",
            "invitemonth",
            "invitemail",
            "subscription",
            "plangrant",
            "invoice",
        )
        exclude_tables("belongs to the records of the seller", *(f"billing.{name}" for name in bought))
        worker.every(300, effective_plans.expire_plans)
        worker.every(6 * 3600, reconciliation.delete_expired_mails, name="billing.delete_old_invite_mails")
        worker.every(6 * 3600, BillingEvent.delete_expired, name="billing.delete_old_events")
