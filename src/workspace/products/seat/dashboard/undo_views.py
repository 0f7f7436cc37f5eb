"""Undo of many seats at once: name what will be undone, and ask first."""

from __future__ import annotations

from django.http import HttpResponse
from django.template.loader import render_to_string

from workspace.dashboard.item_presenters import ask, done
from workspace.dashboard.session import SignedInRequest, redirect_whole
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import Refusal
from workspace.products.seat.api import arrange_tools
from workspace.products.seat.dashboard.layout import FRAME
from workspace.products.seat.domain import change_steps, step_text
from workspace.products.seat.domain.queries import chart_of
from workspace.products.seat.models import Chart, Step


def large_step(request: SignedInRequest, chart: Chart) -> Step | None:
    """Return the step that Undo would undo, if it touches many guests or tables and the planner has not agreed."""
    if request.POST.get("act") != "undo":
        return None
    step = change_steps.to_undo(chart, request.caller.actor)
    if step is None or step_text.size(step) <= step_text.MANY or request.POST.get("sure") == str(step.pk):
        return None
    return step


def dialog(request: SignedInRequest, chart: Chart, step: Step) -> str:
    """Return the content of the dialog that asks."""
    context = {"url": f"{FRAME.home}/{chart.pk}/act", "step": step, "title": _title(chart, step)}
    return render_to_string("seat/parts/undo.html", {**context, "text": _text(chart, step)}, request=request)


@page("GET", "HEAD", "POST")
def undo(request: SignedInRequest, id: str, step_id: int) -> HttpResponse:
    """The same question as a page, for people without script."""
    chart = chart_of(request.account, id)
    back = f"{FRAME.home}/{id}"
    step = change_steps.to_undo(chart, request.caller.actor)
    if step is None or step.pk != step_id:
        return redirect_whole(request, back)
    title = _title(chart, step)
    if request.method != "POST":
        return ask(request, title=title, text=_text(chart, step), button="Undo", back=back)
    what = step_text.action(chart, step)
    try:
        call(request, arrange_tools.arrange, event_id=id, step="undo")
    except Refusal as refusal:
        return done(request, refusal.message, back)
    return done(request, f"Taken back: {what}", back)


def _title(chart: Chart, step: Step) -> str:
    return f"Undo {step_text.action(chart, step)}?"


def _text(chart: Chart, step: Step) -> str:
    named = step_text.names(chart, step)
    shown = ", ".join(named[: step_text.MOST_NAMES])
    more = len(named) - step_text.MOST_NAMES
    who = f"{shown} and {more} more" if more > 0 else shown
    return f"This affects {who}." if who else "This affects everything that was removed."
