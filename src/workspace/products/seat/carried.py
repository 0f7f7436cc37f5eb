"""Charts when an account moves: a search for seats is over by then."""

from __future__ import annotations

from workspace.accounts.carrying import readers
from workspace.accounts.carrying.tables import Carried, leave
from workspace.products.seat.arguments import ChartFields, GuestFields, SavedWish, TableFields
from workspace.products.seat.models import Chart, CheckIn, Guest, Step, Table, Wish

Ids = readers.list_of(readers.Identifier, 20_000)
Move = readers.list_of(readers.any_of(readers.Identifier, readers.one_of("")), 3, 3)


def _of_so_many(wish: Wish) -> None:
    wanted = 1 if wish.kind in ("near", "away") else 2
    if len(wish.between) != wanted:
        raise ValueError(f"between: {wish.kind} is of {wanted}")


leave("a search is over", "seat.run")
CARRIED = (
    Carried(
        model=Chart,
        reads=readers.as_given(
            ChartFields, "venue", "width", "depth", "background_width", "units", "courses", "name_order"
        ),
    ),
    Carried(
        model=Table,
        reads={
            **readers.as_given(TableFields, "kind", "shape", "capacity", "x", "y", "width", "depth", "rotation"),
            "note": readers.OneLine,
        },
    ),
    Carried(
        model=Guest,
        reads={
            **readers.as_given(GuestFields, "sort_name", "party", "meals", "diet", "reply", "chair", "tags", "notes"),
            "seat": readers.up_to(200, 1),
            "sort_key": readers.AnyText,
        },
    ),
    Carried(
        model=Step,
        reads={
            "act": readers.Token,
            "change": readers.any_of(readers.Identifier, readers.one_of("")),
            "moves": readers.list_of(Move, 20_000),
            **dict.fromkeys(("guests", "tables", "gone"), Ids),
        },
    ),
    Carried(model=Wish, reads=readers.as_given(SavedWish, "kind", "between", "weight"), agrees=_of_so_many),
    Carried(model=CheckIn, reads={"key": readers.AnyText, "device": readers.AnyText}),
)
