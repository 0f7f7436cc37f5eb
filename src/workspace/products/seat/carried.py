"""Charts when an account moves: a search for seats is over by then."""

from __future__ import annotations

from workspace.accounts.carrying.tables import Carried, leave

leave("a search is over", "seat.run")
CARRIED: tuple[Carried, ...] = ()
