"""Voiding of signatures. Each is voided separately, and the audit trail records it."""

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


def void_signatures(account: Account, found: Sequence[Signature], why: str, *, ask_again: bool = False) -> int:
    """Void signatures and return the number of emails sent. Signatures voided before are unchanged."""
    now, mailed = clock.now(), 0
    for one in found:
        if one.voided_at is not None:
            continue
        journal.set_item(one.waiver.kind, one.waiver_id)
        journal.update_row(one, voided_at=now, void_reason=why)
        data = {"signature": one.pk, "signing": one.signing_id, "record": one.signing.record}
        record_event(
            account, "waiver.voided", item_id=one.waiver_id, data=data, people={"participant": {"reason": why}}
        )
        told = {
            "waiver_id": one.waiver_id,
            "waiver_title": one.waiver.title,
            "signing_id": one.signing_id,
            "signatures": [{"id": one.pk, "name": one.name}],
            "reason": why,
            "voided_at": clock.to_iso(now),
        }
        webhooks.emit_event(account, VOIDED_EVENT.name, told, item_id=one.waiver_id)
        if ask_again and emails.email_void_notice(one, why, again=True) is not None:
            mailed += 1
    return mailed
