"""Voiding signatures. Each is voided separately, and the audit trail records it."""

from __future__ import annotations

from collections.abc import Sequence

from workspace.accounts.models import Account
from workspace.audit_trail.writer import record_event
from workspace.delivery import webhooks
from workspace.lib import clock
from workspace.products.waiver.domain import emails
from workspace.products.waiver.domain.signings import VOIDED_EVENT
from workspace.products.waiver.models import Signature
from workspace.storage import journal


def void_signatures(account: Account, signatures: Sequence[Signature], reason: str, *, ask_again: bool = False) -> int:
    """Void signatures. Return the number of emails sent. Signatures that are already void do not change."""
    now, mailed = clock.now(), 0
    for signature in signatures:
        if signature.voided_at is not None:
            continue
        journal.set_item(signature.waiver.kind, signature.waiver_id)
        journal.update_row(signature, voided_at=now, void_reason=reason)
        data = {"signature": signature.pk, "signing": signature.signing_id, "record": signature.signing.record}
        record_event(
            account, "waiver.voided", item_id=signature.waiver_id, data=data, people={"participant": {"reason": reason}}
        )
        values = {
            "waiver_id": signature.waiver_id,
            "waiver_title": signature.waiver.title,
            "signing_id": signature.signing_id,
            "signatures": [{"id": signature.pk, "name": signature.name}],
            "reason": reason,
            "voided_at": clock.to_iso(now),
        }
        webhooks.emit_event(account, VOIDED_EVENT.name, values, item_id=signature.waiver_id)
        if ask_again and emails.email_void_notice(signature, reason, ask_again=True) is not None:
            mailed += 1
    return mailed
