"""Another time for which signatures count, applied to those that were made earlier: the owner's wish, on record."""

from __future__ import annotations

from workspace.products.waiver.models import Signature, Signing, Waiver
from workspace.products.waiver.rules.validity import expires_at
from workspace.storage import journal

_AT_ONCE = 500


def recompute(waiver: Waiver) -> int:
    """How many have another end now."""
    zone, changed = waiver.account.zone, 0
    rows = waiver.signatures.filter(voided_at=None).order_by("id")
    ids = list(rows.values_list("pk", flat=True))
    for start in range(0, len(ids), _AT_ONCE):
        found = Signature.objects.filter(pk__in=ids[start : start + _AT_ONCE])
        wanted = [(one, {"expires_at": expires_at(waiver.valid_for, one.created_at, zone)}) for one in found]
        moved = journal.change_many(wanted)
        Signing.objects.filter(signatures__in=moved).update(asked_end=None)
        changed += len(moved)
    return changed
