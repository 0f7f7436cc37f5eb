"""One list for all published things: a picture or its code, its name, what it leads to, one number with its change, its
state; a search line and chips where the product has them, pages, and a good empty state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from workspace.accounts.models import Account
from workspace.dashboard.tool_views import clean_text, parse_whole_number
from workspace.insights import overview
from workspace.lib.text import format_count
from workspace.publishing import items

PAGE_SIZE = 24
SORT_CHOICES = (("", "Newest first"), ("name", "By name"), ("changed", "Last changed first"))
MIN_ITEMS_FOR_SEARCH = 8  # things; fewer are seen at a glance
WEEK_DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    """What the list says of a thing, beside its address and its state. `picture` is an address; without one stands its
    code. `number` is counted in `unit`s; `more` are words with the key of the tab that they lead to; `counts_visits` is
    false where the number tells something else; `closed_reason` is why it is closed, in place of Live."""

    title: str
    about: str = ""
    picture: str = ""
    number: int = 0
    unit: str = "views"
    counts_visits: bool = True
    more: tuple[str, str] | None = None
    closed_reason: str = ""


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter: its words, its count, its address, and whether it is on."""

    label: str
    count: int | None
    url: str
    is_on: bool


def sort_order(request: HttpRequest) -> str:
    """The order that the address asks for; empty for the newest first, as lists come."""
    given = request.GET.get("sort", "")
    return given if given in dict(SORT_CHOICES) else ""


def list_arguments(request: HttpRequest, *names: str) -> dict[str, Any]:
    """The part of the list that the address asks for, as arguments of a list tool: the page and, where the tool has
    them, the texts `names` (`q`, `folder`), those that are empty left out."""
    texts = {name: clean_text(request.GET.get(name), 200) for name in names}
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    return {"limit": PAGE_SIZE, "offset": offset, **{name: text for name, text in texts.items() if text}}


def weekly_visits(account: Account, ids: Sequence[str]) -> dict[str, int]:
    """How many visits things had within a week, by id; only of those that had any."""
    found = items.get_items(account, ids)
    visited = overview.count_visits(account, overview.Period(WEEK_DAYS, account.zone), found.values()) if found else {}
    told: dict[str, int] = {}
    for id, thing in found.items():
        one = visited.get((thing.kind, thing.publication_id))
        if one is not None and one.visits.now:
            told[id] = one.visits.now
    return told


def present_items(
    rows: Iterable[tuple[Mapping[str, Any], ListItem]], changed: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Things as `things.shown` makes them, with their lines."""
    return [
        {
            **thing,
            "line": line,
            "badge": (line.closed_reason, "wait")
            if line.closed_reason and thing["state"] == "live"
            else thing["badge"],
            "change": _format_change(line, changed.get(thing["id"], 0)),
            "more": (line.more[0], f"{thing['url']}/{line.more[1]}") if line.more else None,
            "link": thing["public_url"].partition("://")[2],
        }
        for thing, line in rows
    ]


def _format_change(line: ListItem, visits: int) -> str:
    if not visits:
        return ""
    return f"+{visits:,} this week" if line.counts_visits else f"{format_count(visits, 'view')} this week"
