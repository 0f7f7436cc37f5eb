"""Queries that Django compiles to SQL only once.

Compiling takes Django longer than the database takes to run the query. A frequent query is therefore compiled at its
first call, with parameters for the values of each call:

    _CODES = CompiledQuery(
        lambda: Code.objects.filter(account_id=parameter("account")).values_list("id", "name")
    )
    _CODES.fetch_rows(account=account.pk, limit=50)  # [("qr_01…", "Tables"), …]

Rows are those of the queryset, converted as Django does, with their `select_related` and `prefetch_related`. A function
that returns a queryset is compiled with `compiled_function.compile_once`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet, Value

from workspace.lib.errors import NotFoundError
from workspace.lib.messages import Message
from workspace.storage.database import transactions
from workspace.storage.database.row_builder import Builder, Prefetcher, make_builder

Row = TypeVar("Row")
Filler = Callable[[Mapping[str, Any]], Any]

# a placeholder for a time that is passed with each call as `moment`
MOMENT_PARAMETER = datetime(9000, 1, 1, tzinfo=UTC)
_MARK, _LIST_MARK = "\x1f", "\x1e"
# placeholders for numbers and for lists of numbers, within the range of a small column
_NUMBERS, _NUMBER_LISTS = range(32_700, 32_760), range(32_600, 32_660)
_PARAMETER = re.compile(f"{_MARK}([a-z]+)")
_PAGE_CLAUSE = " LIMIT %s OFFSET %s"


def parameter(name: str) -> str:
    """Return a placeholder for a string that is passed with each call under this name."""
    return f"{_MARK}{name}"


def list_parameter(name: str) -> list[str]:
    """Return a placeholder for a list of strings, for `__in`. The list of each call must not be empty."""
    return [f"{_LIST_MARK}{name}"]


def number_parameter(number: int) -> int:
    """Return a placeholder for a whole number. Each call passes it as `number` followed by `number` times an `i`."""
    return _NUMBERS[number]


def number_list_parameter(number: int) -> list[int]:
    """Return a placeholder for a list of whole numbers, for `__in`. See `number_parameter` for its name."""
    return [_NUMBER_LISTS[number]]


def date_parameter(number: int) -> date:
    """Return a placeholder for a date. See `time_parameter` for its name."""
    return time_parameter(number).date()


def time_parameter(number: int) -> datetime:
    """Return a placeholder for a time. Each call passes it as `moment` followed by `number` times an `i`."""
    return MOMENT_PARAMETER + timedelta(days=number)


class CompiledQuery(Generic[Row]):
    """A query that is compiled once per process.

    `build` returns the queryset. `annotate` adds data that is not needed for counting rows, such as columns of other
    tables.
    """

    def __init__(
        self,
        build: Callable[[], QuerySet[Any, Row]],
        annotate: Callable[[QuerySet[Any, Any]], QuerySet[Any, Any]] = lambda rows: rows,
    ) -> None:
        self._build_queryset, self._extend_queryset = build, annotate

    def fetch_rows(self, *, limit: int | None = None, offset: int = 0, **values: Any) -> list[Row]:
        """Run the query with these parameters and return its rows."""
        text, filled = self._sql.fill(values)
        if limit is not None:
            text, filled = text + _PAGE_CLAUSE, [*filled, limit, offset]
        build, built = self._builder, dict[tuple[int, Any], Any]()
        rows = [build(row, built) for row in transactions.fetch_rows(text, filled)]
        for prefetcher, children in self._prefetches if rows else ():
            if parents := prefetcher.list_parents(rows):
                prefetcher.attach(parents, children.fetch_rows(parents=[parent.pk for parent in parents]))
        return rows

    def fetch_first(self, **values: Any) -> Row | None:
        """Return the first row, or None."""
        found = self.fetch_rows(limit=1, **values)
        return found[0] if found else None

    def get_one(self, missing: str | Message, **values: Any) -> Row:
        """Return the only row. Raise NotFoundError with the message `missing` if there is none."""
        found = self.fetch_rows(**values)
        if not found:
            raise NotFoundError(missing)
        return found[0]

    def count_rows(self, **values: Any) -> int:
        """Return the number of rows."""
        [[number]] = transactions.fetch_rows(*self._count_sql.fill(values))
        return int(number)

    def fetch_page(self, *, limit: int, offset: int, **values: Any) -> tuple[list[Row], int]:
        """Return a page of rows and the total.

        A separate count query runs only if the page does not show the total.
        """
        found = self.fetch_rows(limit=limit, offset=offset, **values)
        if len(found) < limit and (found or not offset):
            return found, offset + len(found)
        return found, self.count_rows(**values)

    def find_parameters(self, values: Mapping[str, Any]) -> set[str]:
        """Return the names of these values that are parameters of the SQL."""
        found: set[str] = set()

        class Recorder(dict[str, Any]):
            def __getitem__(self, name: str) -> Any:
                found.add(name)
                return super().__getitem__(name)

        self._sql.fill(Recorder(values))
        return found

    @cached_property
    def known_relations(self) -> dict[Any, Any]:
        """The related rows that a related manager knows, keyed by foreign key: `account.menus` knows the account.

        See `compile_once`, which sets them."""
        known = self._query._known_related_objects.items()  # type: ignore[attr-defined]
        return {field: row for field, rows in known for row in rows.values()}

    @cached_property
    def _sql(self) -> _Sql:
        return _compile_sql(*self._compiler.as_sql())

    @cached_property
    def _count_sql(self) -> _Sql:
        bare = self._build_queryset().order_by().values_list(Value(1))
        compiled = _compile_sql(*bare.query.sql_with_params())
        return _Sql(f"SELECT COUNT(*) FROM ({compiled.text}) AS counted", compiled.fillers, compiled.lists)  # noqa: S608 - SQL generated by Django

    @cached_property
    def _query(self) -> QuerySet[Any, Row]:
        return self._extend_queryset(self._build_queryset())

    @cached_property
    def _compiler(self) -> Any:
        compiler = self._query.query.get_compiler(DEFAULT_DB_ALIAS)
        compiler.as_sql()  # sets the selected columns
        return compiler

    @cached_property
    def _builder(self) -> Builder:
        return make_builder(self._query, self._compiler)

    @cached_property
    def _prefetches(self) -> list[tuple[Prefetcher, CompiledQuery[Any]]]:
        lookups: Any = self._query._prefetch_related_lookups  # type: ignore[attr-defined]
        found = [Prefetcher(self._query.model, lookup) for lookup in lookups]
        return [(one, CompiledQuery(partial(one.filter_children, list_parameter("parents")))) for one in found]


@dataclass(frozen=True, slots=True)
class _Sql:
    """SQL with the functions that fill its parameters, and the names of the parameters that are lists."""

    text: str
    fillers: list[Filler]
    lists: list[str]

    def fill(self, values: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return the SQL and the values of its parameters."""
        filled = [fill(values) for fill in self.fillers]
        if not self.lists:
            return self.text, filled
        text, every = self.text, list[Any]()
        for name in self.lists:
            text = text.replace(f"{_LIST_MARK}{name}{_LIST_MARK}", ", ".join(["%s"] * len(values[name])), 1)
        for value in filled:
            every += value if isinstance(value, list) else (value,)
        return text, every


def _compile_sql(text: str, places: Sequence[Any]) -> _Sql:
    """Return the SQL with constant words inlined, and the functions that fill its remaining parameters.

    Otherwise, SQLite would plan the query again for each call if the plan depends on such a value, for example on
    whether a partial index can be used.
    """
    first, *rest = text.split("%s")
    said, fillers, lists = [first], list[Filler](), list[str]()
    for place, part in zip(places, rest, strict=True):
        if isinstance(place, str) and place.isascii() and place.isidentifier():
            said.append(f"'{place}'{part}")
        elif name := _find_list(place):
            said.append(f"{_LIST_MARK}{name}{_LIST_MARK}{part}")
            lists.append(name)
            fillers.append(_make_list_filler(name))
        else:
            said.append(f"%s{part}")
            fillers.append(_make_filler(place))
    return _Sql("".join(said), fillers, lists)


def _find_list(place: Any) -> str:
    """Return the name of the list whose placeholder this value is, or an empty string."""
    if isinstance(place, int) and place in _NUMBER_LISTS:  # psycopg uses subclasses of int
        return f"number{'i' * _NUMBER_LISTS.index(place)}"
    return place[1:] if isinstance(place, str) and place.startswith(_LIST_MARK) else ""


def _make_list_filler(name: str) -> Filler:
    def list_values(values: Mapping[str, Any]) -> list[Any]:
        found = list(values[name])
        if not found:
            raise ValueError("a list in a compiled query must not be empty")
        return found

    return list_values


def _make_filler(place: Any) -> Filler:
    """Return a function that takes a parameter's value from the call's values."""
    if name := _find_moment(place):
        is_date = not isinstance(place, datetime) and len(str(place)) == len("9000-01-01")
        adapt = connection.ops.adapt_datefield_value if is_date else connection.ops.adapt_datetimefield_value
        return lambda values: adapt(values[name])
    if isinstance(place, int) and place in _NUMBERS:
        return itemgetter(f"number{'i' * _NUMBERS.index(place)}")
    if not isinstance(place, str) or _MARK not in place:
        return lambda values: place
    if whole := _PARAMETER.fullmatch(place):
        return itemgetter(whole[1])
    # within a LIKE pattern
    return lambda values: _PARAMETER.sub(lambda found: connection.ops.prep_for_like_query(values[found[1]]), place)


def _find_moment(place: Any) -> str:
    """Return the name of the time or date whose placeholder this value is, or an empty string."""
    found = re.match(r"9000-01-(\d\d)(?: 00:00:00|$)", str(place)) if isinstance(place, str | date) else None
    return f"moment{'i' * (int(found[1]) - 1)}" if found else ""
