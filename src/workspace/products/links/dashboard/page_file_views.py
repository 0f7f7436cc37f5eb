"""A page's figures as a file; a page as a file with its pictures inside, and a new page out of one. What that holds
beside its pictures is what `svc_links_create` takes."""

from __future__ import annotations

import base64
import io
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.models import Upload
from workspace.accounts.upload_tools import upload_file
from workspace.dashboard import visit_charts
from workspace.dashboard.downloads import csv_file, saved
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import done
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call, page
from workspace.lib.errors import InvalidInput, Refusal
from workspace.lib.strict_json import parse
from workspace.products.links.api import export_tools, tools
from workspace.products.links.api.export_tools import arguments_of, as_json
from workspace.products.links.api.serializers import page_of
from workspace.products.links.dashboard.layout import FRAME
from workspace.products.links.models import KIND
from workspace.publishing import live_blocks
from workspace.storage.files.image_limits import WIDTHS

LARGEST = 4_000_000  # bytes of a file: pictures are inside
SIDES = {"avatar": 384, "share_picture": 1200}  # of the pictures, in pixels
FORMAT = {"format": "link-page", "version": 1}
NO_PAGE = "This is not a page that was exported here."


@page()
def figures(request: SignedInRequest, id: str) -> HttpResponse:
    days = visit_charts.asked_days(request, request.account.limits(KIND).history_days)
    found = call(request, export_tools.export, page_id=id, kind="stats", days=days)
    return csv_file(found["content"], found["file_name"])


@page()
def export(request: SignedInRequest, id: str) -> HttpResponse:
    found = page_of(request.account, id)
    pictures = {
        name: picture
        for name, side in SIDES.items()
        if (upload := getattr(found, name)) is not None and (picture := _small(upload, side))
    }
    given = arguments_of(found)
    for one in given["elements"]:
        one.pop("picture_id", None)  # it names an upload of this installation alone
    content = {**FORMAT, **{name: given[name] for name in given if name[:-3] not in SIDES}, "pictures": pictures}
    return saved(as_json(content), f"link-page-{found.slug}.json", "application/json; charset=utf-8")


@page("GET", "HEAD", "POST")
def bring(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels={"slug": "Address"})
    if request.method == "POST":
        try:
            left_out = _take(request, form)
        except InvalidInput as refusal:
            form.error = refusal.message
        else:
            if not form.errors and (answer := form.submit(request.caller)):
                said = f"“{answer.data['title']}” is here."
                if left_out:
                    said += " Its live blocks showed what is not in this account: add them anew."
                return done(request, said, f"{FRAME.home}/{answer.data['id']}")
    return render(request, "links/import.html", {"form": form, "host": request.get_host()}, status=form.status)


def _take(request: SignedInRequest, form: ToolForm) -> bool:
    """Give the form what the file holds, and say whether live blocks were left out. Raises InvalidInput."""
    found = _read(request)
    pictures = found.pop("pictures", {})
    elements = found.get("elements", [])
    if not isinstance(pictures, dict) or not isinstance(elements, list):
        raise InvalidInput.at("", NO_PAGE)
    named = {str(one["thing"]) for one in elements if isinstance(one, dict) and "thing" in one}
    known = {choice.id for choice in live_blocks.choices(request.account, named)}
    kept = [one for one in elements if not isinstance(one, dict) or one.get("thing") in (None, *known)]
    form.values |= {**found, "elements": kept}
    for name in SIDES:
        if name in pictures:
            try:
                form.values[f"{name}_id"] = call(request, upload_file, content=pictures[name])["upload_id"]
            except Refusal as refusal:
                form.refuse(f"{name}_id", refusal.message)
    return len(kept) < len(elements)


def _read(request: SignedInRequest) -> dict[str, Any]:
    file = request.FILES.get("file")
    if file is None:
        raise InvalidInput.at("", "Choose the file that you exported, please.")
    if (file.size or 0) > LARGEST:
        raise InvalidInput.at("", "This file is too large: at most 4 MB, please.")
    found = parse(file.read())
    if not isinstance(found, dict) or any(found.pop(name, value) != value for name, value in FORMAT.items()):
        raise InvalidInput.at("", NO_PAGE)
    return found


def _small(upload: Upload, side: int) -> str:
    """The picture in base64, at most so many pixels a side; empty when its bytes are gone."""
    try:
        content = upload.at(min(width for width in WIDTHS if width >= side))
    except FileNotFoundError:
        return ""
    from PIL import Image

    with Image.open(io.BytesIO(content)) as opened:
        form = opened.format or "PNG"
        opened.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        opened.save(out, form, **({"quality": 84} if form == "JPEG" else {"optimize": True}))
    return base64.b64encode(out.getvalue()).decode()
