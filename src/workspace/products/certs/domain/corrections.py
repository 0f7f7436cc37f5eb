"""Changes to issued certificates: revoking, restoring, replacing with a corrected one, or emailing again.

All except the last are recorded in the audit trail.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workspace.accounts.models import Account
from workspace.audit_trail.writer import record_event
from workspace.lib import clock
from workspace.lib.errors import InvalidInputError, Issue, OperationNotAllowedError
from workspace.products.certs import messages
from workspace.products.certs.domain import emails
from workspace.products.certs.domain.issuance import build_replacement, save_certificates
from workspace.products.certs.domain.recipient_input import parse_day_text, parse_last_valid_day
from workspace.products.certs.models import Certificate, State
from workspace.storage import journal

PRINTED_FIELDS = ("name", "course", "date", "hours", "custom", "expires_on")


def edit_certificates(
    account: Account, certificates: Sequence[Certificate], changes: dict[str, Any], *, notify: bool
) -> list[Certificate]:
    """Change certificates. Return their current state, with replacements for those whose printed text changes.

    If this raises InvalidInputError or another ToolError, nothing has changed.
    """
    printed = {name: changes[name] for name in PRINTED_FIELDS if name in changes}
    _check_changes(certificates, changes, printed)
    if printed:
        return _replace_certificates(account, certificates, changes, notify=notify)
    if "email" in changes:
        for certificate in certificates:
            journal.update_row(
                certificate, email=changes["email"], search=f"{certificate.search}\n{changes['email'].lower()}"
            )
    if state := changes.get("state"):
        _set_revoked(certificates, state, changes.get("reason", ""), notify=notify)
    elif notify:
        for certificate in certificates:
            _resend_email(certificate)
    return list(certificates)


def _check_changes(certificates: Sequence[Certificate], changes: dict[str, Any], printed: dict[str, Any]) -> None:
    issues = _find_contradictions(certificates, changes, printed)
    issues += _parse_days(changes, printed)
    if issues:
        raise InvalidInputError(issues)
    for certificate in certificates:
        _check_changeable(certificate, printed)


def _find_contradictions(
    certificates: Sequence[Certificate], changes: dict[str, Any], printed: dict[str, Any]
) -> list[Issue]:
    """Return issues for changes that contradict one another."""
    several = [name for name in ("name", "email") if name in changes and len(certificates) > 1]
    issues = [Issue(name, messages.ONLY_ONE_CERTIFICATE) for name in several]
    if printed and "state" in changes:
        issues.append(Issue("state", messages.CORRECTION_OR_STATE))
    if "reason" in changes and changes.get("state") != "revoked":
        issues.append(Issue("reason", messages.REASON_NEEDS_REVOCATION))
    return issues


def _parse_days(changes: dict[str, Any], printed: dict[str, Any]) -> list[Issue]:
    """Parse the dates among the changes, in place. Return issues for invalid ones."""
    issues = []
    for name, read in (("date", parse_day_text), ("expires_on", parse_last_valid_day)):
        if name in printed:
            try:
                printed[name] = changes[name] = read(printed[name])
            except ValueError as problem:
                issues.append(Issue(name, str(problem)))
    return issues


def _check_changeable(certificate: Certificate, printed: dict[str, Any]) -> None:
    """Raise ToolError if a certificate can no longer be changed in this way."""
    if certificate.replaced_by is not None:
        raise OperationNotAllowedError(
            messages.CERTIFICATE_WAS_REPLACED(
                code=certificate.formatted_code, replacement=certificate.replaced_by.formatted_code
            )
        )
    if printed and certificate.state is State.REVOKED:
        raise OperationNotAllowedError(messages.CERTIFICATE_IS_REVOKED(code=certificate.formatted_code))
    if printed and certificate.template_id is None:
        raise OperationNotAllowedError(messages.TEMPLATE_IS_MISSING(code=certificate.formatted_code))


def _replace_certificates(
    account: Account, certificates: Sequence[Certificate], changes: dict[str, Any], *, notify: bool
) -> list[Certificate]:
    made = []
    for certificate in certificates:
        new = build_replacement(certificate, changes)
        new.is_emailed = notify and bool(new.email)
        made.append(new)
    save_certificates(account, made)
    for certificate, new in zip(certificates, made, strict=True):
        certificate.replaced_by = new
        data = {"certificate": certificate.pk, "code": certificate.formatted_code, "by": new.formatted_code}
        record_event(account, "certs.replaced", item_id=certificate.pk, data=data)
    Certificate.objects.bulk_update(certificates, ["replaced_by"], batch_size=200)
    return made


def _set_revoked(certificates: Sequence[Certificate], state: str, reason: str, *, notify: bool) -> None:
    now = clock.now()
    for certificate in certificates:
        if (certificate.revoked_at is not None) == (state == "revoked"):
            continue
        certificate.revoked_at, certificate.revoke_reason = (now, reason) if state == "revoked" else (None, "")
        kind = "certs.revoked" if state == "revoked" else "certs.restored"
        data = {"certificate": certificate.pk, "code": certificate.formatted_code, "reason": reason}
        record_event(certificate.account, kind, item_id=certificate.pk, data=data)
        if notify and certificate.email:
            journal.mark_irreversible(emails.EMAIL_IS_FINAL)
            if state == "revoked":
                certificate.email_delivery_id = emails.email_revocation(certificate).pk
            else:
                certificate.email_delivery_id = emails.email_certificate(certificate).pk
        certificate.save(update_fields=["revoked_at", "revoke_reason", "email_delivery_id"])


def _resend_email(certificate: Certificate) -> None:
    if not certificate.email:
        raise InvalidInputError.at_path("notify", messages.NO_EMAIL_ADDRESS(code=certificate.formatted_code))
    if certificate.state is not State.VALID:
        raise OperationNotAllowedError(
            messages.NOT_VALID(code=certificate.formatted_code, state=certificate.state.value)
        )
    journal.mark_irreversible(emails.EMAIL_IS_FINAL)
    certificate.email_delivery_id = emails.email_certificate(certificate).pk
    certificate.is_emailed = True
    certificate.save(update_fields=["email_delivery_id", "is_emailed"])
