"""Applies a new validity period to earlier signatures, at the owner's request. It is recorded in the audit trail."""

from __future__ import annotations

from workspace.products.waiver.models import Signature, Signing, Waiver
from workspace.products.waiver.rules.validity import compute_expiry
from workspace.storage import journal

_BATCH_SIZE = 500


def recompute_expiry(waiver: Waiver) -> int:
    """Update the end of all signatures. Return how many changed."""
    zone, changed = waiver.account.zone, 0
    rows = waiver.signatures.filter(voided_at=None).order_by("id")
    ids = list(rows.values_list("pk", flat=True))
    for start in range(0, len(ids), _BATCH_SIZE):
        found = Signature.objects.filter(pk__in=ids[start : start + _BATCH_SIZE])
        wanted = [(one, {"expires_at": compute_expiry(waiver.valid_for, one.created_at, zone)}) for one in found]
        moved = journal.update_rows(wanted)
        Signing.objects.filter(signatures__in=moved).update(expiry_notice_at=None)
        changed += len(moved)
    return changed
