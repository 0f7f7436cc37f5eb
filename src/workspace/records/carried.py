"""Records are taken along as they stand, by the ids that their hashes are of: then a chain holds elsewhere, too."""

from __future__ import annotations

from typing import Any

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Arrival, Carried
from workspace.records.models import Chain, PersonalValue, Record

THERE = (
    "The records of this account are on this installation already, with the account that they belong to. Bring the "
    "account to another installation, or close the other one first"
)


def _make_room(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    """The end of the same chain, which stayed when the account was closed here."""
    row.closed_at = None
    Chain.objects.filter(pk=row.pk, account=None, count=row.count, head=row.head).delete()


CARRIED = (
    Carried(model=Chain, fixed=THERE, others=lambda rows: rows.exclude(account=None), replaces=True, arrive=_make_room),
    Carried(
        model=Record,
        fixed=THERE,
        reads={"body": readers.json_text(dict[str, Any]), "kind": readers.EventName, "thing": readers.Identifier},
    ),
    Carried(
        model=PersonalValue,
        reads={"person": readers.EventName, "name": readers.EventName, "value": str, "salt": readers.Identifier},
    ),
)
