"""Find my table: a few letters of a name lead to a table. There is no list to look through, and no more hits than tell
one guest from another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workspace.products.seat.models import Chart, Guest, Reply, Table
from workspace.toolkit.text import fold

LEAST, LEAST_OF_WORDS, MOST = 3, 2, 8  # letters; of scripts whose signs are whole words; hits
LONGEST = 60
_WORDS = re.compile("[\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Hit:
    """Somebody who was found. `table` is None for who has none yet; `others`: who sits with them."""

    name: str
    table: Table | None
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """`short`: too few letters; `many`: more than are told."""

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
    found = list(rows.order_by("sort_name", "id")[: MOST + 1])
    many = len(found) > MOST
    others = _others(found[:MOST]) if chart.show_names else {}
    hits = tuple(
        Hit(guest.name, guest.table, tuple(name for id, name in others.get(guest.table_id or "", []) if id != guest.pk))
        for guest in found[:MOST]
    )
    return Found(hits, many=many)


def _others(found: list[Guest]) -> dict[str, list[tuple[str, str]]]:
    sitting = Guest.objects.filter(table__in={guest.table_id for guest in found if guest.table_id}, placeholder=False)
    told: dict[str, list[tuple[str, str]]] = {}
    for id, name, table in sitting.order_by("sort_name", "id").values_list("pk", "name", "table_id"):
        told.setdefault(table, []).append((id, name))
    return told
