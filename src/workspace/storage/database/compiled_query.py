"""Queries that Django puts into words once.

To word one takes Django longer than the database takes to answer it, so what every call asks is worded at the first,
with places for the values that each call brings:

    _CODES = Statement(lambda: Code.objects.filter(account_id=given("account")).values_list("id", "name"))
    _CODES.rows(account=account.pk, limit=50)  # [("qr_01…", "Tables"), …]

Rows are tuples of what `values_list` names, as Django gives them, or models with what `select_related` brings along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet, Value
from django.db.models.query import ModelIterable, get_related_populators

from workspace.lib.errors import NotFoundError
from workspace.storage.database import transactions

Row = TypeVar("Row")
Filler = Callable[[dict[str, Any]], Any]

# stands for a moment that comes with each call, as its value `moment`
MOMENT_PARAMETER = datetime(9000, 1, 1, tzinfo=UTC)
_PARAMETER = re.compile("\x1f([a-z]+)")
_PAGE_CLAUSE = " LIMIT %s OFFSET %s"


def parameter(name: str) -> str:
    """Stands for a text that comes with each call, as the value of this name."""
    return f"\x1f{name}"


class CompiledQuery(Generic[Row]):
    """`words` makes the query, once in each process.

    What `shown` adds to it, such as columns of other tables, is left out where rows are counted."""

    def __init__(
        self,
        words: Callable[[], QuerySet[Any, Row]],
        shown: Callable[[QuerySet[Any, Any]], QuerySet[Any, Any]] = lambda rows: rows,
    ) -> None:
        self._build_queryset, self._extend_queryset = words, shown

    def fetch_rows(self, *, limit: int | None = None, offset: int = 0, **values: Any) -> list[Row]:
        text, places = self._sql
        filled = [fill(values) for fill in places]
        found = (
            transactions.fetch_rows(text, filled)
            if limit is None
            else transactions.fetch_rows(text + _PAGE_CLAUSE, [*filled, limit, offset])
        )
        return self._build_rows(found)

    def fetch_first(self, **values: Any) -> Row | None:
        found = self.fetch_rows(limit=1, **values)
        return found[0] if found else None

    def get_one(self, missing: str, **values: Any) -> Row:
        """Raises NotFoundError, which says that it is `missing`."""
        found = self.fetch_rows(**values)
        if not found:
            raise NotFoundError(missing)
        return found[0]

    def count_rows(self, **values: Any) -> int:
        """How many rows there are."""
        text, places = self._count_sql
        [[number]] = transactions.fetch_rows(text, [fill(values) for fill in places])
        return int(number)

    def fetch_page(self, *, limit: int, offset: int, **values: Any) -> tuple[list[Row], int]:
        """Some of the rows, and how many there are; these are counted only where the page does not tell."""
        found = self.fetch_rows(limit=limit, offset=offset, **values)
        if len(found) < limit and (found or not offset):
            return found, offset + len(found)
        return found, self.count_rows(**values)

    @cached_property
    def _sql(self) -> tuple[str, list[Filler]]:
        return _compile_sql(*self._compiler.as_sql())

    @cached_property
    def _count_sql(self) -> tuple[str, list[Filler]]:
        bare = self._build_queryset().order_by().values_list(Value(1))
        text, places = _compile_sql(*bare.query.sql_with_params())
        return f"SELECT COUNT(*) FROM ({text}) AS counted", places  # noqa: S608 - Django's own words

    @cached_property
    def _query(self) -> QuerySet[Any, Row]:
        return self._extend_queryset(self._build_queryset())

    @cached_property
    def _compiler(self) -> Any:
        compiler = self._query.query.get_compiler(DEFAULT_DB_ALIAS)
        compiler.as_sql()  # what it selects is known from here on
        return compiler

    @cached_property
    def _converters(self) -> Any:
        return self._compiler.get_converters([column for column, *_ in self._compiler.select])

    @cached_property
    def _row_builder(self) -> Callable[[Sequence[Any]], Any]:
        return _model_builder(self._compiler) if issubclass(self._query._iterable_class, ModelIterable) else tuple

    def _build_rows(self, found: list[Any]) -> list[Row]:
        rows = self._compiler.apply_converters(found, self._converters) if self._converters else found
        return list(map(self._row_builder, rows))


def _model_builder(compiler: Any) -> Callable[[Sequence[Any]], Any]:
    """As `ModelIterable` makes them."""
    info, select = compiler.klass_info, compiler.select
    begin, end = info["select_fields"][0], info["select_fields"][-1] + 1
    names = [column.target.attname for column, *_ in select[begin:end]]
    related = get_related_populators(info, select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # of a later Django
    annotated = list(compiler.annotation_col_map.items())

    def make(row: Sequence[Any]) -> Any:
        made = info["model"].from_db(DEFAULT_DB_ALIAS, names, row[begin:end])
        for populator in related:
            populator.populate(row, made)
        for name, place in annotated:
            setattr(made, name, row[place])
        return made

    return make


def _compile_sql(text: str, places: Sequence[Any]) -> tuple[str, list[Filler]]:
    """The words with the values that are always the same, where these are words too: SQLite would plan anew at each
    call what hangs on them, such as whether an index of some rows only will do."""
    first, *rest = text.split("%s")
    said, fillers = [first], []
    for place, part in zip(places, rest, strict=True):
        if isinstance(place, str) and place.isascii() and place.isidentifier():
            said.append(f"'{place}'{part}")
        else:
            said.append(f"%s{part}")
            fillers.append(_make_filler(place))
    return "".join(said), fillers


def _make_filler(place: Any) -> Filler:
    """What a call brings for a place of the statement, from its values by name."""
    if place in (MOMENT_PARAMETER, connection.ops.adapt_datetimefield_value(MOMENT_PARAMETER)):
        return lambda values: connection.ops.adapt_datetimefield_value(values["moment"])
    if not isinstance(place, str) or "\x1f" not in place:
        return lambda values: place
    if whole := _PARAMETER.fullmatch(place):
        return itemgetter(whole[1])
    # within a pattern
    return lambda values: _PARAMETER.sub(lambda found: connection.ops.prep_for_like_query(values[found[1]]), place)
