"""Search for rows that mention a person in their text.

A query finds candidates, and the text of each is then checked in detail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import CharField, F, Func, JSONField, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce, Replace

from workspace.lib.data_subject import DataSubject
from workspace.storage.journal import list_secret_fields

MAX_ROWS = 1000  # maximum number of rows of one table at a time; the rest is found after these are erased
_IDS_PER_QUERY = 50
# Characters between the digits of a number, including JSON and URL escapes. Python evaluates it for SQLite, and
# PostgreSQL itself.
_DIGIT_GAP = r"([^0-9A-Za-z]|\\u[0-9a-f]{4}|\\n|%20){0,4}"


class _ConcatenatedText(Func):
    """A concatenation of columns. The expression is flat, because SQLite's parser limits nesting."""

    template, arg_joiner = "(%(expressions)s)", " || "
    output_field = TextField()


@dataclass(frozen=True)
class MentionMatcher:
    """Patterns that identify a person: their contact data, and the ids of their rows that will be deleted."""

    subject: DataSubject
    ids: frozenset[str] = frozenset()
    _id_pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_id_pattern", re.compile("|".join(map(re.escape, sorted(self.ids))) or "(?!)"))

    def matches(self, value: Any) -> bool:
        return self.subject.is_named_in(value) or (bool(self.ids) and self._has_id(value))

    def _has_id(self, value: Any) -> bool:
        if isinstance(value, str):
            return self._id_pattern.search(value) is not None
        if isinstance(value, dict):
            return any(map(self._has_id, value)) or any(map(self._has_id, value.values()))
        return isinstance(value, (list, tuple)) and any(map(self._has_id, value))


def text_columns(model: type[Model]) -> tuple[str, ...]:
    """Return all columns of a model that contain free text."""
    secret = list_secret_fields(model)
    return tuple(
        column.name
        for column in model._meta.concrete_fields
        if isinstance(column, (CharField, TextField, JSONField))
        and not (column.primary_key or column.choices or column.is_relation)
        and column.name not in secret
    )


def find_mentions(rows: QuerySet[Any], columns: Sequence[str], trace: MentionMatcher) -> list[Any]:
    """Return at most MAX_ROWS rows where a column mentions the person or an id."""
    found: dict[Any, Any] = {}
    for wanted in _build_queries(columns, trace):
        for row in wanted(rows)[:MAX_ROWS]:
            if row.pk not in found and any(trace.matches(getattr(row, name)) for name in columns):
                found[row.pk] = row
    return list(found.values())[:MAX_ROWS]


def _build_queries(columns: Sequence[str], trace: MentionMatcher) -> Iterator[Any]:
    text = _ConcatenatedText(*(Coalesce(Cast(F(name), TextField()), _text_value("")) for name in columns))
    spelled, tail = trace.subject.search_terms()
    if spelled:
        condition = Q()
        for needle in spelled:
            condition |= Q(_bare__icontains=needle)
        bare = Replace(text, _text_value("\\"), _text_value(""))
        yield lambda rows: rows.alias(_bare=bare).filter(condition)
    if tail:
        yield lambda rows: rows.alias(_text=text).filter(_text__regex=_DIGIT_GAP.join(tail))
    ids = sorted(trace.ids)
    for start in range(0, len(ids), _IDS_PER_QUERY):
        one_of = Q()
        for id in ids[start : start + _IDS_PER_QUERY]:
            one_of |= Q(_text__contains=id)
        yield lambda rows, one_of=one_of: rows.alias(_text=text).filter(one_of)


def _text_value(text: str) -> Value:
    return Value(text, output_field=TextField())
