from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "workspace.payments"
    label = "payments"

    def ready(self) -> None:
        from workspace.accounts import permissions, tool_scope
        from workspace.accounts.closure import on_leave
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import carry
        from workspace.delivery import notifications, outbox
        from workspace.delivery.outbox import worker
        from workspace.payments import checkout, connection, owner_notifications
        from workspace.payments import worker as payments_worker
        from workspace.payments.models import ProviderEvent
        from workspace.payments.privacy import PERSONAL
        from workspace.payments.takeout import CARRIED

        permissions.go_along(tool_scope.PAYMENTS)  # with the products that take money, which their manifests tell
        on_leave(connection.leave_with, name="payments.end_connection")
        outbox.register_apart(checkout.KIND, payments_worker.wake)
        data_subjects.register(*PERSONAL)
        carry(*CARRIED)
        notifications.register(owner_notifications.TROUBLE)
        worker.every(6 * 3600, ProviderEvent.forget_old, name="payments.delete_old_events")
