from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "workspace.billing"
    label = "billing"

    def ready(self) -> None:
        from workspace.accounts.closure import on_leave
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import leave
        from workspace.billing import effective_plans, reconciliation, status_sync
        from workspace.billing.models import BillingEvent
        from workspace.billing.privacy import PERSONAL
        from workspace.billing.provider_jobs import NAME
        from workspace.delivery.outbox import worker
        from workspace.payments import worker as payments_worker

        payments_worker.register(NAME, status_sync.work, reconciliation.sweep)
        on_leave(status_sync.leave_with, name="billing.end_subscriptions")
        data_subjects.register(*PERSONAL)
        bought = (
            "customer",
            "price",
            "purchase",
            "billingevent",
            "invitemonth",
            "invitemail",
            "subscription",
            "grant",
            "invoice",
        )
        leave("stands with whoever sold it", *(f"billing.{name}" for name in bought))
        worker.every(300, effective_plans.end_what_is_over)
        worker.every(6 * 3600, reconciliation.forget, name="billing.delete_old_invite_mails")
        worker.every(6 * 3600, BillingEvent.forget_old, name="billing.delete_old_events")
