"""Applying a new validity period to earlier signatures, at the owner's request. It is recorded in the audit trail."""

from __future__ import annotations

from workspace.products.waiver.models import Signature, Signing, Waiver
from workspace.products.waiver.rules.validity import compute_expiry
from workspace.storage import journal

_BATCH_SIZE = 500


def recompute_expiry(waiver: Waiver) -> int:
    """Recompute when each signature expires. Return how many signatures changed."""
    zone, changed = waiver.account.zone, 0
    rows = waiver.signatures.filter(voided_at=None).order_by("id")
    ids = list(rows.values_list("pk", flat=True))
    for start in range(0, len(ids), _BATCH_SIZE):
        signatures = Signature.objects.filter(pk__in=ids[start : start + _BATCH_SIZE])
        requested = [
            (signature, {"expires_at": compute_expiry(waiver.valid_for, signature.created_at, zone)})
            for signature in signatures
        ]
        moved = journal.update_rows(requested)
        Signing.objects.filter(signatures__in=moved).update(expiry_notice_at=None)
        changed += len(moved)
    return changed
