"""Auto-seating pages: obstacles by name, a search with its progress, moves to accept, and preferences."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.accounts.dispatch import execute_tool
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, clean_text, page, parse_whole_number
from workspace.delivery.jobs import tools as jobs_tools
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.products.seat import messages
from workspace.products.seat.api import arrange_tools, tools
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.dashboard.table_and_guest_views import describe_preference
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart, SolverRun

DURATION_CHOICES = (
    (5, gettext_lazy("5 seconds")),
    (15, gettext_lazy("15 seconds")),
    (30, gettext_lazy("30 seconds")),
    (60, gettext_lazy("1 minute")),
)
KIND_CHOICES = [
    ("together", gettext_lazy("Sit together")),
    ("apart", gettext_lazy("Sit apart")),
    ("near", gettext_lazy("Sit at this table")),
    ("away", gettext_lazy("Don’t sit at this table")),
]
WEIGHT_CHOICES = [
    ("nice", gettext_lazy("Nice to have")),
    ("wanted", gettext_lazy("Important")),
    ("must", gettext_lazy("Required")),
]


@page("GET", "HEAD", "POST")
def arrange(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the search options. A POST starts the search."""
    problem = ""
    if request.method == "POST":
        fields: dict[str, Any] = {"seconds": parse_whole_number(request.POST.get("seconds"), 5, 1, 60)}
        if text := request.POST.get("max_moves", "").strip():
            fields["max_moves"] = parse_whole_number(text, 0, 0, 10_000)
        fields |= {name: True for name in ("unseated_only", "split_parties", "prove_optimal") if request.POST.get(name)}
        try:
            result: Any = call_tool(request, arrange_tools.arrange, event_id=id, **fields)
        except ToolError as refusal:
            problem = refusal.message
        else:
            return redirect_full_page(request, f"{LAYOUT.home}/{id}/arrange/{result['job_id']}")
    return _render_arrange(request, id, problem)


def _render_arrange(request: SignedInRequest, id: str, problem: str = "", preference: str = "") -> HttpResponse:
    listing: Any = call_tool(request, tools.list_tables, event_id=id)
    chart = get_chart_with_counts(request.account, id)
    people = list(chart.guests.order_by("name"))
    parties = sorted({guest.party for guest in people if guest.party}, key=str.casefold)
    context = {
        "chart": listing["chart"],
        "obstacles": listing["obstacles"],
        "unseated": listing["unseated"],
        "problem": problem,
        "preference_problem": preference,
        "preferences": [{**item, "words": describe_preference(item)} for item in listing["preferences"]],
        "guests": [(guest.name, guest.party) for guest in people],
        "parties": parties,
        "tables": [(table["id"], table["name"]) for table in listing["items"]],
        "kinds": KIND_CHOICES,
        "weights": WEIGHT_CHOICES,
        "seconds": DURATION_CHOICES,
        "posted": request.POST,
        "last": SolverRun.objects.filter(chart=chart).order_by("-job__pk").first(),
    }
    return LAYOUT.render_item_page(
        request, id, "seat/owner/arrange.html", context, 422 if problem or preference else 200
    )


@page()
def show_search(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Show the progress of a search, and the moves that it proposes."""
    return LAYOUT.render_item_page(request, id, "seat/owner/search.html", _search_context(request, id, job_id))


@page()
def progress(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Render the part of the page that polls while the search runs."""
    context = {**_search_context(request, id, job_id), "thing": {"url": f"{LAYOUT.home}/{id}"}}
    return render(request, "seat/owner/parts/seating_result.html", context)


def _search_context(request: SignedInRequest, id: str, job_id: str) -> dict[str, Any]:
    chart = get_chart_with_counts(request.account, id)
    run = SolverRun.objects.filter(job=job_id, chart=chart).first()
    if run is None:  # the search was long ago
        return {"job": {"job_id": job_id}, "run": None, "over": True}
    job: Any = call_tool(request, jobs_tools.get, job_id=job_id)
    over = "ended_at" in job
    here = dict(chart.guests.values_list("pk", "table_id"))
    moves = arrange_tools.serialize_moves(chart, run.moves)
    open_ = [row for row in moves if (here.get(row["guest_id"]) or "") == row["from_id"]]
    share = 100 if over else round(100 * job["done"] / max(1, job["total"]))
    return {
        "job": job,
        "run": run,
        "over": over,
        "share": share,
        "moves": open_ if over else open_[:30],
        "more": 0 if over else max(0, len(open_) - 30),
        "accepted_count": len(moves) - len(open_),
        "seated_moves": sum(1 for row in open_ if row["from_id"]),
        "left": max(0.0, run.max_score - run.score) if run.max_score is not None and run.score is not None else None,
        "gained": None if run.score is None or run.initial_score is None else round(run.score - run.initial_score, 1),
        "is_stale": run.version != chart.version,
    }


@page("POST")
def accept_moves(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Accept the selected moves, the move whose button was pressed, or all moves."""
    get_chart_with_counts(request.account, id)
    chosen = request.POST.getlist("guest")[:500]
    only = request.POST.get("only", "")
    fields: dict[str, Any] = {} if "all" in request.POST else {"guest_ids": [only] if only else chosen}
    if fields.get("guest_ids") == []:
        return redirect_with_message(
            request, gettext("Select the moves to apply, or apply all."), f"{LAYOUT.home}/{id}/arrange/{job_id}"
        )
    result: Any = call_tool(request, arrange_tools.arrange, event_id=id, apply_job_id=job_id, **fields)
    moved = result["moved"]
    head = ngettext("%(count)s guest moved.", "%(count)s guests moved.", moved) % {"count": moved}
    text = " ".join([head, *(row["why"] for row in result["refused"][:5])])
    return redirect_with_message(request, text, f"{LAYOUT.home}/{id}" + (f"/arrange/{job_id}" if only else ""))


@page("POST")
def stop_search(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    get_chart_with_counts(request.account, id)
    call_tool(request, jobs_tools.stop, job_id=job_id)
    return redirect_full_page(request, f"{LAYOUT.home}/{id}/arrange/{job_id}")


@page("POST")
def edit_preferences(request: SignedInRequest, id: str) -> HttpResponse:
    """Add or remove a preference."""
    chart = get_chart_with_counts(request.account, id)
    if removed := request.POST.get("remove"):
        call_tool(request, tools.edit, event_id=id, remove=[removed])
        return redirect_with_message(request, gettext("Preference removed."), f"{LAYOUT.home}/{id}/arrange#preferences")
    try:
        execute_tool(tools.edit, request.caller, {"event_id": id, "preferences": [_parse_preference(request, chart)]})
    except ToolError as refusal:
        issues = getattr(refusal, "issues", ())
        return _render_arrange(request, id, preference=issues[0].message if issues else refusal.message)
    return redirect_with_message(request, gettext("Preference added."), f"{LAYOUT.home}/{id}/arrange#preferences")


def _parse_preference(request: SignedInRequest, chart: Chart) -> dict[str, Any]:
    kind = request.POST.get("kind", "")
    first = _resolve_name(chart, request.POST.get("one", ""))
    fields: dict[str, Any] = {"kind": kind, "weight": request.POST.get("weight", "wanted")}
    if kind in ("near", "away"):
        return {**fields, "between": [first], "table_id": request.POST.get("table", "")}
    return {**fields, "between": [first, _resolve_name(chart, request.POST.get("other", ""))]}


def _resolve_name(chart: Chart, typed: str) -> str:
    """Return the guest's id for a name, or the name of a party unchanged.

    Raise InvalidInputError if the name is empty, unknown or ambiguous.
    """
    typed = clean_text(typed, 120)
    if not typed:
        raise InvalidInputError.at_path("between", messages.GUEST_NAME_NEEDED)
    guests = list(chart.guests.filter(name__iexact=typed)[:2])
    if len(guests) == 1:
        return guests[0].pk
    if chart.guests.filter(party__iexact=typed).exists():
        return typed
    if guests:
        raise InvalidInputError.at_path("between", messages.GUEST_NAME_AMBIGUOUS(name=typed))
    raise InvalidInputError.at_path("between", messages.GUEST_NAME_UNKNOWN(name=typed))
