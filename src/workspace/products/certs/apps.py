from django.apps import AppConfig


class CertsConfig(AppConfig):
    name = "workspace.products.certs"
    label = "certs"

    def ready(self) -> None:
        from workspace.delivery import jobs, outbox
        from workspace.products.certs import ending, issuing, papers, sampling
        from workspace.products.certs.badges import credential, issuers
        from workspace.products.certs.models import Certificate, IssuerKey
        from workspace.publishing import verifying
        from workspace.storage import files
        from workspace.storage.secrets import sealed_in

        jobs.job(
            issuing.JOB,
            product="cert",
            title="Certificates",
            noun="certificates",
            prepare=papers.prepare,
            undo=papers.stop,
            chunk=papers.CHUNK,
        )(papers.finish)
        jobs.job(sampling.JOB, product="cert", title="A sample by mail", noun="samples", prepare=sampling.prepare)(
            sampling.finish
        )
        outbox.register(ending.LATER, ending.Looks)
        verifying.register(by_hash=papers.kept_by_hash, by_record=papers.kept_by_record, by_badge=papers.kept_of_badge)
        files.keep(
            f"{papers.PREFIX}_",
            lambda keys: Certificate.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
        files.keep(
            f"{credential.PREFIX}_",
            lambda keys: Certificate.objects.filter(badge_key__in=keys).values_list("badge_key", flat=True),
        )
        sealed_in(IssuerKey, of="issuer__account_id", passes_over=True, private=issuers.PURPOSE)
