"""At the door: is this person covered, in two seconds and with one hand; and a list that needs no connection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.dashboard.item_presenters import moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, words
from workspace.lib import clock
from workspace.lib.text import fold
from workspace.products.waiver.api import signature_tools, tools
from workspace.products.waiver.dashboard.presenters import shown

FOUND = 40  # signatures that are looked at for a few letters
AT_ONCE, MOST = 200, 2_000
DAYS = ((1, "Today"), (7, "7 days"), (30, "30 days"), (365, "A year"))


@page()
def door(request: SignedInRequest) -> HttpResponse:
    waivers = call(request, tools.list_waivers)["items"]
    q, chosen = words(request.GET.get("q"), 200), _chosen(request, waivers)
    narrowed = {"waiver_id": chosen} if chosen else {}
    found = call(request, signature_tools.search, q=q, limit=FOUND, **narrowed)["items"] if q else []
    context = {
        "q": q,
        "people": people(request, found, {row["id"] for row in waivers}),
        "waivers": waivers,
        "chosen": chosen,
        "open": [row for row in waivers if row["accepting"] and (not chosen or row["id"] == chosen)],
    }
    return render(request, "waiver/owner/door.html", context)


def people(request: SignedInRequest, rows: Iterable[Mapping[str, Any]], listed: set[str]) -> list[dict[str, Any]]:
    """Of each person and waiver the signature that counts, or else the newest. `kind` is that of all of them, or wait
    where they differ."""
    each: dict[tuple[str, Any], dict[str, dict[str, Any]]] = {}
    for row in rows:
        if row["waiver_id"] in listed:
            theirs = each.setdefault((fold(row["participant"]), row["birth_year"]), {})
            if row["waiver_id"] not in theirs or (row["valid"] and not theirs[row["waiver_id"]]["valid"]):
                theirs[row["waiver_id"]] = shown(row, request.account.zone)
    return [_person(list(theirs.values())) for theirs in each.values()]


def _person(theirs: list[dict[str, Any]]) -> dict[str, Any]:
    kinds = {one["badge"][1] for one in theirs}
    counts = next((one for one in theirs if one["valid"]), None)
    kind = kinds.pop() if len(kinds) == 1 else "wait"
    said = {one["label"]: one for row in reversed(theirs) for one in row["flagged"]}
    return {**theirs[0], "waivers": theirs, "counts": counts, "kind": kind, "flagged": list(said.values())}


@page()
def offline(request: SignedInRequest) -> HttpResponse:
    """Those who are covered, in the order of their names: to print, or to look through where there is no connection."""
    waivers = call(request, tools.list_waivers)["items"]
    chosen = _chosen(request, waivers)
    days = next((days for days, _ in DAYS if str(days) == request.GET.get("days")), 30)
    since = clock.now() - timedelta(days=days)
    narrowed = {"waiver_id": chosen} if chosen else {}
    rows: list[Mapping[str, Any]] = []
    while len(rows) < MOST:
        some = call(request, signature_tools.search, state="valid", limit=AT_ONCE, offset=len(rows), **narrowed)
        recent = [row for row in some["items"] if (at := moment(row["signed_at"])) and at >= since]
        rows += recent
        if not some["has_more"] or len(recent) < some["count"]:
            break
    found = people(request, rows, {row["id"] for row in waivers})
    context = {
        "people": sorted(found, key=lambda one: fold(one["participant"])),
        "is_full": len(rows) >= MOST,
        "most": MOST,
        "waivers": waivers,
        "chosen": chosen,
        "title": next((row["title"] for row in waivers if row["id"] == chosen), ""),
        "days": days,
        "spans": DAYS,
        "now": clock.now(),
    }
    return render(request, "waiver/owner/list.html", context)


def _chosen(request: SignedInRequest, waivers: Iterable[Mapping[str, Any]]) -> str:
    return next((row["id"] for row in waivers if row["id"] == request.GET.get("waiver")), "")
