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

EMAIL_IS_FINAL = "A mail cannot be called back"
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


def email_certificate(one: Certificate, paper: bytes = b"", *, replaces: bool = False) -> Delivery:
    """Email a certificate, for the first time or again."""
    from workspace.products.certs.domain.pdf import file_name

    fits = paper and len(paper) <= MAX_ATTACHMENT_BYTES
    attachments = [Attachment(file_name(one), "application/pdf", paper)] if fits else []
    given = {"replaces": replaces, "linked_in": linkedin.add_to_profile_url(one), "attached": bool(attachments)}
    return _send_email("cert_issued", one, {**given, **custom_texts(one, one.template)}, attachments=attachments)


def custom_texts(one: Certificate, template: Template | None) -> dict[str, str]:
    """Return the template owner's texts for the email, filled in. Empty if the default texts apply."""
    if template is None:
        return {"own_subject": "", "own_text": ""}
    language = one.language or DEFAULT_LANGUAGE
    values = {
        "name": one.name,
        "course": one.course,
        "date": format_long_date(one.day, language) if one.day else one.date,
        "hours": one.hours,
        "custom": one.custom,
        "code": one.formatted_code,
        "organization": one.organization or one.account.name,
    }
    return {
        "own_subject": print_data.fill_placeholders(template.mail_subject, values),
        "own_text": print_data.fill_placeholders(template.mail_text, values),
    }


def render_preview(template: Template, one: Certificate) -> mail.EmailPreview:
    """Return a preview of the email."""
    given = {
        "replaces": False,
        "linked_in": linkedin.add_to_profile_url(one),
        "attached": True,
        **custom_texts(one, template),
    }
    language = match_supported(one.language) or DEFAULT_LANGUAGE
    return mail.render_preview("cert_issued", _build_context(one, given), account=template.account, language=language)


def email_sample(one: Certificate, template: Template, paper: bytes) -> Delivery:
    """Email a sample of a fictional recipient to the person who edits the template."""
    attachments = [Attachment("sample.pdf", "application/pdf", paper)] if len(paper) <= MAX_ATTACHMENT_BYTES else []
    given = {
        "sample": True,
        "replaces": False,
        "linked_in": linkedin.add_to_profile_url(one),
        "attached": bool(attachments),
    }
    return _send_email("cert_issued", one, {**given, **custom_texts(one, template)}, attachments=attachments)


def email_revocation(one: Certificate) -> Delivery:
    return _send_email("cert_revoked", one, {"reason": one.revoke_reason})


def email_expiry_notice(one: Certificate) -> Delivery:
    """Email that a certificate expires in a month."""
    assert one.expires_on is not None
    return _send_email(
        "cert_ending", one, {"day": format_day(one.expires_on, match_supported(one.language) or DEFAULT_LANGUAGE)}
    )


def email_states(certificates: list[Certificate]) -> dict[str, str]:
    """Return the state of the last email for each certificate, by certificate id."""
    ids = {one.email_delivery_id: one.pk for one in certificates if one.email_delivery_id}
    found = Delivery.objects.filter(pk__in=ids).values_list("pk", "state")
    return {ids[id]: EMAIL_STATES.get(state, state) for id, state in found}


def _build_context(one: Certificate, more: dict[str, Any]) -> dict[str, Any]:
    return {"certificate": one, "url": one.verify_url, "business": one.organization or one.account.name, **more}


def _send_email(template: str, one: Certificate, more: dict[str, Any], **how: Any) -> Delivery:
    account, given = one.account, _build_context(one, more)
    language = match_supported(one.language) or DEFAULT_LANGUAGE
    key = f"cert:{one.pk}:{new_id('m')}"
    return mail.send(
        template, one.email, given, account=account, reply_to=account.owner.email, language=language, dedupe=key, **how
    )
