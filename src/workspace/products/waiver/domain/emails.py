"""Emails about a waiver to signers and invited people, in their language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.utils import translation

from workspace.delivery import mail
from workspace.delivery.mail import Attachment, PreparedEmail
from workspace.delivery.models import Delivery
from workspace.publishing import file_verification
from workspace.publishing.language import DEFAULT_LANGUAGE, format_day

if TYPE_CHECKING:
    from workspace.products.waiver.models import Signature, Signing, Waiver


def email_copy(signing: Signing, pdf: bytes, name: str) -> Delivery | None:
    """Email the signed PDF to the signer, once for all people that it covers."""
    if not signing.email:
        return None
    language = signing.language or DEFAULT_LANGUAGE
    with translation.override(language):
        covered = [
            {
                "name": signature.name,
                "until": format_day(last, language) if (last := signature.last_valid_day()) else "",
            }
            for signature in signing.signatures.select_related("account").order_by("id")
        ]
    attached = [Attachment(name, "application/pdf", pdf)] if len(pdf) <= mail.MAX_ATTACHMENT_BYTES else []
    return _send_email(
        "waiver_copy" if attached else "waiver_copy_too_large",
        signing.waiver,
        signing.email,
        language,
        {
            "covered": covered,
            "name": signing.name,
            "verify_url": file_verification.verify_page_url(),
        },
        attachments=attached,
        dedupe=f"waiver-copy:{signing.pk}",
    )


def build_renewal(signing: Signing, signatures: Sequence[Signature], template: str, *, dedupe: str) -> PreparedEmail:
    """Build the email that asks a signer to sign again.

    There are two templates: one for a changed text, and one for signatures that are about to expire.
    """
    from workspace.products.waiver.domain import returning_signers

    waiver, language = signing.waiver, signing.language or DEFAULT_LANGUAGE
    quiet = f"{waiver.public_url}/quiet?who={returning_signers.build_token(signing)}"
    end = signatures[0].last_valid_day()
    fields = {
        **_waiver_context(waiver),
        "url": returning_signers.renewal_url(signing),
        "name": signing.name,
        "names": [signature.name for signature in signatures][:30],
        "until": format_day(end, language) if end else "",
        "quiet": quiet,
    }
    return mail.prepare_email(
        template,
        signing.email,
        fields,
        account=waiver.account,
        dedupe=dedupe,
        language=language,
        reply_to=waiver.account.owner.email,
        headers={"List-Unsubscribe": f"<{quiet}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )


def email_invitation(
    waiver: Waiver, to: str, message: str, *, language: str, dedupe: str, before: Signing | None = None
) -> Delivery:
    """Email an invitation to sign or, if they have signed before, to sign again."""
    from workspace.products.waiver.domain import returning_signers

    fields: dict[str, Any] = {"words": message}
    if before is None:
        return _send_email("waiver_invite", waiver, to, language, fields, dedupe=dedupe)
    fields["url"] = returning_signers.renewal_url(before)
    return _send_email("waiver_invite_again", waiver, to, language, fields, dedupe=dedupe)


def email_void_notice(signature: Signature, reason: str, *, ask_again: bool) -> Delivery | None:
    signing = signature.signing
    if not signing.email:
        return None
    from workspace.products.waiver.domain import returning_signers

    fields = {
        "name": signature.name,
        "reason": reason,
        "again": ask_again,
        "url": returning_signers.renewal_url(signing, signature.pk),
    }
    return _send_email("waiver_voided", signature.waiver, signing.email, signing.language or DEFAULT_LANGUAGE, fields)


def _send_email(template: str, waiver: Waiver, to: str, language: str, more: dict[str, Any], **how: Any) -> Delivery:
    account = waiver.account
    fields = {**_waiver_context(waiver), **more}
    return mail.send(template, to, fields, account=account, reply_to=account.owner.email, language=language, **how)


def _waiver_context(waiver: Waiver) -> dict[str, Any]:
    return {"waiver": waiver, "url": waiver.public_url, "business": waiver.account.name}
