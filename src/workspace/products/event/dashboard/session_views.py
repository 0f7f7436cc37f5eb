"""The page of a session with all of its fields."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext

from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.event.api import part_tools, tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    row = next((item for item in event["schedule"] if item["id"] == session), None)
    if row is None:
        raise Http404
    names = [speaker["name"] for speaker in row["speakers"]]
    form = ToolForm(
        part_tools.save_sessions,
        request,
        fixed={"event_id": id},
        entry="items",
        entry_fixed={"id": session},
        editing=True,
        initial={**row, "speakers": names},
    )
    if form.is_bound:
        form.values["speakers"] = [
            name.strip() for name in request.POST.get("_speakers", "").splitlines() if name.strip()
        ]
    day = next(item["id"] for item in event["day_list"] if item["date"] == row["day"])
    back = f"{LAYOUT.home}/{id}?day={day}"
    if form.submit(request.caller):
        return redirect_with_message(request, gettext("Session saved."), back)
    context: dict[str, Any] = {
        "form": form,
        "row": row,
        "program": event,
        "names": "\n".join(form.get_field("speakers").texts),
        "days": [
            (day["date"], f"{day['long']}{' · ' if day['label'] else ''}{day['label']}")
            for day in presenters.present_days(event, "", "")
        ],
        "kinds": presenters.KIND_CHOICES,
        "back": back,
        "delete_url": f"{LAYOUT.home}/{id}/sessions/{session}/delete",
    }
    return LAYOUT.render_item_page(request, id, "event/owner/session.html", context, form.status)


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, session: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    row = next((item for item in event["schedule"] if item["id"] == session), None)
    if row is None:
        raise Http404
    if request.method == "POST":
        call_tool(request, tools.delete, ids=[session])
        return redirect_with_message(
            request,
            gettext("“%(name)s” deleted. You can restore it for 30 days.") % {"name": row["title"]},
            f"{LAYOUT.home}/{id}",
        )
    return render_confirmation(
        request,
        title=gettext("Delete “%(name)s”?") % {"name": row["title"]},
        text=gettext(
            "You can restore it for 30 days. To let guests know that it won’t take place, mark it as canceled instead."
        ),
        button=gettext("Delete session"),
        back=f"{LAYOUT.home}/{id}/sessions/{session}",
    )
