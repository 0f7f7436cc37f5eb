"""Check-in: a search over all products, with missing items for each person, and actions for them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard import device_storage
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.messages import UNKNOWN_ACTION
from workspace.dashboard.models import CheckinSetting
from workspace.dashboard.product_usage import count_items
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import build_page_decorator, call_tool, clean_text, page
from workspace.insights import checkin_search
from workspace.insights.checkin_search import CheckinLine, PersonResult
from workspace.lib import clock
from workspace.lib.errors import NotFoundError
from workspace.publishing import items
from workspace.publishing.checkin import CheckinState

HOME = "/app/check-in"
MAX_QUERY_LENGTH = 120
STATE_BADGES = {
    CheckinState.GOOD: (gettext_lazy("Ready"), "good"),
    CheckinState.SOON: (gettext_lazy("Check details"), "wait"),
    CheckinState.BAD: (gettext_lazy("Incomplete"), "bad"),
}
STATE_ICONS = {CheckinState.GOOD: "check", CheckinState.SOON: "warning", CheckinState.BAD: "close"}
_ID = re.compile(r"[a-z]+_[a-z0-9]{1,40}")


def _checkin_url(request: HttpRequest) -> str:
    q = clean_text(request.POST.get("q"), MAX_QUERY_LENGTH)
    return f"{HOME}?{urlencode({'q': q})}" if q else HOME


_action_page = build_page_decorator(list_path=HOME, id_arguments=(), find_parent_url=_checkin_url)


@page()
def checkin(request: SignedInRequest) -> HttpResponse:
    q, day = clean_text(request.GET.get("q"), MAX_QUERY_LENGTH), clock.today(request.account.time_zone)
    used = checkin_search.list_products_in_use(count_items(request.account))
    left_out = CheckinSetting.hidden_kinds_for(request.account) if used else []
    kinds = [product.key for product in used if product.key not in left_out]
    found = checkin_search.search_people(request.account, q, day, kinds)
    context = {
        "q": q,
        "day": day,
        "people": [_present_person(one) for one in found.people],
        "many": found.has_more,
        "mending": checkin_search.list_missing_items(request.account, day, kinds) if q and not found.people else [],
        "used": [(product, product.key in kinds) for product in used],
        "products": [product for product, _ in checkin_search.list_sources()],
        "kept": checkin_search.offline_lists(request.account, day, kinds) if not q else [],
    }
    return render(request, "dashboard/checkin.html", context)


@page()
def offline(request: SignedInRequest) -> HttpResponse:
    """Render the lists that a device shows while it is offline."""
    kinds = [product.key for product in checkin_search.list_products_in_use(count_items(request.account))]
    kept = checkin_search.offline_lists(request.account, clock.today(request.account.time_zone), kinds)
    return render(request, "dashboard/checkin_offline.html", {"kept": kept})


@page()
def service_worker(request: SignedInRequest) -> HttpResponse:
    return device_storage.service_worker_response("dashboard/checkin/worker.js")


def _present_person(result: PersonResult) -> dict[str, Any]:
    return {
        "name": result.name,
        "emails": list(result.emails.values()),
        "badge": STATE_BADGES[result.state],
        "lines": [_present_line(line) for line in result.lines],
    }


def _present_line(line: CheckinLine) -> dict[str, Any]:
    sources = checkin_search.list_sources()
    act = items.find_action(sources, line.product.key, line.known.act) if line.known else None
    return {
        "product": line.product,
        "known": line.known,
        "missing": line.missing,
        "kind": STATE_BADGES[line.state][1],
        "mark": STATE_ICONS[line.state],
        "act": act,
        "act_url": f"{HOME}/{line.product.key}/{line.known.id}/{act.name}" if act and line.known else "",
    }


@_action_page("POST")
def handle_action(request: SignedInRequest, kind: str, id: str, name: str) -> HttpResponse:
    """Run an action through its product's tool. The next page offers to undo it."""
    wanted = items.find_action(checkin_search.list_sources(), kind, name)
    if wanted is None or not _ID.fullmatch(id):
        raise NotFoundError(UNKNOWN_ACTION)
    call_tool(request, wanted.tool, **wanted.arguments(request.account, id))
    who = clean_text(request.POST.get("who"), MAX_QUERY_LENGTH)
    return redirect_with_message(
        request, f"{who}: {wanted.done_message}" if who else wanted.done_message, _checkin_url(request)
    )


@_action_page("POST")
def choose_shown_products(request: SignedInRequest) -> HttpResponse:
    """Choose which products appear at check-in.

    Products that the account starts to use later appear until they are deselected.
    """
    chosen = request.POST.getlist("counts")
    used = checkin_search.list_products_in_use(count_items(request.account))
    CheckinSetting.save_hidden_kinds(request.account, [product.key for product in used if product.key not in chosen])
    return redirect_with_message(request, gettext("Check-in settings saved."), _checkin_url(request))
