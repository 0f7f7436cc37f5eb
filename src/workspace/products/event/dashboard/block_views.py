"""The pages for sponsors by tier, ads, and information pages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext, gettext_lazy

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import parse_time, redirect_with_message, render_confirmation
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.owner_translation import OwnerText
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.item_layout import LAYOUT
from workspace.products.event.dashboard.speaker_views import shift_id

LABELS = {
    "title": gettext_lazy("Name"),
    "text": gettext_lazy("Text"),
    "tier": gettext_lazy("Tier"),
    "url": gettext_lazy("Link"),
    "image": gettext_lazy("Image"),
    "image_id": gettext_lazy("Image"),
    "alt": gettext_lazy("Image description"),
    "place": gettext_lazy("Position"),
    "shows_from": gettext_lazy("Show from"),
    "shows_until": gettext_lazy("Show until"),
}


@dataclass(frozen=True, slots=True)
class BlockKindTexts:
    """The wording for a kind of block: its name, the label of its title, and the messages about changes."""

    noun: OwnerText
    title_label: OwnerText
    new_heading: OwnerText
    saved_message: OwnerText
    delete_button: OwnerText


KIND_TEXTS = {
    "sponsor": BlockKindTexts(
        noun=gettext_lazy("Sponsor"),
        title_label=gettext_lazy("Name"),
        new_heading=gettext_lazy("Add sponsor"),
        saved_message=gettext_lazy("Sponsor saved."),
        delete_button=gettext_lazy("Delete sponsor"),
    ),
    "ad": BlockKindTexts(
        noun=gettext_lazy("Ad"),
        title_label=gettext_lazy("Title"),
        new_heading=gettext_lazy("Add ad"),
        saved_message=gettext_lazy("Ad saved."),
        delete_button=gettext_lazy("Delete ad"),
    ),
    "info": BlockKindTexts(
        noun=gettext_lazy("Info page"),
        title_label=gettext_lazy("Heading"),
        new_heading=gettext_lazy("Add info page"),
        saved_message=gettext_lazy("Info page saved."),
        delete_button=gettext_lazy("Delete info page"),
    ),
}
PLACE_LABELS = [
    ("top", gettext_lazy("Above the program")),
    ("days", gettext_lazy("Between the days")),
    ("end", gettext_lazy("Below the program")),
]


def _form(request: SignedInRequest, id: str, kind: str, row: Any = None) -> ToolForm:
    initial = {}
    if row:
        times = {name: _to_local_input(row[name]) for name in ("shows_from", "shows_until")}
        initial = {**row, **times, "image_id": row["image_id"] or ""}
    return ToolForm(
        part_tools.save_blocks,
        request,
        fixed={"event_id": id},
        entry="items",
        entry_fixed={"id": row["id"]} if row else {"kind": kind},
        editing=row is not None,
        labels={**LABELS, "title": KIND_TEXTS[kind].title_label},
        initial=initial,
    )


def _to_local_input(text: str | None) -> str:
    """Format a time for an input field, in the program's zone."""
    moment = parse_time(text)
    return moment.strftime("%Y-%m-%dT%H:%M") if moment else ""


def _list_blocks(event: Any) -> list[Any]:
    sponsors = [sponsor for tier in event["sponsors"] for sponsor in tier["sponsors"]]
    return [*sponsors, *event["ads"], *event["info_pages"]]


@page()
def blocks(request: SignedInRequest, id: str) -> HttpResponse:
    event = presenters.get_event(request, id)
    context = {"program": event, "url": f"{LAYOUT.home}/{id}/more", "places": dict(PLACE_LABELS)}
    return LAYOUT.render_item_page(request, id, "event/owner/blocks.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    if kind not in KIND_TEXTS:
        raise Http404
    return _render_form(request, id, kind, None)


@page("GET", "HEAD", "POST")
def edit(request: SignedInRequest, id: str, block: str) -> HttpResponse:
    row = _load_block(presenters.get_event(request, id), block)
    return _render_form(request, id, row["kind"], row)


def _render_form(request: SignedInRequest, id: str, kind: str, row: Any) -> HttpResponse:
    form = _form(request, id, kind, row)
    form_images.store_upload(request, form, "image", "image_id")
    if not form.errors and form.submit(request.caller):
        return redirect_with_message(request, str(KIND_TEXTS[kind].saved_message), f"{LAYOUT.home}/{id}/more")
    event = presenters.get_event(request, id)
    context = {
        "form": form,
        "kind": kind,
        "texts": KIND_TEXTS[kind],
        "row": row,
        "program": event,
        "tiers": [tier["tier"] for tier in event["sponsors"] if tier["tier"]],
        "places": PLACE_LABELS,
        "url": f"{LAYOUT.home}/{id}/more",
    }
    return LAYOUT.render_item_page(request, id, "event/owner/block.html", context, form.status)


@page("POST")
def move(request: SignedInRequest, id: str, block: str, direction: str) -> HttpResponse:
    """Move a block up or down among blocks of the same kind. A sponsor moves within its tier."""
    blocks = _list_blocks(presenters.get_event(request, id))
    row = _get_block(blocks, block)
    like = [block["id"] for block in blocks if (block["kind"], block["tier"]) == (row["kind"], row["tier"])]
    order = shift_id(list(like), block, direction)
    ids = iter(order)
    call_tool(
        request,
        part_tools.save_blocks,
        event_id=id,
        order=[next(ids) if block["id"] in like else block["id"] for block in blocks],
    )
    return redirect_with_message(request, gettext("Order saved."), f"{LAYOUT.home}/{id}/more#b-{block}")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, block: str) -> HttpResponse:
    row = _load_block(presenters.get_event(request, id), block)
    texts = KIND_TEXTS[row["kind"]]
    name = row["title"] or texts.noun
    if request.method == "POST":
        call_tool(request, part_tools.save_blocks, event_id=id, remove=[block])
        return redirect_with_message(
            request,
            gettext("“%(name)s” deleted. You can restore it for 30 days.") % {"name": name},
            f"{LAYOUT.home}/{id}/more",
        )
    return render_confirmation(
        request,
        title=gettext("Delete “%(name)s”?") % {"name": name},
        text=gettext("You can restore it for 30 days."),
        button=str(texts.delete_button),
        back=f"{LAYOUT.home}/{id}/more/{block}",
    )


def _load_block(event: Any, block: str) -> Any:
    return _get_block(_list_blocks(event), block)


def _get_block(blocks: list[Any], block: str) -> Any:
    for row in blocks:
        if row["id"] == block:
            return row
    raise Http404
