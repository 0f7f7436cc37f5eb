"""Check-in: a quick check whether a person is covered, and a list for use offline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_presenters import parse_time
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, clean_text, page
from workspace.lib import clock
from workspace.lib.text import search_key
from workspace.owner_translation import owner_gettext_lazy
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.dashboard.presenters import present_signature

MAX_RESULTS = 40  # signatures examined if only a few letters are given
BATCH_SIZE, MAX_SIGNATURES = 200, 2_000
DAY_CHOICES = (
    (1, owner_gettext_lazy("1 day")),
    (7, owner_gettext_lazy("7 days")),
    (30, owner_gettext_lazy("30 days")),
    (365, owner_gettext_lazy("1 year")),
)


@page()
def checkin(request: SignedInRequest) -> HttpResponse:
    waivers = call_tool(request, tools.list_waivers)["items"]
    q, chosen = clean_text(request.GET.get("q"), 200), _selected_waiver(request, waivers)
    narrowed = {"waiver_id": chosen} if chosen else {}
    signatures = call_tool(request, signature_tools.search, q=q, limit=MAX_RESULTS, **narrowed)["items"] if q else []
    context = {
        "q": q,
        "people": present_people(request, signatures, {row["id"] for row in waivers}),
        "waivers": waivers,
        "chosen": chosen,
        "open": [row for row in waivers if row["accepting"] and (not chosen or row["id"] == chosen)],
    }
    return render(request, "waiver/owner/checkin.html", context)


def present_people(
    request: SignedInRequest, rows: Iterable[Mapping[str, Any]], listed: set[str]
) -> list[dict[str, Any]]:
    """Prepare people with their signatures. For each waiver, use the valid signature or else the newest.

    `kind` is the state that all of a person's signatures have in common, or "wait" if they differ.
    """
    each: dict[tuple[str, Any], dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["waiver_id"] in listed:
            by_waiver = each.setdefault((search_key(row["participant"]), row["birth_year"]), {})
            if row["waiver_id"] not in by_waiver or (row["valid"] and not by_waiver[row["waiver_id"]]["valid"]):
                by_waiver[row["waiver_id"]] = present_signature(row, request.account.zone)
    return [_present_person(list(by_waiver.values())) for by_waiver in each.values()]


def _present_person(signatures: list[dict[str, Any]]) -> dict[str, Any]:
    kinds = {item["badge"][1] for item in signatures}
    counts = next((item for item in signatures if item["valid"]), None)
    kind = kinds.pop() if len(kinds) == 1 else "wait"
    data = {item["label"]: item for row in reversed(signatures) for item in row["flagged"]}
    return {**signatures[0], "waivers": signatures, "counts": counts, "kind": kind, "flagged": list(data.values())}


@page()
def offline_list(request: SignedInRequest) -> HttpResponse:
    """Show the covered people ordered by name, for printing or for searching while offline."""
    waivers = call_tool(request, tools.list_waivers)["items"]
    chosen = _selected_waiver(request, waivers)
    days = next((days for days, _ in DAY_CHOICES if str(days) == request.GET.get("days")), 30)
    since = clock.now() - timedelta(days=days)
    narrowed = {"waiver_id": chosen} if chosen else {}
    rows: list[Mapping[str, Any]] = []
    while len(rows) < MAX_SIGNATURES:
        some = call_tool(request, signature_tools.search, state="valid", limit=BATCH_SIZE, offset=len(rows), **narrowed)
        recent = [row for row in some["items"] if (at := parse_time(row["signed_at"])) and at >= since]
        rows += recent
        if not some["has_more"] or len(recent) < some["count"]:
            break
    results = present_people(request, rows, {row["id"] for row in waivers})
    context = {
        "people": sorted(results, key=lambda item: search_key(item["participant"])),
        "is_full": len(rows) >= MAX_SIGNATURES,
        "most": MAX_SIGNATURES,
        "waivers": waivers,
        "chosen": chosen,
        "title": next((row["title"] for row in waivers if row["id"] == chosen), ""),
        "days": days,
        "spans": DAY_CHOICES,
        "now": clock.now(),
    }
    return render(request, "waiver/owner/list.html", context)


def _selected_waiver(request: SignedInRequest, waivers: Iterable[Mapping[str, Any]]) -> str:
    return next((row["id"] for row in waivers if row["id"] == request.GET.get("waiver")), "")
