"""Programs when an account moves: what publishes one is the plan of its new account, or a credit that was paid here.
Else it arrives as a draft."""

from __future__ import annotations

from typing import Annotated, Any

from workspace.accounts.takeout import column_types, purchase_proof
from workspace.accounts.takeout.tables import Arrival, Carried
from workspace.lib import clock
from workspace.products.event.api.arguments import EventFields, SavedBlock, SavedSpeaker
from workspace.products.event.models import KIND, Block, Day, Event, Room, Session, Speaker, Starred
from workspace.products.event.rules.limits import MOST_SESSIONS, MOST_TRACKS
from workspace.products.event.rules.types import SessionFields
from workspace.publishing.models import Publication
from workspace.tools.argument_types import Line

# a tool may leave the color out, and what is stored always has one
Tracks = column_types.list_of(column_types.shape(name=Annotated[str, Line(60)], colour=column_types.Color), MOST_TRACKS)


def _arrive(arrival: Arrival, row: Any, told: dict[str, Any]) -> None:
    row.paid_at = purchase_proof.at(row, told.get("paid_at"))
    if row.paid_at is not None or arrival.account.limits(KIND).publishes:
        return
    seen = Publication.objects.filter(pk=row.publication_id, paused_at=None)
    if seen.update(paused_at=clock.now()):
        row.was_published = True
    if row.was_published or told.get("paid_at"):
        arrival.note(
            f"The program “{row.title}” is a draft here: publishing it takes an event credit, or a larger plan"
        )


CARRIED = (
    Carried(
        model=Event,
        without=("paid_at",),
        told={"paid_at": purchase_proof.signed("paid_at")},
        arrive=_arrive,
        reads={**column_types.as_given(EventFields, "address", "description"), "tracks": Tracks},
    ),
    Carried(model=Day, reads={"label": column_types.OneLine}),
    Carried(model=Room, reads={"folded": column_types.AnyText}),
    Carried(model=Speaker, reads=column_types.as_given(SavedSpeaker, "role", "organization", "bio", "links")),
    Carried(model=Block, reads=column_types.as_given(SavedBlock, "kind", "text", "tier", "url", "alt", "place")),
    Carried(
        model=Session,
        reads={
            **column_types.as_given(SessionFields, "time_label", "description", "kind", "track", "links"),
            **dict.fromkeys(("start", "end"), column_types.Clock),
        },
    ),
    Carried(model=Starred, reads={"sessions": column_types.list_of(column_types.Identifier, MOST_SESSIONS)}),
)
