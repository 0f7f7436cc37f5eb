"""Writes of rows whose SQL is compiled only once.

Compiling takes Django longer than the database takes to write the row. The SQL of an INSERT depends only on the table,
and that of an UPDATE only on the columns that are saved, so each is compiled once per process. `save` and `create` of a
`CompiledModel` do that. The functions here are for rows whose values contain no expressions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    Field,
    ForeignKey,
    Model,
    TextField,
)

from workspace.storage.database.compiled_query import CompiledQuery, parameter
from workspace.storage.database.transactions import execute_write

_PLAIN_TYPES: dict[Any, type] = {CharField: str, TextField: str, BooleanField: bool}  # stored unchanged
_READING = (Field.pre_save, DateField.pre_save, DateTimeField.pre_save)


class CompiledModel(Model):
    """A model with one table, whose rows are saved and created by SQL that is compiled once."""

    class Meta:
        """The base model has no table of its own."""

        abstract = True

    def reload_columns(self) -> None:
        """Read the columns again, using the row's text key. Related rows stay cached if their keys are unchanged.

        Raise DoesNotExist if the row was deleted."""
        query, names = _compile_row_query(type(self))
        found = query.fetch_first(key=self.pk)
        if found is None:
            raise self.DoesNotExist
        for name, value in zip(names, found, strict=True):
            setattr(self, name, value)  # a new key removes the related row from the cache

    def _do_update(self, base_qs: Any, using: Any, pk_val: Any, values: Any, *options: Any) -> Any:
        named = [(field, value) for field, _, value in values]
        if not named or _has_expression(value for _, value in named):
            return super()._do_update(base_qs, using, pk_val, values, *options)
        text = _compile_update(type(self), tuple(field.attname for field, _ in named), (), 1)
        adapted = adapt_values(*zip(*named, (self._meta.pk, pk_val), strict=True))
        return execute_write(f"{text} RETURNING 1", adapted)

    def _do_insert(self, manager: Any, using: Any, fields: Any, returning_fields: Any, raw: Any) -> Any:
        values = [field.pre_save(self, add=True) for field in fields]
        if raw or _has_expression(values):
            return super()._do_insert(manager, using, fields, returning_fields, raw)  # type: ignore[misc]
        text = _compile_insert(type(self), tuple(field.attname for field in fields))
        if returning_fields:
            text += f" RETURNING {', '.join(_quote(field) for field in returning_fields)}"
        return execute_write(text, adapt_values(fields, values))


def update_by_key(model: type[Model], keys: Collection[Any], *, increased: Sequence[str] = (), **values: Any) -> None:
    """Set the same values in all rows with these keys, and add one to the fields in `increased`."""
    if keys:
        fields: Any = [model._meta.get_field(name) for name in values]
        text = _compile_update(model, tuple(values), tuple(increased), len(keys))
        execute_write(text, [*adapt_values(fields, list(values.values())), *keys])


@cache
def _compile_row_query(model: type[Model]) -> tuple[CompiledQuery[tuple[Any, ...]], list[str]]:
    names = [field.attname for field in model._meta.concrete_fields]
    return CompiledQuery(lambda: model._base_manager.filter(pk=parameter("key")).values_list(*names)), names


@lru_cache(maxsize=1024)
def _compile_insert(model: type[Model], names: tuple[str, ...]) -> str:
    """Return the SQL that inserts one row with these attributes."""
    columns = ", ".join(_quote(model._meta.get_field(name)) for name in names)
    return f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES ({", ".join(["%s"] * len(names))})'  # noqa: S608


@dataclass(frozen=True, slots=True)
class NewRows:
    """The insertion of new rows of a model, without a key that the database generates."""

    columns: list[str]
    insert_sql: str  # inserts one row
    fields: list[tuple[str, type | None, Field[Any, Any]]]  # attribute, plain type, field

    def build_parameters(self, row: Model) -> list[Any]:
        """Return the parameters for a row whose values contain no expressions."""
        here = connections[DEFAULT_DB_ALIAS]
        return [
            value
            if (value := getattr(row, name)) is None or type(value) is plain
            else field.get_db_prep_save(value, connection=here)
            for name, plain, field in self.fields
        ]


@cache
def new_rows_of(model: type[Model]) -> NewRows:
    """Return a description of how rows of the model are inserted.

    Raise TypeError for a field whose value is generated on saving.
    """
    fields = [field for field in model._meta.local_concrete_fields if field is not model._meta.auto_field]
    for field in fields:
        if type(field).pre_save not in _READING or getattr(field, "auto_now", False):
            raise TypeError(f"{model.__name__}.{field.name} is generated on save")
    names = tuple(field.attname for field in fields)
    planned = [(field.attname, _find_plain_type(field), field) for field in fields]
    return NewRows([_quote(field) for field in fields], _compile_insert(model, names), planned)


def _find_plain_type(field: Field[Any, Any]) -> type | None:
    """Return the type of the field's values if they are stored unchanged, or None."""
    return _find_plain_type(field.target_field) if isinstance(field, ForeignKey) else _PLAIN_TYPES.get(type(field))


def adapt_values(fields: Iterable[Field[Any, Any]], values: Iterable[Any]) -> list[Any]:
    """Return the parameters for values of these fields, as Django adapts them."""
    here = connections[DEFAULT_DB_ALIAS]
    return [
        value
        if value is None or type(value) is _PLAIN_TYPES.get(type(field))
        else field.get_db_prep_save(value, connection=here)
        for field, value in zip(fields, values, strict=True)
    ]


@lru_cache(maxsize=1024)
def _compile_update(model: type[Model], names: tuple[str, ...], increased: tuple[str, ...], count: int) -> str:
    columns = [_quote(model._meta.get_field(name)) for name in names]
    counted = [_quote(model._meta.get_field(name)) for name in increased]
    changes = ", ".join([*(f"{column} = %s" for column in columns), *(f"{one} = {one} + 1" for one in counted)])
    keys = "= %s" if count == 1 else f"IN ({', '.join(['%s'] * count)})"
    return f'UPDATE "{model._meta.db_table}" SET {changes} WHERE {_quote(model._meta.pk)} {keys}'  # noqa: S608


def _quote(field: Any) -> str:
    return f'"{field.column}"'


def _has_expression(values: Iterable[Any]) -> bool:
    return any(hasattr(value, "resolve_expression") for value in values)
