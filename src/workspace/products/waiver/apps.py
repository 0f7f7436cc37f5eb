from django.apps import AppConfig


class WaiverConfig(AppConfig):
    name = "workspace.products.waiver"
    label = "waiver"

    def ready(self) -> None:
        from workspace.delivery import outbox
        from workspace.products.waiver.domain import daily_digest, pdf, renewals
        from workspace.products.waiver.models import Signing
        from workspace.publishing import verification
        from workspace.storage.files import store

        verification.register(by_hash=pdf.kept_by_hash, by_record=pdf.kept_by_record)
        outbox.register(pdf.LATER, pdf.Seals)
        outbox.register(renewals.LATER, renewals.Looks)
        outbox.register(daily_digest.LATER, daily_digest.Digests)
        store.keep(
            f"{pdf.PREFIX}_",
            lambda keys: Signing.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
