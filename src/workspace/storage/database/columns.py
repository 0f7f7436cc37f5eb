"""Columns of a model that have the names of a tool's arguments."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, get_type_hints

from django.db.models import CharField, Field, Model, TextField

TEXT = (CharField, TextField)


def argument_columns(
    model: type[Model],
    arguments: Any,
    *,
    kinds: tuple[type[Field[Any, Any]], ...] = (Field,),
    skip: Collection[str] = (),
) -> tuple[str, ...]:
    """Return the names that are both arguments in a TypedDict and columns, in the order of the arguments.

    `kinds` are kinds of columns, such as `TEXT`, and never include relations. `skip` names the arguments that are
    stored in another form.
    """
    fields = (column for column in model._meta.concrete_fields if isinstance(column, kinds))
    columns = {column.name for column in fields if not column.is_relation}
    return tuple(name for name in get_type_hints(arguments) if name in columns and name not in skip)
