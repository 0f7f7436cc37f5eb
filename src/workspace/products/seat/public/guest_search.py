"""Find my table: a few letters of a name lead to a table.

Guests cannot browse a list, and see only as many matches as they need to tell guests apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workspace.lib.text import search_key
from workspace.products.seat.models import Chart, Guest, Reply, Table

MIN_LETTERS, MIN_CJK_LETTERS, MAX_HITS = 3, 2, 8  # letters; letters if characters are whole words; matches
MAX_QUERY_LENGTH = 60
MAX_NAMESAKES = 100  # guests with the same beginning of a name to compare
_CJK_PATTERN = re.compile("[\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A guest who matches.

    `table` is None if they have no table yet. `is_full_name` means that the whole name was typed, so showing it reveals
    nothing.
    """

    id: str
    name: str
    table: Table | None
    is_full_name: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search.

    `is_too_short` means that there are too few letters. `has_too_many` means that too many guests match, and only those
    whose names were typed in full are among the hits.
    """

    hits: tuple[SearchHit, ...] = ()
    is_too_short: bool = False
    has_too_many: bool = False


def search_guests(chart: Chart, typed: str) -> SearchResult:
    """Find guests by the first letters of words in a name or a party. Words may be in any order."""
    words = search_key(typed[:MAX_QUERY_LENGTH]).split()
    letters = sum(char.isalnum() for word in words for char in word)
    if letters < (MIN_CJK_LETTERS if _CJK_PATTERN.search(typed) else MIN_LETTERS):
        return SearchResult(is_too_short=True)
    rows = chart.guests.exclude(reply=Reply.NO).filter(placeholder=False).select_related("table")
    for word in words:
        rows = rows.filter(search__contains=f" {word}")
    in_order = rows.order_by("sort_name", "id")
    guests = list(in_order[: MAX_HITS + 1])
    many = len(guests) > MAX_HITS
    if many:
        same = in_order.filter(search__startswith=f" {' '.join(words)} ")[:MAX_NAMESAKES]
        guests = [guest for guest in same if search_key(guest.name).split() == words]
        guests = guests if len(guests) <= MAX_HITS else []
    hits = tuple(
        SearchHit(guest.pk, guest.name, guest.table, sorted(search_key(guest.name).split()) == sorted(words))
        for guest in guests
    )
    return SearchResult(hits, has_too_many=many)


def list_tablemates(chart: Chart, table: Table | None) -> list[tuple[str, str]]:
    """Return the ids and names of all guests at a table, or nothing if the chart does not show names."""
    if table is None or not chart.show_names:
        return []
    sitting = Guest.objects.filter(table=table, placeholder=False)
    return list(sitting.order_by("sort_name", "id").values_list("pk", "name"))
