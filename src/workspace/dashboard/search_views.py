"""Search over items, submissions, settings and help.

The same part is used in the dialog that Ctrl-K opens and on a separate page, which works without script.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard import navigation
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.insights import search_tools
from workspace.lib.text import search_key
from workspace.publishing import items

MAX_QUERY_LENGTH = 200
MAX_ITEMS, MAX_GUESTS, MAX_PAGES = 8, 5, 5


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A search result."""

    title: str
    url: str
    note: str
    icon: str


@page()
def search(request: SignedInRequest) -> HttpResponse:
    q = clean_text(request.GET.get("q"), MAX_QUERY_LENGTH)
    groups = [(title, hits) for title, hits in _search_items(request, q) if hits] if q else []
    context = {"q": q, "groups": groups, "pages": [] if q else _search_pages("", is_help=False)[:MAX_PAGES]}
    part = is_partial(request)
    return render(request, "dashboard/parts/search_results.html" if part else "dashboard/search.html", context)


def _search_items(request: SignedInRequest, q: str) -> list[tuple[str, list[SearchResult]]]:
    icons = {product.key: product.icon for product in items.list_manifests()}
    called = [
        *(one.kind for _, one in items.list_submission_sources()),
        *(one.kind for one in items.list_people_sources()),
    ]
    own = (
        call_tool(request, search_tools.search_account, q=q, kinds=list(icons), limit=MAX_ITEMS)["items"]
        if icons
        else []
    )
    left = (
        call_tool(request, search_tools.search_account, q=q, kinds=called, limit=MAX_GUESTS)["items"] if called else []
    )
    return [
        (
            "Yours",
            [
                SearchResult(
                    row["title"], urlsplit(row["page"]).path, _capitalize_noun(row["noun"]), icons[row["kind"]]
                )
                for row in own
            ],
        ),
        (
            "Guests",
            [SearchResult(row["title"], urlsplit(row["page"]).path, _format_note(row), "person") for row in left],
        ),
        ("Settings and pages", _search_pages(q, is_help=False)[:MAX_PAGES]),
        ("Help", _search_pages(q, is_help=True)[:MAX_PAGES]),
    ]


def _search_pages(q: str, *, is_help: bool) -> list[SearchResult]:
    """Return pages that contain all the words, those whose title starts with them first."""
    wanted = search_key(q).split()
    found = [
        (
            not search_key(place.title).startswith(search_key(q)),
            not all(term in search_key(place.title) for term in wanted),
            number,
            place,
        )
        for number, place in enumerate(navigation.list_searchable_pages())
        if place.is_help is is_help and all(term in search_key(f"{place.title} {place.words}") for term in wanted)
    ]
    return [
        SearchResult(place.title, place.url, "", "help" if is_help else "right")
        for *_, place in sorted(found, key=lambda one: one[:3])
    ]


def _format_note(row: search_tools.SearchResult) -> str:
    return " · ".join(
        part for part in (_capitalize_noun(row["noun"]), row.get("email", ""), row.get("phone", "")) if part
    )


def _capitalize_noun(noun: str) -> str:
    return f"{noun[:1].upper()}{noun[1:]}"
