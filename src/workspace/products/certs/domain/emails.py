"""Emails about certificates to their recipients, in the language of the certificate."""

from __future__ import annotations

from typing import Any

from workspace.delivery import mail
from workspace.delivery.mail import Attachment
from workspace.delivery.models import Delivery
from workspace.delivery.models.delivery import DeliveryState
from workspace.lib.ids import new_id
from workspace.products.certs.domain import linkedin, print_data
from workspace.products.certs.models import Certificate, Template
from workspace.products.certs.rules.date_format import format_long_date
from workspace.publishing.language import DEFAULT_LANGUAGE, format_day, match_supported

EMAIL_IS_FINAL = "A sent email can't be recalled"
MAX_ATTACHMENT_BYTES = 2 * 1024 * 1024  # limit for attaching the PDF
# the state of an email for its sender; `kept` means not sent because there is no mail server
EMAIL_STATES = {
    DeliveryState.WAITING.value: "queued",
    DeliveryState.LEASED.value: "queued",
    DeliveryState.SENT.value: "sent",
    DeliveryState.KEPT.value: "kept",
    DeliveryState.PARKED.value: "bounced",
    DeliveryState.WITHDRAWN.value: "withdrawn",
}


def email_certificate(certificate: Certificate, pdf: bytes = b"", *, replaces: bool = False) -> Delivery:
    """Email a certificate, for the first time or again."""
    fits = pdf and len(pdf) <= MAX_ATTACHMENT_BYTES
    attachments = [Attachment(certificate.pdf_file_name, "application/pdf", pdf)] if fits else []
    fields = {
        "linked_in": linkedin.add_to_profile_url(certificate),
        "attached": bool(attachments),
    }
    return _send_email(
        "cert_corrected" if replaces else "cert_issued",
        certificate,
        {**fields, **custom_texts(certificate, certificate.template)},
        attachments=attachments,
    )


def custom_texts(certificate: Certificate, template: Template | None) -> dict[str, str]:
    """Return the template's custom wording for the email, with placeholders filled in.

    The result is empty if the default wording is used.
    """
    if template is None:
        return {"own_subject": "", "own_text": ""}
    language = certificate.language or DEFAULT_LANGUAGE
    values = {
        "name": certificate.name,
        "course": certificate.course,
        "date": format_long_date(certificate.day, language) if certificate.day else certificate.date,
        "hours": certificate.hours,
        "custom": certificate.custom,
        "code": certificate.formatted_code,
        "organization": certificate.organization or certificate.account.name,
    }
    return {
        "own_subject": print_data.fill_placeholders(template.mail_subject, values),
        "own_text": print_data.fill_placeholders(template.mail_text, values),
    }


def render_preview(template: Template, certificate: Certificate) -> mail.EmailPreview:
    """Return a preview of the email."""
    fields = {
        "linked_in": linkedin.add_to_profile_url(certificate),
        "attached": True,
        **custom_texts(certificate, template),
    }
    language = match_supported(certificate.language) or DEFAULT_LANGUAGE
    return mail.render_preview(
        "cert_issued", _build_context(certificate, fields), account=template.account, language=language
    )


def email_sample(certificate: Certificate, template: Template, pdf: bytes) -> Delivery:
    """Email a sample for a fictional recipient to the person who edits the template."""
    attachments = [Attachment("sample.pdf", "application/pdf", pdf)] if len(pdf) <= MAX_ATTACHMENT_BYTES else []
    fields = {
        "linked_in": linkedin.add_to_profile_url(certificate),
        "attached": bool(attachments),
    }
    return _send_email(
        "cert_sample", certificate, {**fields, **custom_texts(certificate, template)}, attachments=attachments
    )


def email_revocation(certificate: Certificate) -> Delivery:
    return _send_email("cert_revoked", certificate, {"reason": certificate.revoke_reason})


def email_expiry_notice(certificate: Certificate) -> Delivery:
    """Tell the recipient by email that a certificate expires in a month."""
    assert certificate.expires_on is not None
    return _send_email(
        "cert_expiring",
        certificate,
        {"day": format_day(certificate.expires_on, match_supported(certificate.language) or DEFAULT_LANGUAGE)},
    )


def email_states(certificates: list[Certificate]) -> dict[str, str]:
    """Return the state of the last email about each certificate, keyed by certificate id."""
    ids = {
        certificate.email_delivery_id: certificate.pk for certificate in certificates if certificate.email_delivery_id
    }
    deliveries = Delivery.objects.filter(pk__in=ids).values_list("pk", "state")
    return {ids[id]: EMAIL_STATES.get(state, state) for id, state in deliveries}


def _build_context(certificate: Certificate, extra_context: dict[str, Any]) -> dict[str, Any]:
    return {
        "certificate": certificate,
        "url": certificate.verify_url,
        "business": certificate.organization or certificate.account.name,
        **extra_context,
    }


def _send_email(template: str, certificate: Certificate, extra_context: dict[str, Any], **how: Any) -> Delivery:
    account, fields = certificate.account, _build_context(certificate, extra_context)
    language = match_supported(certificate.language) or DEFAULT_LANGUAGE
    key = f"cert:{certificate.pk}:{new_id('m')}"
    return mail.send(
        template,
        certificate.email,
        fields,
        account=account,
        reply_to=account.owner.email,
        language=language,
        dedupe=key,
        **how,
    )
