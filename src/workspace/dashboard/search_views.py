"""Search over items, submissions, commands, settings and help.

The dialog opened by Ctrl-K and the search page, which works without script, use the same part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.accounts.models import Account
from workspace.dashboard import navigation
from workspace.dashboard.navigation import NavItem
from workspace.dashboard.session import SignedInRequest, is_partial
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.insights import search_tools
from workspace.insights.search import find_newest_items
from workspace.lib.text import search_key
from workspace.owner_translation import OwnerText
from workspace.publishing import items
from workspace.publishing.manifest import SearchCommand

T = TypeVar("T")

MAX_QUERY_LENGTH = 200
MAX_ITEMS, MAX_GUESTS, MAX_PAGES = 8, 5, 5


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A search result."""

    title: OwnerText
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
            gettext("Items"),
            [
                SearchResult(
                    row["title"], urlsplit(row["page"]).path, _capitalize_noun(row["noun"]), icons[row["kind"]]
                )
                for row in own
            ],
        ),
        (
            gettext("Guests"),
            [SearchResult(row["title"], urlsplit(row["page"]).path, _format_note(row), "person") for row in left],
        ),
        (gettext("Actions"), _search_commands(request.account, q)[:MAX_PAGES]),
        (gettext("Settings and pages"), _search_pages(q, is_help=False)[:MAX_PAGES]),
        (gettext("Help"), _search_pages(q, is_help=True)[:MAX_PAGES]),
    ]


def _search_pages(q: str, *, is_help: bool) -> list[SearchResult]:
    """Return pages that contain all the words. Those whose title starts with the words come first."""
    pages = [page for page in navigation.list_searchable_pages() if page.is_help is is_help]
    icon = "help" if is_help else "right"
    return [
        SearchResult(page.title, page.url, "", icon)
        for page in _find_matches(q, pages, lambda page: page.title, lambda page: page.words)
    ]


def _search_commands(account: Account, q: str) -> list[SearchResult]:
    """Return commands that contain all the words. Each opens a page of its product's newest item."""
    found = _find_matches(q, navigation.list_commands(), lambda one: one[1].title, lambda one: one[1].words)
    newest = find_newest_items(account) if any(command.tab is not None for _, command in found) else {}
    return [
        SearchResult(command.title, _command_url(item, command, newest.get(item.product)), "", item.icon)
        for item, command in found
    ]


def _command_url(item: NavItem, command: SearchCommand, newest_id: str | None) -> str:
    if command.tab is None or newest_id is None:
        return f"{item.url}/new"
    return f"{item.url}/{newest_id}/{command.tab}".rstrip("/")


def _find_matches(
    q: str,
    candidates: Iterable[T],
    get_title: Callable[[T], OwnerText],
    get_words: Callable[[T], OwnerText],
) -> list[T]:
    """Return the candidates that contain all the words. Those whose title starts with the words come first."""
    wanted = search_key(q).split()
    found = []
    for number, candidate in enumerate(candidates):
        title, words = search_key(str(get_title(candidate))), search_key(str(get_words(candidate)))
        if all(term in f"{title} {words}" for term in wanted):
            is_late = (not title.startswith(search_key(q)), not all(term in title for term in wanted), number)
            found.append((is_late, candidate))
    return [candidate for _, candidate in sorted(found, key=lambda one: one[0])]


def _format_note(row: search_tools.SearchResult) -> str:
    return " · ".join(
        part for part in (_capitalize_noun(row["noun"]), row.get("email", ""), row.get("phone", "")) if part
    )


def _capitalize_noun(noun: str) -> str:
    return f"{noun[:1].upper()}{noun[1:]}"
