from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "workspace.delivery"
    label = "delivery"

    def ready(self) -> None:
        from workspace.accounts.models import IdempotentCall
        from workspace.delivery import mail, outbox, worker
        from workspace.delivery.models import Delivery
        from workspace.delivery.smtp import EmailChannel
        from workspace.storage.database import writing

        def forget_old_calls() -> None:
            with writing():
                IdempotentCall.forget_old()

        outbox.register(mail.KIND, EmailChannel)
        worker.every(3600, Delivery.blank_old)
        # registered here since accounts stand below the worker
        worker.every(3600, forget_old_calls)
