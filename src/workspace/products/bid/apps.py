from django.apps import AppConfig


class BidConfig(AppConfig):
    name = "workspace.products.bid"
    label = "bid"

    def ready(self) -> None:
        from workspace.delivery import outbox
        from workspace.delivery.outbox import worker
        from workspace.products.bid.domain import pdf, reminders
        from workspace.products.bid.models import Decision
        from workspace.publishing import verification
        from workspace.storage.files import store

        verification.register(by_hash=pdf.kept_by_hash, by_record=pdf.kept_by_record)
        outbox.register(pdf.LATER, pdf.Seals)
        outbox.register(reminders.LATER, reminders.Reminders)
        worker.every(900, reminders.look_for_bounces)
        store.keep(
            f"{pdf.PREFIX}_",
            lambda keys: Decision.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
