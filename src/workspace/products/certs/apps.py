from django.apps import AppConfig


class CertsConfig(AppConfig):
    name = "workspace.products.certs"
    label = "certs"

    def ready(self) -> None:
        from workspace.delivery import jobs, outbox
        from workspace.products.certs.domain import expiry_notices, issuance, pdf, sample_email
        from workspace.products.certs.domain.badges import credential, issuers
        from workspace.products.certs.models import Certificate, IssuerKey
        from workspace.publishing import verification
        from workspace.storage.encryption import sealed_in
        from workspace.storage.files import store

        jobs.job(
            issuance.JOB,
            product="cert",
            title="Certificates",
            noun="certificates",
            prepare=pdf.prepare,
            undo=pdf.stop,
            chunk=pdf.CHUNK,
        )(pdf.finish)
        jobs.job(
            sample_email.JOB, product="cert", title="A sample by mail", noun="samples", prepare=sample_email.prepare
        )(sample_email.finish)
        outbox.register(expiry_notices.LATER, expiry_notices.Looks)
        verification.register(by_hash=pdf.kept_by_hash, by_record=pdf.kept_by_record, by_badge=pdf.kept_of_badge)
        store.keep(
            f"{pdf.PREFIX}_",
            lambda keys: Certificate.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
        store.keep(
            f"{credential.PREFIX}_",
            lambda keys: Certificate.objects.filter(badge_key__in=keys).values_list("badge_key", flat=True),
        )
        sealed_in(IssuerKey, of="issuer__account_id", passes_over=True, private=issuers.PURPOSE)
