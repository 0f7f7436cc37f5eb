"""Search over everything: things, what guests left, settings and help. The same part stands in the dialog that Ctrl-K
opens and on a page of its own, which works without script."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import navigation
from workspace.dashboard.session import SignedInRequest, is_part
from workspace.dashboard.tool_views import call, page, words
from workspace.insights import search_tools
from workspace.lib.text import fold
from workspace.publishing import items

LONGEST = 200
MOST_THINGS, MOST_GUESTS, MOST_PAGES = 8, 5, 5


@dataclass(frozen=True, slots=True)
class Hit:
    title: str
    url: str
    note: str
    icon: str


@page()
def search(request: SignedInRequest) -> HttpResponse:
    q = words(request.GET.get("q"), LONGEST)
    groups = [(title, hits) for title, hits in _found(request, q) if hits] if q else []
    context = {"q": q, "groups": groups, "pages": [] if q else _pages("", is_help=False)[:MOST_PAGES]}
    part = is_part(request)
    return render(request, "dashboard/parts/found.html" if part else "dashboard/search.html", context)


def _found(request: SignedInRequest, q: str) -> list[tuple[str, list[Hit]]]:
    icons = {product.key: product.icon for product in items.manifests()}
    called = [*(one.kind for _, one in items.arrivals()), *(one.kind for one in items.people())]
    own = call(request, search_tools.find, q=q, kinds=list(icons), limit=MOST_THINGS)["items"] if icons else []
    left = call(request, search_tools.find, q=q, kinds=called, limit=MOST_GUESTS)["items"] if called else []
    return [
        (
            "Yours",
            [Hit(row["title"], urlsplit(row["page"]).path, _said(row["noun"]), icons[row["kind"]]) for row in own],
        ),
        (
            "Guests",
            [Hit(row["title"], urlsplit(row["page"]).path, _about(row), "person") for row in left],
        ),
        ("Settings and pages", _pages(q, is_help=False)[:MOST_PAGES]),
        ("Help", _pages(q, is_help=True)[:MOST_PAGES]),
    ]


def _pages(q: str, *, is_help: bool) -> list[Hit]:
    """Those that hold all the words, those first whose title begins with them."""
    wanted = fold(q).split()
    found = [
        (
            not fold(place.title).startswith(fold(q)),
            not all(term in fold(place.title) for term in wanted),
            number,
            place,
        )
        for number, place in enumerate(navigation.places())
        if place.is_help is is_help and all(term in fold(f"{place.title} {place.words}") for term in wanted)
    ]
    return [
        Hit(place.title, place.url, "", "help" if is_help else "right")
        for *_, place in sorted(found, key=lambda one: one[:3])
    ]


def _about(row: search_tools.FoundRow) -> str:
    return " · ".join(part for part in (_said(row["noun"]), row.get("email", ""), row.get("phone", "")) if part)


def _said(noun: str) -> str:
    return f"{noun[:1].upper()}{noun[1:]}"
