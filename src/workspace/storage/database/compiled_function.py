"""Functions that return querysets, compiled to SQL once.

    @compile_once
    def menus_for(account: Account) -> QuerySet[Menu]:
        return account.menus.select_related("publication")

    menus_for(account).filter(…)          # the queryset, as before
    menus_for.fetch(account)              # its rows, compiled at the first call
    menus_for.get(id, NOT_FOUND, account)

The function is called once with placeholders for rows, strings, numbers, times and lists. It may pass them to the query
and must not read them: a placeholder for a row has only its key, and any other attribute raises an error. Constants are
passed as they are, and each gets its own SQL: None, booleans, classes, members of enumerations, and every
`QueryConstant`. Values that depend on the caller, such as the products of a member, or on the time must be arguments.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import date, datetime
from enum import Enum
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model, QuerySet

from workspace.lib.errors import NotFoundError
from workspace.lib.messages import Message
from workspace.storage.database.compiled_query import (
    CompiledQuery,
    date_parameter,
    list_parameter,
    number_list_parameter,
    number_parameter,
    parameter,
    time_parameter,
)

Row = TypeVar("Row")
P = ParamSpec("P")
_MAX_QUERIES = 100  # compiled queries of a function, because a search may have any number of words
_ID, _IDS = "id", "ids"
_ARGUMENT = "_argument"  # the attribute of a placeholder that contains the name of its argument
NO_KEYS: Mapping[str, Any] = {}


class QueryConstant:
    """Base class of objects that each need their own SQL, such as descriptions of products."""

    __slots__ = ()


_is_compiling: ContextVar[bool] = ContextVar("is_compiling", default=False)


def refuse_while_compiling(what: str) -> None:
    """Raise RuntimeError if a query is being compiled.

    It must not depend on `what`, because later callers get its SQL.
    """
    if _is_compiling.get():
        raise RuntimeError(f"a compiled query must not depend on {what}: pass it as an argument")


def compile_once(function: Callable[P, QuerySet[Any, Row]]) -> CompiledFunction[P, Row]:
    """Compile the queryset that a function returns, once per combination of argument types."""
    return CompiledFunction(function)


class CompiledFunction(Generic[P, Row]):
    """A function that returns a queryset, and can also run its SQL, which is compiled once."""

    def __init__(self, function: Callable[P, QuerySet[Any, Row]]) -> None:
        """Wrap a function. Nothing is compiled before the first call."""
        self._function = function
        self._queries: dict[tuple[Any, ...], CompiledQuery[Row]] = {}
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> QuerySet[Any, Row]:
        """Return the queryset for these arguments."""
        return self._function(*args, **kwargs)

    def fetch(self, *args: P.args, **kwargs: P.kwargs) -> list[Row]:
        """Return all rows."""
        return self._run(args, kwargs)

    def fetch_some(self, limit: int, /, *args: P.args, **kwargs: P.kwargs) -> list[Row]:
        """Return the first rows, at most `limit`."""
        return self._run(args, kwargs, limit=limit)

    def fetch_by_ids(self, ids: Sequence[str], /, *args: P.args, **kwargs: P.kwargs) -> list[Row]:
        """Return the rows with these keys, in any order."""
        return self._run(args, kwargs, keys={_IDS: list(ids)}) if ids else []

    def get(self, id: str, missing: str | Message, /, *args: P.args, **kwargs: P.kwargs) -> Row:
        """Return the row with a key. Raise NotFoundError with the message `missing` if there is none."""
        found = self._run(args, kwargs, keys={_ID: id}) if id.isprintable() else []  # PostgreSQL rejects NUL
        if not found:
            raise NotFoundError(missing)
        return found[0]

    def fetch_page(self, limit: int, offset: int, /, *args: P.args, **kwargs: P.kwargs) -> tuple[list[Row], int]:
        """Return a page of rows and the total. See `CompiledQuery.fetch_page`."""
        query, values, rows = self._prepare(args, kwargs)
        found, total = query.fetch_page(limit=limit, offset=offset, **values)
        return _set_known_relations(query, found, rows), total

    def count(self, *args: P.args, **kwargs: P.kwargs) -> int:
        """Return the number of rows."""
        query, values, _ = self._prepare(args, kwargs)
        return query.count_rows(**values)

    def exists(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Return whether there is at least one row."""
        return bool(self._run(args, kwargs, limit=1))

    def _run(
        self, args: Any, kwargs: dict[str, Any], *, limit: int | None = None, keys: Mapping[str, Any] = NO_KEYS
    ) -> list[Row]:
        query, values, rows = self._prepare(args, kwargs, keys)
        return _set_known_relations(query, query.fetch_rows(limit=limit, **values), rows)

    def _prepare(
        self, args: Any, kwargs: dict[str, Any], keys: Mapping[str, Any] = NO_KEYS
    ) -> tuple[CompiledQuery[Row], dict[str, Any], dict[str, Model]]:
        """Return the query of these arguments, the values of its parameters, and the rows among the arguments."""
        given = [*args, *kwargs.values()]
        key = (*kwargs, *keys, *map(_describe, given))
        values = {**dict(_name_values(given)), **keys}
        rows = {_name_argument(number): value for number, value in enumerate(given) if isinstance(value, Model)}
        query = self._queries.get(key)
        if query is None:
            query = self._compile(given, tuple(kwargs), keys)
            if lost := values.keys() - query.find_parameters(values):
                raise TypeError(f"{self._function.__name__} does not pass these arguments to the query: {sorted(lost)}")
            if len(self._queries) < _MAX_QUERIES:
                self._queries[key] = query
        return query, values, rows

    def _compile(self, given: list[Any], names: tuple[str, ...], keys: Collection[str]) -> CompiledQuery[Row]:
        placeholders = [_make_placeholder(number, value) for number, value in enumerate(given)]
        positional = len(given) - len(names)

        def build_queryset() -> QuerySet[Any, Row]:
            function: Callable[..., QuerySet[Any, Row]] = self._function
            token = _is_compiling.set(True)
            try:
                found = function(*placeholders[:positional], **dict(zip(names, placeholders[positional:], strict=True)))
            finally:
                _is_compiling.reset(token)
            if _ID in keys:
                return found.filter(pk=parameter(_ID)).order_by()
            return found.filter(pk__in=list_parameter(_IDS)).order_by() if _IDS in keys else found

        return CompiledQuery(build_queryset)


def _describe(value: Any) -> Any:
    """Return the part of an argument that the SQL depends on: its type, or its value if it is a constant."""
    if _is_constant(value):
        return type(value), value
    return type(value), isinstance(value, list) and _holds_texts(value)


def _is_constant(value: Any) -> bool:
    return value is None or isinstance(value, bool | Enum | type | QueryConstant)


def _holds_texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _make_placeholder(number: int, value: Any) -> Any:
    name = _name_argument(number)
    if isinstance(value, Model):
        pk: Any = type(value)._meta.pk
        key = number_parameter(number) if isinstance(value.pk, int) else parameter(name)
        row = type(value).from_db(DEFAULT_DB_ALIAS, [pk.attname], [key])
        row.__dict__[_ARGUMENT] = name
        return row
    if _is_constant(value):
        return value
    if isinstance(value, str):
        return parameter(name)
    if isinstance(value, int):
        return number_parameter(number)
    if isinstance(value, datetime):
        return time_parameter(number)
    if isinstance(value, date):
        return date_parameter(number)
    if isinstance(value, list):
        return list_parameter(name) if _holds_texts(value) else number_list_parameter(number)
    raise TypeError(f"{type(value).__name__} cannot be a parameter of a compiled query")


def _name_values(given: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names of the SQL's parameters with their values."""
    for number, value in enumerate(given):
        if isinstance(value, Model):
            value = value.pk
        if _is_constant(value):
            continue
        if isinstance(value, date):
            yield f"moment{'i' * number}", value
        elif isinstance(value, int) or (isinstance(value, list) and not _holds_texts(value)):
            yield f"number{'i' * number}", value
        else:
            yield _name_argument(number), value


def _name_argument(number: int) -> str:
    return string.ascii_lowercase[number % 26] * (number // 26 + 1)


def _set_known_relations(query: CompiledQuery[Row], found: list[Row], rows: dict[str, Model]) -> list[Row]:
    """Set the related rows that a manager knows, such as the account of `account.menus`."""
    for field, placeholder in query.known_relations.items():
        row = rows[placeholder.__dict__[_ARGUMENT]]
        for one in found:
            if isinstance(one, Model) and not field.is_cached(one):
                field.set_cached_value(one, row)
    return found
