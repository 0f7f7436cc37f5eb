"""Django app configuration of proposals."""

from django.apps import AppConfig


class BidConfig(AppConfig):
    name = "workspace.products.bid"
    label = "bid"

    def ready(self) -> None:
        from workspace.delivery import outbox
        from workspace.delivery.outbox import worker
        from workspace.products.bid.domain import pdf, reminders
        from workspace.products.bid.models import Decision
        from workspace.publishing import file_verification
        from workspace.storage.files import store

        file_verification.register(by_hash=pdf.find_by_hash, by_record=pdf.find_by_record)
        outbox.register_channel(pdf.DELIVERY_KIND, pdf.PdfSigningChannel)
        outbox.register_channel(reminders.DELIVERY_KIND, reminders.ReminderChannel)
        worker.every(900, reminders.process_bounce)
        store.register_prefix(
            f"{pdf.FILE_KEY_PREFIX}_",
            lambda keys: Decision.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
