"""Django app configuration of waivers."""

from django.apps import AppConfig


class WaiverConfig(AppConfig):
    name = "workspace.products.waiver"
    label = "waiver"

    def ready(self) -> None:
        from workspace.delivery import outbox
        from workspace.products.waiver.domain import daily_digest, pdf, renewals
        from workspace.products.waiver.models import Signing
        from workspace.publishing import file_verification
        from workspace.storage.files import store

        file_verification.register(by_hash=pdf.find_by_hash, by_record=pdf.find_by_record)
        outbox.register_channel(pdf.DELIVERY_KIND, pdf.PdfSigningChannel)
        outbox.register_channel(renewals.DELIVERY_KIND, renewals.RenewalChannel)
        outbox.register_channel(daily_digest.DELIVERY_KIND, daily_digest.DigestChannel)
        store.register_prefix(
            f"{pdf.FILE_KEY_PREFIX}_",
            lambda keys: Signing.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
