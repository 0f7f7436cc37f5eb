"""Exporting statistics, and exporting and importing a page as a file with its pictures.

Besides pictures, the file contains the arguments of `svc_links_create`.
"""

from __future__ import annotations

import base64
import io
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.accounts.models import Upload
from workspace.accounts.upload_tools import upload_file
from workspace.dashboard import visit_charts
from workspace.dashboard.downloads import csv_response, download_response
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.item_presenters import redirect_with_message
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import call_tool, page
from workspace.lib.errors import InvalidInputError, ToolError
from workspace.lib.strict_json import parse
from workspace.products.links import messages
from workspace.products.links.api import export_tools, tools
from workspace.products.links.api.export_tools import dump_json, page_as_arguments
from workspace.products.links.dashboard.item_layout import LAYOUT
from workspace.products.links.domain.queries import get_page
from workspace.products.links.models import KIND
from workspace.publishing import live_blocks
from workspace.storage.files.image_limits import WIDTHS

MAX_FILE_BYTES = 4_000_000  # bytes of a file including its pictures
IMAGE_SIZES = {"avatar": 384, "share_image": 1200}  # of the pictures, in pixels
FILE_HEADER = {"format": "link-page", "version": 1}


@page()
def export_stats(request: SignedInRequest, id: str) -> HttpResponse:
    days = visit_charts.parse_period_days(request, request.account.limits(KIND).history_days)
    result = call_tool(request, export_tools.export, page_id=id, kind="stats", days=days)
    return csv_response(result["content"], result["file_name"])


@page()
def export(request: SignedInRequest, id: str) -> HttpResponse:
    page = get_page(request.account, id)
    pictures = {
        name: picture
        for name, side in IMAGE_SIZES.items()
        if (upload := getattr(page, name)) is not None and (picture := _encode_image(upload, side))
    }
    fields = page_as_arguments(page)
    for element in fields["elements"]:
        element.pop("image_id", None)  # it is the id of an upload on this instance
    content = {
        **FILE_HEADER,
        **{name: fields[name] for name in fields if name[:-3] not in IMAGE_SIZES},
        "pictures": pictures,
    }
    return download_response(dump_json(content), f"link-page-{page.slug}.json", "application/json; charset=utf-8")


@page("GET", "HEAD", "POST")
def import_page(request: SignedInRequest) -> HttpResponse:
    form = ToolForm(tools.create, request, labels={"slug": gettext("Custom link")})
    if request.method == "POST":
        try:
            left_out = _import_file(request, form)
        except InvalidInputError as refusal:
            form.error = refusal.message
        else:
            if not form.errors and (answer := form.submit(request.caller)):
                text = gettext("“%(page)s” imported.") % {"page": answer.data["title"]}
                if left_out:
                    text += " " + gettext(
                        "Some live blocks were skipped because this account doesn’t have their source."
                    )
                return redirect_with_message(request, text, f"{LAYOUT.home}/{answer.data['id']}")
    return render(request, "links/owner/import.html", {"form": form, "host": request.get_host()}, status=form.status)


def _import_file(request: SignedInRequest, form: ToolForm) -> bool:
    """Fill the form from the file. Return whether live blocks were left out.

    Raise InvalidInputError if the file is invalid.
    """
    result = _parse_file(request)
    pictures = result.pop("pictures", {})
    elements = result.get("elements", [])
    if not isinstance(pictures, dict) or not isinstance(elements, list):
        raise InvalidInputError.at_path("", messages.NOT_A_PAGE_FILE)
    named = {str(element["thing"]) for element in elements if isinstance(element, dict) and "thing" in element}
    known = {choice.id for choice in live_blocks.list_choices(request.account, named)}
    stored = [
        element for element in elements if not isinstance(element, dict) or element.get("thing") in (None, *known)
    ]
    form.values |= {**result, "elements": stored}
    for name in IMAGE_SIZES:
        if name in pictures:
            try:
                form.values[f"{name}_id"] = call_tool(request, upload_file, content=pictures[name])["upload_id"]
            except ToolError as refusal:
                form.add_error(f"{name}_id", refusal.message)
    return len(stored) < len(elements)


def _parse_file(request: SignedInRequest) -> dict[str, Any]:
    file = request.FILES.get("file")
    if file is None:
        raise InvalidInputError.at_path("", messages.FILE_NEEDED)
    if (file.size or 0) > MAX_FILE_BYTES:
        raise InvalidInputError.at_path("", messages.FILE_TOO_LARGE)
    result = parse(file.read())
    if not isinstance(result, dict) or any(result.pop(name, value) != value for name, value in FILE_HEADER.items()):
        raise InvalidInputError.at_path("", messages.NOT_A_PAGE_FILE)
    return result


def _encode_image(upload: Upload, side: int) -> str:
    """Return the picture in base64, at most `side` pixels wide and high. Return "" if its file is missing."""
    try:
        content = upload.content_at(min(width for width in WIDTHS if width >= side))
    except FileNotFoundError:
        return ""
    from PIL import Image

    with Image.open(io.BytesIO(content)) as opened:
        form = opened.format or "PNG"
        opened.thumbnail((side, side), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        opened.save(out, form, **({"quality": 84} if form == "JPEG" else {"optimize": True}))
    return base64.b64encode(out.getvalue()).decode()
