"""The activity page: all changes in the account, filtered, exported as a table, and undone.

Filters are person, product, tool, channel and day.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts import activity_tools, change_log, permissions, plans, product_scope
from workspace.accounts.activity_tools import ChangeData
from workspace.accounts.dispatch import execute_tool
from workspace.accounts.models.change import RETENTION
from workspace.accounts.privacy.data_subjects import TOOL_NAME as ERASING
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import clean_text, page, parse_whole_number
from workspace.interfaces.tool_catalog import CATALOG
from workspace.lib import clock
from workspace.owner_translation import owner_gettext, owner_gettext_lazy
from workspace.publishing import items

HOME = "/app/activity"
PAGE_SIZE = 50
MAX_CHOICES = 100
MAX_LINES = 20  # lines of previous values
MAX_LENGTHS = {"actor": 200, "product": 12, "tool": 64, "channel": 10}
CHANNEL_NAMES = {
    "dashboard": owner_gettext_lazy("Dashboard"),
    "mcp": owner_gettext_lazy("AI assistant (MCP)"),
    "api": owner_gettext_lazy("API or command line"),
    "operator": owner_gettext_lazy("Administrator"),
}
OTHER_CHANGE_TITLES = {
    "members": owner_gettext_lazy("Members changed"),
    "keys": owner_gettext_lazy("API keys changed"),
    "connections": owner_gettext_lazy("Connected apps changed"),
    "plans": owner_gettext_lazy("Plans changed"),
    "payments": owner_gettext_lazy("Payment providers changed"),
    "closing": owner_gettext_lazy("Account closure"),
    permissions.SIGN_INS: owner_gettext_lazy("Sign-ins"),
    ERASING: owner_gettext_lazy("Personal data erased"),
}
AREA_NAMES = {
    permissions.WHOLE_ACCOUNT: owner_gettext_lazy("Account"),
    permissions.OWNERS: owner_gettext_lazy("Account (owners only)"),
    permissions.SHARED: owner_gettext_lazy("Files and jobs"),
    permissions.SIGN_INS: owner_gettext_lazy("Sign-in"),
    product_scope.PAYMENTS: owner_gettext_lazy("Payments"),
    product_scope.WEBHOOKS: owner_gettext_lazy("Webhooks"),
    product_scope.CALENDARS: owner_gettext_lazy("Calendars"),
    product_scope.CONTACTS: owner_gettext_lazy("Address books"),
}


@page()
def activity(request: SignedInRequest) -> HttpResponse:
    texts: dict[str, Any] = {name: clean_text(request.GET.get(name), most) for name, most in MAX_LENGTHS.items()}
    texts = {name: text for name, text in texts.items() if text and (name != "channel" or text in CHANNEL_NAMES)}
    day = _parse_day(request.GET.get("day"))
    if day is not None:
        texts["day"] = day.isoformat()
    offset = parse_whole_number(request.GET.get("offset"), 0, 0, 1_000_000)
    given = {"days": RETENTION.days, "limit": PAGE_SIZE, "offset": offset, **texts}
    found = execute_tool(activity_tools.list_changes, request.caller, given).data
    known = items.get_items(request.account, {row["thing_id"] for row in found["items"] if row["thing_id"]})
    zone = request.account.zone
    context = {
        "listing": found,
        "rows": [_present_change(row, known, zone) for row in found["items"]],
        "asked": texts,
        "choices": _choices(request, texts),
        "day": texts.get("day", ""),
        "today": clock.today(request.account.time_zone).isoformat(),
        "query": urlencode({"days": RETENTION.days, **texts}),
        "limit": PAGE_SIZE,
        "here": request.get_full_path(),
    }
    return render(request, "account_pages/activity.html", context)


def _present_change(row: ChangeData, items_by_id: dict[str, items.Item], zone: Any) -> dict[str, Any]:
    item = items_by_id.get(row["thing_id"])
    return {
        **row,
        "when": datetime.fromisoformat(row["at"]).astimezone(zone),
        "through": CHANNEL_NAMES.get(row["channel"], row["channel"]),
        "of": _format_product(row["product"]),
        "did": _format_tool(row["tool"]),
        "text": change_log.first_line(row["text"]),
        "why_not": ""
        if row["tool"] in OTHER_CHANGE_TITLES
        else row["why_not"],  # the same reason would be repeated on each of these lines
        "thing": {"title": item.title, "url": f"{items.get_manifest(item.kind).home}/{item.id}"} if item else None,
        "lines": change_log.format_previous_values({id: was for id, was in row["before"].items() if was})[:MAX_LINES],
    }


def _choices(request: SignedInRequest, arguments: dict[str, Any]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the options of each filter: the values that occur, found with one query."""
    rows = activity_tools.visible_changes(request.caller).order_by()
    there = list(rows.values_list("actor_name", "area", "tool", "channel").distinct()[: MAX_CHOICES * 10])
    columns = dict(zip(("actor", "product", "tool", "channel"), zip(*there, strict=True), strict=True)) if there else {}
    filter_choices = {
        "actor": str,
        "product": _format_product,
        "tool": _format_tool,
        "channel": lambda channel: CHANNEL_NAMES.get(channel, channel),
    }
    labels = {
        "actor": owner_gettext("Member"),
        "product": owner_gettext("Product"),
        "tool": owner_gettext("Action"),
        "channel": owner_gettext("Channel"),
    }
    return [
        (name, label, _sort_options(columns.get(name, ()), filter_choices[name], arguments.get(name, "")))
        for name, label in labels.items()
    ]


def _sort_options(values: Iterable[str], options: Any, chosen: str) -> list[tuple[str, str]]:
    every = {*values, chosen} - {""}
    return sorted(((value, options(value)) for value in every), key=lambda one: one[1].casefold())[:MAX_CHOICES]


def _format_product(key: str) -> str:
    return plans.PRODUCTS[key].title if key in plans.PRODUCTS else str(AREA_NAMES.get(key, key))


def _format_tool(tool: str) -> str:
    known = CATALOG.by_name.get(tool)
    return known.title if known is not None else str(OTHER_CHANGE_TITLES.get(tool, tool))


def _parse_day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text and len(text) == 10 else None
    except ValueError:
        return None
