"""Auto-seating on the floor plan: a proposal drawn as ghost chairs, with a summary and the exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page, parse_whole_number
from workspace.delivery.jobs import tools as jobs_tools
from workspace.lib.errors import ConflictError, ToolError
from workspace.products.seat.api import arrange_tools, tools
from workspace.products.seat.dashboard import plan_data, plan_views, preference_form
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import solver_snapshot
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart, SolverRun

DEFAULT_SECONDS = 3
DURATION_CHOICES = (
    (3, gettext_lazy("3 seconds")),
    (15, gettext_lazy("15 seconds")),
    (30, gettext_lazy("30 seconds")),
    (60, gettext_lazy("1 minute")),
)
FLAGS = ("unseated_only", "split_parties", "prove_optimal")


@page("GET", "HEAD", "POST")
def arrange(request: SignedInRequest, id: str) -> HttpResponse:
    """Show the rules and the options next to the plan. A POST starts a search."""
    chart = get_chart_with_counts(request.account, id)
    if request.method != "POST":
        return _render_plan(request, chart)
    fields: dict[str, Any] = {"seconds": parse_whole_number(request.POST.get("seconds"), DEFAULT_SECONDS, 1, 60)}
    if text := request.POST.get("max_moves", "").strip():
        fields["max_moves"] = parse_whole_number(text, 0, 0, 10_000)
    if balance := _parse_balance(request):
        fields["balance"] = balance
    fields |= {name: True for name in FLAGS if request.POST.get(name)}
    try:
        result: Any = call_tool(request, arrange_tools.arrange, event_id=id, **fields)
    except ToolError as refusal:
        if plan_views.is_script_request(request):
            return JsonResponse({"problem": refusal.message}, status=422)
        return _render_plan(request, chart, problem=refusal.message)
    url = _search_url(chart, result["job_id"])
    return JsonResponse({"url": url}) if plan_views.is_script_request(request) else redirect_full_page(request, url)


def _parse_balance(request: SignedInRequest) -> int:
    """Return the position of the slider, from -100 to 100."""
    text = request.POST.get("balance", "").strip()
    size = parse_whole_number(text.removeprefix("-"), 0, 0, 100)
    return -size if text.startswith("-") else size


def _search_url(chart: Chart, job_id: str) -> str:
    return f"{LAYOUT.home}/{chart.pk}/arrange/{job_id}"


def _render_plan(
    request: SignedInRequest,
    chart: Chart,
    *,
    problem: str = "",
    preference_problem: str = "",
    proposal: dict[str, Any] | None = None,
) -> HttpResponse:
    """Render the plan with the auto-seating column."""
    shown = plan_data.build_plan(chart, proposed=_list_proposed_tables(proposal) if proposal else None)
    guests, tables, preferences = shown.people, shown.standing_tables, shown.preferences
    snapshot = None if proposal else solver_snapshot.build_snapshot(chart, tables, guests, preferences)
    options = proposal["run"].options if proposal and proposal["run"] else {}
    context = {
        **plan_views.build_context(request, chart, shown),
        "is_list_open": False,
        "problem": problem,
        "obstacles": solver_snapshot.describe_obstacles(snapshot) if snapshot else [],
        "seconds": DURATION_CHOICES,
        "posted": request.POST or options,
        **preference_form.build_context(request, guests, tables, preferences),
        "preference_problem": preference_problem,
        "last": None if proposal else SolverRun.objects.filter(chart=chart).order_by("-job__pk").first(),
        **({"proposal": proposal, "job_url": proposal["url"]} if proposal else {}),
    }
    status = 422 if problem or preference_problem else 200
    return LAYOUT.render_page(request, chart, "seat/owner/arrange.html", context, status)


@page()
def show_search(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Show the arrangement that a search proposes on the plan."""
    chart = get_chart_with_counts(request.account, id)
    return _render_plan(request, chart, proposal=_read_proposal(request, chart, job_id))


@page()
def progress(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Return the current proposal, as rendered parts that the page's script inserts."""
    chart = get_chart_with_counts(request.account, id)
    proposal = _read_proposal(request, chart, job_id)
    shown = plan_data.build_plan(chart, proposed=_list_proposed_tables(proposal))
    return JsonResponse(
        {
            "over": proposal["over"],
            "result": render_to_string("seat/owner/parts/proposal.html", {"proposal": proposal}, request),
            "tables": plan_views.draw_items(shown),
        }
    )


def _list_proposed_tables(proposal: Mapping[str, Any]) -> dict[str, str]:
    """Return the id of the proposed table for each guest who would move."""
    return {row["guest_id"]: row["to_id"] for row in proposal["moves"]}


def _read_proposal(request: SignedInRequest, chart: Chart, job_id: str) -> dict[str, Any]:
    """Return what accepting a search would do now, from a dry run of the tool."""
    proposal: dict[str, Any] = {"url": _search_url(chart, job_id), "run": None, "over": True, "moves": []}
    proposal |= {"refused": [], "summary": None}
    run = SolverRun.objects.filter(job=job_id, chart=chart).first()
    if run is None:  # the search was long ago
        return proposal
    job: Any = call_tool(request, jobs_tools.get, job_id=job_id)
    over = "ended_at" in job
    proposal |= {"run": run, "over": over, "version": chart.version}
    proposal["share"] = 100 if over else round(100 * job["done"] / max(1, job["total"]))
    if not run.has_solution:
        return proposal
    tried: Any = call_tool(request, arrange_tools.arrange, event_id=chart.pk, apply_job_id=job_id, dry_run=True)
    return proposal | {name: tried[name] for name in ("moves", "refused", "summary")}


@page("POST")
def accept_moves(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    """Accept all moves of the displayed proposal, or only the selected ones."""
    url = _search_url(get_chart_with_counts(request.account, id), job_id)
    fields: dict[str, Any] = {} if "all" in request.POST else {"guest_ids": request.POST.getlist("guest")[:500]}
    if fields.get("guest_ids") == []:
        return redirect_with_message(request, gettext("Select moves, or keep the whole plan."), url)
    if version := parse_whole_number(request.POST.get("version"), 0, 0, 2**31 - 1):
        fields["version"] = version
    try:
        result: Any = call_tool(request, arrange_tools.arrange, event_id=id, apply_job_id=job_id, **fields)
    except ConflictError:
        text = gettext("Someone has changed the chart since this plan was shown. Check the plan again.")
        return redirect_with_message(request, text, url)
    moved = result["moved"]
    head = ngettext("%(count)s guest moved.", "%(count)s guests moved.", moved) % {"count": moved}
    return redirect_with_message(
        request, " ".join([head, *(row["why"] for row in result["refused"][:5])]), f"{LAYOUT.home}/{id}"
    )


@page("POST")
def stop_search(request: SignedInRequest, id: str, job_id: str) -> HttpResponse:
    chart = get_chart_with_counts(request.account, id)
    call_tool(request, jobs_tools.stop, job_id=job_id)
    return redirect_full_page(request, _search_url(chart, job_id))


@page("POST")
def edit_preferences(request: SignedInRequest, id: str) -> HttpResponse:
    """Add, change or remove a rule."""
    chart = get_chart_with_counts(request.account, id)
    back = f"{LAYOUT.home}/{id}/arrange#preferences"
    if removed := request.POST.get("remove"):
        call_tool(request, tools.edit, event_id=id, remove=[removed])
        return redirect_with_message(request, gettext("Rule removed."), back)
    changed = {"id": request.POST["id"]} if request.POST.get("id") else {}
    try:
        fields = preference_form.parse_preference(request, chart)
        call_tool(request, tools.edit, event_id=id, preferences=[{**fields, **changed}])
    except ToolError as refusal:
        return _render_plan(request, chart, preference_problem=refusal.short_message)
    return redirect_with_message(request, gettext("Rule saved.") if changed else gettext("Rule added."), back)
