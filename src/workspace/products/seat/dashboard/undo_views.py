"""Confirming an undo that affects many seats, with a list of the steps that it will undo."""

from __future__ import annotations

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, ngettext

from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest, redirect_full_page
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import ToolError
from workspace.products.seat.api import arrange_tools
from workspace.products.seat.dashboard.item_layout import LAYOUT
from workspace.products.seat.domain import change_step_text, change_steps
from workspace.products.seat.domain.queries import get_chart_with_counts
from workspace.products.seat.models import Chart, Step


def find_step_to_confirm(request: SignedInRequest, chart: Chart) -> Step | None:
    """Return the step to undo if the planner must confirm it first, or None.

    A step must be confirmed if it affects many guests or tables.
    """
    if request.POST.get("act") != "undo":
        return None
    step = change_steps.find_undo_step(chart, request.caller.actor_key)
    if (
        step is None
        or change_step_text.count_affected(step) <= change_step_text.CONFIRM_ABOVE
        or request.POST.get("sure") == str(step.pk)
    ):
        return None
    return step


def render_dialog(request: SignedInRequest, chart: Chart, step: Step) -> str:
    """Return the content of the dialog that asks for confirmation."""
    context = {"url": f"{LAYOUT.home}/{chart.pk}/act", "step": step, "title": _dialog_title(chart, step)}
    return render_to_string(
        "seat/owner/parts/undo.html", {**context, "text": _dialog_text(chart, step)}, request=request
    )


@page("GET", "HEAD", "POST")
def confirm_undo(request: SignedInRequest, id: str, step_id: int) -> HttpResponse:
    """Ask for confirmation on a separate page, for browsers without scripts."""
    chart = get_chart_with_counts(request.account, id)
    back = f"{LAYOUT.home}/{id}"
    step = change_steps.find_undo_step(chart, request.caller.actor_key)
    if step is None or step.pk != step_id:
        return redirect_full_page(request, back)
    title = _dialog_title(chart, step)
    if request.method != "POST":
        return render_confirmation(
            request, title=title, text=_dialog_text(chart, step), button=gettext("Undo change"), back=back
        )
    what = change_step_text.describe_step(chart, step)
    try:
        call_tool(request, arrange_tools.arrange, event_id=id, step="undo")
    except ToolError as refusal:
        return redirect_with_message(request, refusal.message, back)
    return redirect_with_message(request, gettext("Undone: %(change)s.") % {"change": what}, back)


def _dialog_title(chart: Chart, step: Step) -> str:
    return gettext("Undo “%(change)s”?") % {"change": change_step_text.describe_step(chart, step)}


def _dialog_text(chart: Chart, step: Step) -> str:
    named = change_step_text.list_names(chart, step)
    shown = ", ".join(named[: change_step_text.MAX_NAMES])
    more = len(named) - change_step_text.MAX_NAMES
    if not shown:
        return gettext("This affects everything that was removed.")
    if more <= 0:
        return gettext("This affects %(names)s.") % {"names": shown}
    text = ngettext("This affects %(names)s and %(count)s more.", "This affects %(names)s and %(count)s more.", more)
    return text % {"names": shown, "count": more}
