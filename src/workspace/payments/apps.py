from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "workspace.payments"
    label = "payments"

    def ready(self) -> None:
        from workspace.accounts import choice, personal, roles
        from workspace.accounts.carrying.tables import carry
        from workspace.accounts.closing import on_leave
        from workspace.delivery import news, outbox, worker
        from workspace.payments import checkout, connecting, lane, telling
        from workspace.payments.carried import CARRIED
        from workspace.payments.models import ProviderEvent
        from workspace.payments.personal import PERSONAL

        roles.go_along(choice.PAYMENTS)  # with the products that take money, which their manifests tell
        on_leave(connecting.leave_with, name="payments.end_connection")
        outbox.register_apart(checkout.KIND, lane.wake)
        personal.register(*PERSONAL)
        carry(*CARRIED)
        news.register(telling.TROUBLE)
        worker.every(6 * 3600, ProviderEvent.forget_old, name="payments.delete_old_events")
