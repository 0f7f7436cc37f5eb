from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "workspace.payments"
    label = "payments"

    def ready(self) -> None:
        from workspace.accounts import personal
        from workspace.delivery import news, outbox, worker
        from workspace.payments import checkout, lane, telling
        from workspace.payments.models import ProviderEvent
        from workspace.payments.personal import PERSONAL

        outbox.register_apart(checkout.KIND, lane.wake)
        personal.register(*PERSONAL)
        news.register(telling.TROUBLE)
        worker.every(6 * 3600, ProviderEvent.forget_old)
