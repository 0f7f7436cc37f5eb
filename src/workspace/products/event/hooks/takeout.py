"""Programs in exports and imports of an account.

An imported program is published if the new account's plan includes it, or if a credit was paid for it on this instance.
Otherwise, it is a draft.
"""

from __future__ import annotations

from typing import Annotated, Any

from workspace.accounts.takeout import column_types, purchase_proof
from workspace.accounts.takeout.tables import ImportContext, TakeoutTable
from workspace.lib import clock
from workspace.products.event import messages
from workspace.products.event.api.arguments import EventFields, SavedBlock, SavedSpeaker
from workspace.products.event.models import KIND, Block, Day, Event, Room, Session, Speaker, StarList
from workspace.products.event.rules.limits import MAX_SESSIONS, MAX_TRACKS
from workspace.products.event.rules.session_fields import SessionFields
from workspace.publishing.models import Publication
from workspace.tools.argument_types import Line

# the tool may omit the color, but a stored track always has one
Tracks = column_types.list_of(
    column_types.object_of(name=Annotated[str, Line(60)], color=column_types.Color), MAX_TRACKS
)


def _import_event(arrival: ImportContext, row: Any, data: dict[str, Any]) -> None:
    row.paid_at = purchase_proof.verify_payment_time(row, data.get("paid_at"))
    if row.paid_at is not None or arrival.account.limits(KIND).publishes:
        return
    seen = Publication.objects.filter(pk=row.publication_id, paused_at=None)
    if seen.update(paused_at=clock.now()):
        row.was_published = True
    if row.was_published or data.get("paid_at"):
        arrival.add_note(str(messages.IMPORTED_AS_DRAFT(title=row.title)))


TAKEOUT_TABLES = (
    TakeoutTable(
        model=Event,
        excluded_columns=("paid_at",),
        serializers={"paid_at": purchase_proof.payment_time_signer("paid_at")},
        import_row=_import_event,
        column_types={**column_types.from_arguments(EventFields, "address", "description"), "tracks": Tracks},
    ),
    TakeoutTable(model=Day, column_types={"label": column_types.OneLine}),
    TakeoutTable(model=Room, column_types={"name_key": column_types.AnyText}),
    TakeoutTable(model=Speaker, column_types=column_types.from_columns(Speaker, SavedSpeaker, skip=("id", "name"))),
    TakeoutTable(
        model=Block, column_types=column_types.from_arguments(SavedBlock, "kind", "text", "tier", "url", "alt", "place")
    ),
    TakeoutTable(
        model=Session,
        column_types={
            **column_types.from_columns(Session, SessionFields, skip=("title",)),
            **dict.fromkeys(("start", "end"), column_types.ClockTime),
        },
    ),
    TakeoutTable(
        model=StarList, column_types={"sessions": column_types.list_of(column_types.Identifier, MAX_SESSIONS)}
    ),
)
