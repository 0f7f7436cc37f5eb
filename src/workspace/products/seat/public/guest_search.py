"""Find my table: a few letters of a name lead to a table. There is no list to look through, and no more hits than tell
one guest from another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workspace.lib.text import fold
from workspace.products.seat.models import Chart, Guest, Reply, Table

LEAST, LEAST_OF_WORDS, MOST = 3, 2, 8  # letters; of scripts whose signs are whole words; hits
LONGEST = 60
MOST_OF_A_NAME = 100  # guests whose names begin alike, that are compared
_WORDS = re.compile("[\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Hit:
    """A guest that matches. `table` is None when they have no table yet. `in_full`: the whole name was typed, so that
    showing it reveals nothing."""

    id: str
    name: str
    table: Table | None
    in_full: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """`short`: too few letters. `many`: too many guests match, and only names typed in full are among the hits."""

    hits: tuple[Hit, ...] = ()
    short: bool = False
    many: bool = False


def find(chart: Chart, typed: str) -> Found:
    """By the beginnings of the words of a name or a party, in any order."""
    words = fold(typed[:LONGEST]).split()
    letters = sum(char.isalnum() for word in words for char in word)
    if letters < (LEAST_OF_WORDS if _WORDS.search(typed) else LEAST):
        return Found(short=True)
    rows = chart.guests.exclude(reply=Reply.NO).filter(placeholder=False).select_related("table")
    for word in words:
        rows = rows.filter(search__contains=f" {word}")
    in_order = rows.order_by("sort_name", "id")
    found = list(in_order[: MOST + 1])
    many = len(found) > MOST
    if many:
        same = in_order.filter(search__startswith=f" {' '.join(words)} ")[:MOST_OF_A_NAME]
        found = [guest for guest in same if fold(guest.name).split() == words]
        found = found if len(found) <= MOST else []
    hits = tuple(Hit(one.pk, one.name, one.table, sorted(fold(one.name).split()) == sorted(words)) for one in found)
    return Found(hits, many=many)


def company_of(chart: Chart, table: Table | None) -> list[tuple[str, str]]:
    """Return id and name of everyone at a table, if the chart shows them."""
    if table is None or not chart.show_names:
        return []
    sitting = Guest.objects.filter(table=table, placeholder=False)
    return list(sitting.order_by("sort_name", "id").values_list("pk", "name"))
