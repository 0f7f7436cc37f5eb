"""Ordered parts of an item, such as the buttons of a page or the dishes of a section.

Their model has a `position`, and is reached from its parent: `menu.sections`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from django.db import models
from django.db.models import Case, Max, QuerySet, Value, When

from workspace.lib.errors import InvalidInputError
from workspace.publishing import messages
from workspace.storage.journal import Journaled, record_field_changes

Part = TypeVar("Part", bound=Journaled)


def next_position(parts: QuerySet[Part]) -> int:
    """Return the position after the last part."""
    last: int | None = parts.aggregate(last=Max("position"))["last"]
    return 0 if last is None else last + 1


def reorder_parts(parts: QuerySet[Part], ids: Sequence[str], *, path: str = "ids", noun: str = "part") -> bool:
    """Put all parts in the order of these ids with two queries. Return whether any part moved.

    Raise InvalidInputError at `path` if an id is missing, repeated or unknown. `noun` is the word for a part in the
    message ("item of this section").
    """
    places: dict[str, int] = dict(parts.values_list("pk", "position"))
    if sorted(ids) != sorted(places):
        raise InvalidInputError.at_path(path, messages.ORDER_INCOMPLETE(noun=noun, count=len(places)))
    moved = {id: position for position, id in enumerate(ids) if places[id] != position}
    if not moved:
        return False
    whens = [When(pk=id, then=Value(position)) for id, position in moved.items()]
    parts.filter(pk__in=moved).update(position=Case(*whens, output_field=models.PositiveIntegerField()))
    for id, position in moved.items():
        record_field_changes(parts.model(pk=id), {"position": (places[id], position)})
    return True
