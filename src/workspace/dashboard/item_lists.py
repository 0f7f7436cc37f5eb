"""One list for all published things: a picture or its code, its name, what it leads to, one number with its change, its
state; a search line and chips where the product has them, pages, and a good empty state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from workspace.accounts.models import Account
from workspace.dashboard.tool_views import whole_number, words
from workspace.insights import overview
from workspace.lib.text import counted
from workspace.publishing import items

PAGE = 24
SORTS = (("", "Newest first"), ("name", "By name"), ("changed", "Last changed first"))
SEARCHED_FROM = 8  # things; fewer are seen at a glance
WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What the list says of a thing, beside its address and its state. `picture` is an address; without one stands its
    code. `number` is counted in `unit`s; `more` are words with the key of the tab that they lead to;
    `counts_visits` is false where the number tells something else; `shut` is why it is closed, in place of Live."""

    title: str
    about: str = ""
    picture: str = ""
    number: int = 0
    unit: str = "views"
    counts_visits: bool = True
    more: tuple[str, str] | None = None
    shut: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter: its words, its count, its address, and whether it is on."""

    label: str
    count: int | None
    url: str
    is_on: bool


def sorted_by(request: HttpRequest) -> str:
    """The order that the address asks for; empty for the newest first, as lists come."""
    given = request.GET.get("sort", "")
    return given if given in dict(SORTS) else ""


def asked(request: HttpRequest, *names: str) -> dict[str, Any]:
    """The part of the list that the address asks for, as arguments of a list tool: the page and, where the tool has
    them, the texts `names` (`q`, `folder`), those that are empty left out."""
    texts = {name: words(request.GET.get(name), 200) for name in names}
    offset = whole_number(request.GET.get("offset"), 0, 0, 10**8)
    return {"limit": PAGE, "offset": offset, **{name: text for name, text in texts.items() if text}}


def changes(account: Account, ids: Sequence[str]) -> dict[str, int]:
    """How many visits things had within a week, by id; only of those that had any."""
    found = items.things(account, ids)
    visited = overview.visited(account, overview.Period(WEEK, account.zone), found.values()) if found else {}
    told: dict[str, int] = {}
    for id, thing in found.items():
        one = visited.get((thing.kind, thing.publication_id))
        if one is not None and one.visits.now:
            told[id] = one.visits.now
    return told


def shown(rows: Iterable[tuple[Mapping[str, Any], Line]], changed: Mapping[str, int]) -> list[dict[str, Any]]:
    """Things as `things.shown` makes them, with their lines."""
    return [
        {
            **thing,
            "line": line,
            "badge": (line.shut, "wait") if line.shut and thing["state"] == "live" else thing["badge"],
            "change": _change(line, changed.get(thing["id"], 0)),
            "more": (line.more[0], f"{thing['url']}/{line.more[1]}") if line.more else None,
            "link": thing["public_url"].partition("://")[2],
        }
        for thing, line in rows
    ]


def _change(line: Line, visits: int) -> str:
    if not visits:
        return ""
    return f"+{visits:,} this week" if line.counts_visits else f"{counted(visits, 'view')} this week"
