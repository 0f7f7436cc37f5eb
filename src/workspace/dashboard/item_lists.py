"""The list of items, which looks the same for all products.

Each item has a picture or QR code, its name, its destination, a number with its change, and its state. There are a
search field, filters, pages, and an empty state.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.accounts.models import Account
from workspace.dashboard.tool_views import clean_text, parse_whole_number
from workspace.insights import overview
from workspace.owner_translation import OwnerText
from workspace.publishing import items

PAGE_SIZE = 24
SORT_CHOICES = (
    ("", gettext_lazy("Newest first")),
    ("name", gettext_lazy("Name")),
    ("changed", gettext_lazy("Recently changed")),
)
MIN_ITEMS_FOR_SEARCH = 8  # items; fewer are visible at a glance
WEEK_DAYS = 7
_VIEWS = gettext_lazy("views")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListItem:
    """An item as shown in the list, in addition to its URL and state.

    `picture` is a URL; without it, the QR code is shown. `number` counts `unit`s. `more` is a label with the key of the
    tab that it links to. `counts_visits` is False if the number counts something other than visits. `closed_reason`
    replaces Live if the item is closed.
    """

    title: str
    about: OwnerText = ""
    picture: str = ""
    number: int = 0
    unit: OwnerText = _VIEWS
    counts_visits: bool = True
    more: tuple[OwnerText, str] | None = None
    closed_reason: OwnerText = ""


@dataclass(frozen=True, slots=True)
class FilterChip:
    """A filter: its label, its count, its URL, and whether it is active."""

    label: OwnerText
    count: int | None
    url: str
    is_on: bool


def parse_sort_order(request: HttpRequest) -> str:
    """Return the order given in the query, or "" for the default order, newest first."""
    given = request.GET.get("sort", "")
    return given if given in dict(SORT_CHOICES) else ""


def parse_list_arguments(request: HttpRequest, *names: str) -> dict[str, Any]:
    """Return arguments of a list tool from the query.

    These are the page and all non-empty parameters in `names` (`q`, `folder`).
    """
    texts = {name: clean_text(request.GET.get(name), 200) for name in names}
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 10**8)
    return {"limit": PAGE_SIZE, "offset": offset, **{name: text for name, text in texts.items() if text}}


def count_weekly_visits(account: Account, ids: Sequence[str]) -> dict[str, int]:
    """Return the number of visits in the last week, keyed by item id. Items without visits are omitted."""
    found = items.get_items(account, ids)
    visited = overview.count_visits(account, overview.Period(WEEK_DAYS, account.zone), found.values()) if found else {}
    visits_by_item: dict[str, int] = {}
    for id, item in found.items():
        one = visited.get((item.kind, item.publication_id))
        if one is not None and one.visits.now:
            visits_by_item[id] = one.visits.now
    return visits_by_item


def present_items(
    rows: Iterable[tuple[Mapping[str, Any], ListItem]], visits_by_id: Mapping[str, int]
) -> list[dict[str, Any]]:
    """Prepare items for the page, and add the ListItem of each item."""
    return [
        {
            **item,
            "line": line,
            "badge": (line.closed_reason, "wait") if line.closed_reason and item["state"] == "live" else item["badge"],
            "change": _format_change(line, visits_by_id.get(item["id"], 0)),
            "more": (line.more[0], f"{item['url']}/{line.more[1]}") if line.more else None,
            "link": item["public_url"].partition("://")[2],
        }
        for item, line in rows
    ]


def _format_change(line: ListItem, visits: int) -> str:
    if not visits:
        return ""
    return (
        gettext("+%(count)s this week") % {"count": f"{visits:,}"}
        if line.counts_visits
        else ngettext("%(count)s view this week", "%(count)s views this week", visits) % {"count": f"{visits:,}"}
    )
