"""What was done in the account: who, when, through what; found by person, product, kind of act, way and day, saved as a
table, and taken back where that can be."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts import activity_tools, change_log, permissions, plans, tool_scope
from workspace.accounts.activity_tools import ChangeRow
from workspace.accounts.dispatch import perform
from workspace.accounts.models.change import KEPT
from workspace.accounts.privacy.data_subjects import TOOL as ERASING
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page, whole_number, words
from workspace.interfaces.tool_catalog import CATALOGUE
from workspace.lib import clock
from workspace.publishing import items

HOME = "/app/activity"
ROWS = 50
MOST_CHOICES = 100
MOST_LINES = 20  # of what was before
LONGEST = {"who": 200, "product": 12, "tool": 64, "face": 10}
FACES = {
    "dashboard": "Dashboard",
    "mcp": "Assistant (MCP)",
    "api": "API or command line",
    "operator": "Whoever runs this installation",
}
OTHERS = {
    "members": "Members changed",
    "keys": "Keys changed",
    "connections": "Connections changed",
    "plans": "Plans chosen",
    "payments": "Payments connected",
    "closing": "Closing the account",
    permissions.SIGN_INS: "Sign-ins",
    ERASING: "A person erased",
}
WHOSE = {
    permissions.WHOLE: "The account",
    permissions.OWNERS: "The account, by an owner",
    permissions.SHARED: "Files and jobs",
    permissions.SIGN_INS: "Sign-in",
    tool_scope.PAYMENTS: "Payments",
    tool_scope.WEBHOOKS: "Webhooks",
    tool_scope.CALENDARS: "Calendars",
    tool_scope.CONTACTS: "Address books",
}


@page()
def activity(request: SignedInRequest) -> HttpResponse:
    asked: dict[str, Any] = {name: words(request.GET.get(name), most) for name, most in LONGEST.items()}
    asked = {name: text for name, text in asked.items() if text and (name != "face" or text in FACES)}
    day = _day(request.GET.get("day"))
    if day is not None:
        asked["day"] = day.isoformat()
    offset = whole_number(request.GET.get("offset"), 0, 0, 1_000_000)
    given = {"days": KEPT.days, "limit": ROWS, "offset": offset, **asked}
    found = perform(activity_tools.activity, request.caller, given).data
    known = items.things(request.account, {row["thing_id"] for row in found["items"] if row["thing_id"]})
    zone = request.account.zone
    context = {
        "listing": found,
        "rows": [_shown(row, known, zone) for row in found["items"]],
        "asked": asked,
        "choices": _choices(request, asked),
        "day": asked.get("day", ""),
        "today": clock.today(request.account.time_zone).isoformat(),
        "query": urlencode({"days": KEPT.days, **asked}),
        "limit": ROWS,
        "here": request.get_full_path(),
    }
    return render(request, "account_pages/activity.html", context)


def _shown(row: ChangeRow, known: dict[str, items.Thing], zone: Any) -> dict[str, Any]:
    thing = known.get(row["thing_id"])
    return {
        **row,
        "when": datetime.fromisoformat(row["at"]).astimezone(zone),
        "through": FACES.get(row["face"], row["face"]),
        "of": _product(row["product"]),
        "did": _did(row["tool"]),
        "text": change_log.plain(row["text"]),
        "why_not": "" if row["tool"] in OTHERS else row["why_not"],  # each of these lines would say the same
        "thing": {"title": thing.title, "url": f"{items.manifest(thing.kind).home}/{thing.id}"} if thing else None,
        "lines": change_log.before_lines({id: was for id, was in row["before"].items() if was})[:MOST_LINES],
    }


def _choices(request: SignedInRequest, asked: dict[str, Any]) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What may be chosen of each: what there is, by one query."""
    rows = activity_tools.within(request.caller).order_by()
    there = list(rows.values_list("who", "whose", "tool", "face").distinct()[: MOST_CHOICES * 10])
    columns = dict(zip(("who", "product", "tool", "face"), zip(*there, strict=True), strict=True)) if there else {}
    told = {"who": str, "product": _product, "tool": _did, "face": lambda face: FACES.get(face, face)}
    labels = {"who": "Who", "product": "Product", "tool": "What", "face": "Through"}
    return [
        (name, label, _options(columns.get(name, ()), told[name], asked.get(name, "")))
        for name, label in labels.items()
    ]


def _options(values: Iterable[str], told: Any, chosen: str) -> list[tuple[str, str]]:
    every = {*values, chosen} - {""}
    return sorted(((value, told(value)) for value in every), key=lambda one: one[1].casefold())[:MOST_CHOICES]


def _product(key: str) -> str:
    return plans.PRODUCTS[key].title if key in plans.PRODUCTS else WHOSE.get(key, key)


def _did(tool: str) -> str:
    known = CATALOGUE.by_name.get(tool)
    return known.title if known is not None else OTHERS.get(tool, tool)


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text and len(text) == 10 else None
    except ValueError:
        return None
