"""At the door: one search over the products, what is missing of whom, and what is done about it by one press."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workspace.dashboard import device_storage
from workspace.dashboard.item_presenters import done
from workspace.dashboard.models import DoorChoice
from workspace.dashboard.product_usage import counted
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page, pages, words
from workspace.insights import checkin_search
from workspace.insights.checkin_search import Line, Somebody
from workspace.lib import clock
from workspace.lib.errors import NotFound
from workspace.publishing.checkin import Act, State

HOME = "/app/door"
LONGEST = 120
TOLD = {State.GOOD: ("Ready", "good"), State.SOON: ("Have a look", "wait"), State.BAD: ("Something is missing", "bad")}
MARKS = {State.GOOD: "check", State.SOON: "warning", State.BAD: "close"}
_ID = re.compile(r"[a-z]+_[a-z0-9]{1,40}")


def _back(request: HttpRequest) -> str:
    q = words(request.POST.get("q"), LONGEST)
    return f"{HOME}?{urlencode({'q': q})}" if q else HOME


_act = pages(home=HOME, ids=(), above=_back)


@page()
def door(request: SignedInRequest) -> HttpResponse:
    q, day = words(request.GET.get("q"), LONGEST), clock.today(request.account.time_zone)
    used = checkin_search.used(counted(request.account))
    left_out = DoorChoice.left_out_of(request.account) if used else []
    kinds = [product.key for product in used if product.key not in left_out]
    found = checkin_search.find(request.account, q, day, kinds)
    context = {
        "q": q,
        "day": day,
        "people": [_shown(one) for one in found.people],
        "many": found.many,
        "mending": checkin_search.mending(request.account, day, kinds) if q and not found.people else [],
        "used": [(product, product.key in kinds) for product in used],
        "products": [product for product, _ in checkin_search.doors()],
        "kept": checkin_search.kept(request.account, day, kinds) if not q else [],
    }
    return render(request, "dashboard/door.html", context)


@page()
def away(request: SignedInRequest) -> HttpResponse:
    """What a device shows where there is no connection."""
    kinds = [product.key for product in checkin_search.used(counted(request.account))]
    kept = checkin_search.kept(request.account, clock.today(request.account.time_zone), kinds)
    return render(request, "dashboard/door_away.html", {"kept": kept})


@page()
def worker(request: SignedInRequest) -> HttpResponse:
    return device_storage.worker("dashboard/door/worker.js")


def _shown(one: Somebody) -> dict[str, Any]:
    return {
        "name": one.name,
        "emails": list(one.emails.values()),
        "told": TOLD[one.state],
        "lines": [_line(line) for line in one.lines],
    }


def _line(line: Line) -> dict[str, Any]:
    act = _named(line.product.key, line.known.act) if line.known and line.known.act else None
    return {
        "product": line.product,
        "known": line.known,
        "missing": line.missing,
        "kind": TOLD[line.state][1],
        "mark": MARKS[line.state],
        "act": act,
        "act_url": f"{HOME}/{line.product.key}/{line.known.id}/{act.name}" if act and line.known else "",
    }


def _named(kind: str, name: str) -> Act | None:
    return next(
        (
            act
            for product, door in checkin_search.doors()
            if product.key == kind
            for act in door.acts
            if act.name == name
        ),
        None,
    )


@_act("POST")
def act(request: SignedInRequest, kind: str, id: str, name: str) -> HttpResponse:
    """Done by the product's tool; the next page offers to take it back."""
    wanted = _named(kind, name)
    if wanted is None or not _ID.fullmatch(id):
        raise NotFound("There is no such act")
    call(request, wanted.tool, **wanted.arguments(request.account, id))
    who = words(request.POST.get("who"), LONGEST)
    return done(request, f"{who}: {wanted.told}" if who else wanted.told, _back(request))


@_act("POST")
def choose(request: SignedInRequest) -> HttpResponse:
    """Which products count. One that is used later counts until it is left out."""
    chosen = request.POST.getlist("counts")
    used = checkin_search.used(counted(request.account))
    DoorChoice.keep(request.account, [product.key for product in used if product.key not in chosen])
    return done(request, "Saved what counts at the door.", _back(request))
