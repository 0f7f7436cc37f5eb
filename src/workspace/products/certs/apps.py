"""Django app configuration of certificates."""

from django.apps import AppConfig


class CertsConfig(AppConfig):
    name = "workspace.products.certs"
    label = "certs"

    def ready(self) -> None:
        from workspace.delivery import jobs, outbox
        from workspace.owner_translation import owner_gettext_noop
        from workspace.products.certs.domain import expiry_notices, issuance, pdf, sample_email
        from workspace.products.certs.domain.badges import credential, issuers
        from workspace.products.certs.models import Certificate, IssuerKey
        from workspace.publishing import file_verification
        from workspace.storage.encryption import register_encrypted_columns
        from workspace.storage.files import store

        jobs.job(
            issuance.JOB_NAME,
            product="cert",
            title=owner_gettext_noop("Issue certificates"),
            noun="certificates",
            prepare=pdf.prepare_pdfs,
            undo=pdf.undo_issuing,
            chunk=pdf.CHUNK_SIZE,
        )(pdf.finish_certificate)
        jobs.job(
            sample_email.JOB_NAME,
            product="cert",
            title=owner_gettext_noop("Sample certificate"),
            noun="samples",
            prepare=sample_email.prepare_samples,
        )(sample_email.send_sample)
        outbox.register_channel(expiry_notices.DELIVERY_KIND, expiry_notices.ExpiryNoticeChannel)
        file_verification.register(by_hash=pdf.find_by_hash, by_record=pdf.find_by_record, by_badge=pdf.find_by_badge)
        store.register_prefix(
            f"{pdf.FILE_KEY_PREFIX}_",
            lambda keys: Certificate.objects.filter(pdf_key__in=keys).values_list("pdf_key", flat=True),
        )
        store.register_prefix(
            f"{credential.FILE_KEY_PREFIX}_",
            lambda keys: Certificate.objects.filter(badge_key__in=keys).values_list("badge_key", flat=True),
        )
        register_encrypted_columns(
            IssuerKey, owner_lookup="issuer__account_id", skip_undecryptable=True, private=issuers.KEY_PURPOSE
        )
