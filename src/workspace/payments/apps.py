"""Django app configuration of the package payments."""

from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "workspace.payments"
    label = "payments"

    def ready(self) -> None:
        from workspace.accounts import permissions, product_scope
        from workspace.accounts.account_deletion import register_after_shutdown_hook
        from workspace.accounts.privacy import data_subjects
        from workspace.accounts.takeout.tables import register_tables
        from workspace.delivery import notifications, outbox
        from workspace.delivery.outbox import worker
        from workspace.payments import checkout, connection, owner_notifications
        from workspace.payments import worker as payments_worker
        from workspace.payments.models import ProviderEvent
        from workspace.payments.privacy import PERSONAL_DATA
        from workspace.payments.takeout import TAKEOUT_TABLES

        permissions.register_area(product_scope.PAYMENTS)  # the manifests add the products that take payments
        register_after_shutdown_hook(connection.on_account_closed, name="payments.end_connection")
        outbox.register_external(checkout.DELIVERY_KIND, payments_worker.wake_event)
        data_subjects.register_personal_data(*PERSONAL_DATA)
        register_tables(*TAKEOUT_TABLES)
        notifications.register_kind(owner_notifications.PAYMENT_PROBLEM)
        worker.every(6 * 3600, ProviderEvent.delete_expired, name="payments.delete_old_events")
