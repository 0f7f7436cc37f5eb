from django.apps import AppConfig


class BillingConfig(AppConfig):
    name = "workspace.billing"
    label = "billing"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.accounts.carrying.tables import leave
        from workspace.accounts.closing import on_leave
        from workspace.billing import following, standing, sweeping
        from workspace.billing.asked import NAME
        from workspace.billing.models import BillingEvent
        from workspace.billing.personal import PERSONAL
        from workspace.delivery import worker
        from workspace.payments import lane

        lane.register(NAME, following.work, sweeping.sweep)
        on_leave(following.leave_with, name="billing.end_subscriptions")
        personal.register(*PERSONAL)
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
        worker.every(300, standing.end_what_is_over)
        worker.every(6 * 3600, sweeping.forget, name="billing.delete_old_invite_mails")
        worker.every(6 * 3600, BillingEvent.forget_old, name="billing.delete_old_events")
