from django.apps import AppConfig


class WaiverConfig(AppConfig):
    name = "workspace.products.waiver"
    label = "waiver"

    def ready(self) -> None:
        from workspace.delivery import outbox
        from workspace.products.waiver import digest, papers, renewing
        from workspace.products.waiver.models import Signing
        from workspace.publishing import verifying
        from workspace.storage import files

        verifying.register(by_hash=papers.kept_by_hash, by_record=papers.kept_by_record)
        outbox.register(papers.LATER, papers.Seals)
        outbox.register(renewing.LATER, renewing.Looks)
        outbox.register(digest.LATER, digest.Digests)
        files.keep(
            f"{papers.PREFIX}_",
            lambda keys: Signing.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
