"""Charts when an account moves: a search for seats is over by then."""

from __future__ import annotations

from workspace.accounts.takeout import column_types
from workspace.accounts.takeout.tables import Carried, leave
from workspace.products.seat.api.arguments import ChartFields, GuestFields, SavedWish, TableFields
from workspace.products.seat.models import Chart, CheckIn, Guest, Step, Table, Wish

Ids = column_types.list_of(column_types.Identifier, 20_000)
Move = column_types.list_of(column_types.any_of(column_types.Identifier, column_types.one_of("")), 3, 3)


def _of_so_many(wish: Wish) -> None:
    wanted = 1 if wish.kind in ("near", "away") else 2
    if len(wish.between) != wanted:
        raise ValueError(f"between: {wish.kind} is of {wanted}")


leave("a search is over", "seat.run")
CARRIED = (
    Carried(
        model=Chart,
        reads=column_types.as_given(
            ChartFields, "venue", "width", "depth", "background_width", "units", "courses", "name_order"
        ),
    ),
    Carried(
        model=Table,
        reads={
            **column_types.as_given(TableFields, "kind", "shape", "capacity", "x", "y", "width", "depth", "rotation"),
            "note": column_types.OneLine,
        },
    ),
    Carried(
        model=Guest,
        reads={
            **column_types.as_given(
                GuestFields, "sort_name", "party", "meals", "diet", "reply", "chair", "tags", "notes"
            ),
            "seat": column_types.up_to(200, 1),
            "sort_key": column_types.AnyText,
        },
    ),
    Carried(
        model=Step,
        reads={
            "act": column_types.Token,
            "change": column_types.any_of(column_types.Identifier, column_types.one_of("")),
            "moves": column_types.list_of(Move, 20_000),
            **dict.fromkeys(("guests", "tables", "gone"), Ids),
        },
    ),
    Carried(model=Wish, reads=column_types.as_given(SavedWish, "kind", "between", "weight"), agrees=_of_so_many),
    Carried(model=CheckIn, reads={"key": column_types.AnyText, "device": column_types.AnyText}),
)
