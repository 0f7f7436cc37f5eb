"""What stands beside the sessions: sponsors by tier, ads, pages of information."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse

from workspace.dashboard import form_images
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import ask, done, moment
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.products.event.api import part_tools
from workspace.products.event.dashboard import presenters
from workspace.products.event.dashboard.layout import FRAME
from workspace.products.event.dashboard.speaker_views import moved

LABELS = {
    "title": "Name",
    "text": "Text",
    "tier": "Tier",
    "url": "Where it leads",
    "picture": "Picture",
    "picture_id": "Picture",
    "alt": "What the picture says",
    "place": "Where",
    "shows_from": "Show from",
    "shows_until": "Show until",
}
KINDS = {
    "sponsor": ("Sponsor", "Sponsors", "Name"),
    "ad": ("Ad", "Ads", "Title"),
    "info": ("Info page", "Info pages", "Heading"),
}
PLACES = [("top", "Above the program"), ("days", "Between the days"), ("end", "Below the program")]
NEW = "new"


def _form(request: SignedInRequest, id: str, kind: str, row: Any = None) -> ToolForm:
    initial = {}
    if row:
        times = {name: _local(row[name]) for name in ("shows_from", "shows_until")}
        initial = {**row, **times, "picture_id": row["picture_id"] or ""}
    return ToolForm(
        part_tools.save_blocks,
        request,
        fixed={"event_id": id},
        entry="items",
        entry_fixed={"id": row["id"]} if row else {"kind": kind},
        editing=row is not None,
        labels={**LABELS, "title": KINDS[kind][2]},
        initial=initial,
    )


def _local(text: str | None) -> str:
    """As an input writes it, in the program's zone."""
    found = moment(text)
    return found.strftime("%Y-%m-%dT%H:%M") if found else ""


def _blocks(found: Any) -> list[Any]:
    sponsors = [one for tier in found["sponsors"] for one in tier["sponsors"]]
    return [*sponsors, *found["ads"], *found["info_pages"]]


@page()
def more(request: SignedInRequest, id: str) -> HttpResponse:
    found = presenters.whole(request, id)
    context = {"program": found, "url": f"{FRAME.home}/{id}/more", "places": dict(PLACES)}
    return FRAME.page(request, id, "event/owner/more.html", context)


@page("GET", "HEAD", "POST")
def new(request: SignedInRequest, id: str, kind: str) -> HttpResponse:
    if kind not in KINDS:
        raise Http404
    return _shown(request, id, kind, None)


@page("GET", "HEAD", "POST")
def block(request: SignedInRequest, id: str, block: str) -> HttpResponse:
    row = _row(presenters.whole(request, id), block)
    return _shown(request, id, row["kind"], row)


def _shown(request: SignedInRequest, id: str, kind: str, row: Any) -> HttpResponse:
    form = _form(request, id, kind, row)
    form_images.take(request, form, "picture", "picture_id")
    if not form.errors and form.submit(request.caller):
        return done(request, "Saved. Guests see it on their next load.", f"{FRAME.home}/{id}/more")
    found = presenters.whole(request, id)
    context = {
        "form": form,
        "kind": kind,
        "noun": KINDS[kind][0],
        "label": KINDS[kind][2],
        "row": row,
        "program": found,
        "tiers": [tier["tier"] for tier in found["sponsors"] if tier["tier"]],
        "places": PLACES,
        "url": f"{FRAME.home}/{id}/more",
    }
    return FRAME.page(request, id, "event/owner/block.html", context, form.status)


@page("POST")
def move(request: SignedInRequest, id: str, block: str, way: str) -> HttpResponse:
    """Among those of its kind, and a sponsor among those of its tier."""
    blocks = _blocks(presenters.whole(request, id))
    row = _row_of(blocks, block)
    like = [one["id"] for one in blocks if (one["kind"], one["tier"]) == (row["kind"], row["tier"])]
    order = moved(list(like), block, way)
    ids = iter(order)
    call(
        request,
        part_tools.save_blocks,
        event_id=id,
        order=[next(ids) if one["id"] in like else one["id"] for one in blocks],
    )
    return done(request, "The new order is saved.", f"{FRAME.home}/{id}/more#b-{block}")


@page("GET", "HEAD", "POST")
def delete(request: SignedInRequest, id: str, block: str) -> HttpResponse:
    row = _row(presenters.whole(request, id), block)
    name = row["title"] or KINDS[row["kind"]][0]
    if request.method == "POST":
        call(request, part_tools.save_blocks, event_id=id, remove=[block])
        return done(request, f"“{name}” is off the program.", f"{FRAME.home}/{id}/more")
    return ask(
        request,
        title=f"Take “{name}” off the program?",
        text="For 30 days it can be brought back.",
        button="Take it off",
        back=f"{FRAME.home}/{id}/more/{block}",
    )


def _row(found: Any, block: str) -> Any:
    return _row_of(_blocks(found), block)


def _row_of(blocks: list[Any], block: str) -> Any:
    for row in blocks:
        if row["id"] == block:
            return row
    raise Http404
