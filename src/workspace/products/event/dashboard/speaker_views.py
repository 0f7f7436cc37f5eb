"""The pages for speakers: the list, adding, editing and deleting."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT


def _form(request: SignedInRequest, id: str, row: Any = None) -> ToolForm:
    return ToolForm(
        part_tools.save_speakers,
        request,
        fixed={"event_id": id},
        entry="items",
        entry_fixed={"id": row["id"]} if row else {},
        editing=row is not None,
        labels={"image": gettext_lazy("Photo")},
        initial={**row, "image_id": row["image_id"] or ""} if row else {},
    )


@page("GET", "HEAD", "POST")
def speakers(request: SignedInRequest, id: str) -> HttpResponse:
    """Show all speakers. A POST adds a speaker."""
    form = _form(request, id)
    form_images.store_upload(request, form, "image", "image_id")
    if not form.errors and form.submit(request.caller):
        return redirect_with_message(
            request, gettext("“%(name)s” added.") % {"name": form.values["name"]}, f"{LAYOUT.home}/{id}/speakers"
        )
    event = presenters.get_event(request, id)
    context = {"form": form, "program": event, "speakers": event["speakers"], "url": f"{LAYOUT.home}/{id}/speakers"}
    return LAYOUT.render_item_page(request, id, "event/owner/speakers.html", context, form.status)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, speaker: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    row = _get_speaker(event, speaker)
    form = _form(request, id, row)
    form_images.store_upload(request, form, "image", "image_id")
    if not form.errors and form.submit(request.caller):
        return redirect_with_message(request, gettext("Speaker saved."), f"{LAYOUT.home}/{id}/speakers")
    speaks = [item for item in event["schedule"] if item["id"] in row["sessions"]]
    url = f"{LAYOUT.home}/{id}/speakers/{speaker}"
    context = {"form": form, "row": row, "speaks": speaks, "url": url, "program": event}
    return LAYOUT.render_item_page(request, id, "event/owner/speaker.html", context, form.status)


@page("POST")
def move(request: SignedInRequest, id: str, speaker: str, direction: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    _get_speaker(event, speaker)
    call_tool(
        request,
        part_tools.save_speakers,
        event_id=id,
        order=shift_id([speaker["id"] for speaker in event["speakers"]], speaker, direction),
    )
    return redirect_with_message(request, gettext("Order saved."), f"{LAYOUT.home}/{id}/speakers#s-{speaker}")


def shift_id(ids: list[str], id: str, direction: str) -> list[str]:
    """Return the ids with `id` moved up or down by one."""
    here = ids.index(id)
    existing = max(here - 1, 0) if direction == "up" else min(here + 1, len(ids) - 1)
    ids.insert(existing, ids.pop(here))
    return ids


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, speaker: str) -> HttpResponse:
    row = _get_speaker(presenters.get_event(request, id), speaker)
    if request.method == "POST":
        call_tool(request, part_tools.save_speakers, event_id=id, remove=[speaker])
        return redirect_with_message(
            request,
            gettext("“%(name)s” deleted. You can restore them for 30 days.") % {"name": row["name"]},
            f"{LAYOUT.home}/{id}/speakers",
        )
    count = len(row["sessions"])
    text = gettext("You can restore them for 30 days.")
    if count:
        text = ngettext(
            "%(count)s session loses this speaker but stays in the program. You can restore them for 30 days.",
            "%(count)s sessions lose this speaker but stay in the program. You can restore them for 30 days.",
            count,
        ) % {"count": count}
    return render_confirmation(
        request,
        title=gettext("Delete “%(name)s”?") % {"name": row["name"]},
        text=text,
        button=gettext("Delete speaker"),
        back=f"{LAYOUT.home}/{id}/speakers/{speaker}",
    )


def _get_speaker(event: Any, speaker: str) -> Any:
    for row in event["speakers"]:
        if row["id"] == speaker:
            return row
    raise Http404
