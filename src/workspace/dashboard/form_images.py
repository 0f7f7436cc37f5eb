"""Pictures in forms: uploaded, re-encoded, and shown before any item uses them.

With script, a picture is uploaded as soon as it is selected, and the preview next to the form shows it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from workspace.accounts.models import Account, Upload
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.messages import IMAGE_TOO_LARGE, NO_IMAGE
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import ToolError
from workspace.storage.files.images import MAX_BYTES, image_url, normalize_image

_IMAGE_URL = re.compile(r"/pictures/(\w+)/\d+")


@dataclass(frozen=True, slots=True)
class ImagePreview:
    """An upload as shown on the page. Its picture is a data URL, because an unused upload has no public URL."""

    id: str
    size: str
    picture: str


def store_upload(request: SignedInRequest, form: ToolForm, file_name: str, argument: str) -> None:
    """Store a file sent with the form as an upload, and set the form's `argument` to its id.

    The picture is re-encoded before any transaction begins. Errors are added to the file's field.
    """
    file = request.FILES.get(file_name)
    if file is None or not file.size:
        return
    try:
        form.set_value(argument, _store_image(request.account, file).pk)
    except ValueError as problem:
        form.add_error(file_name, str(problem))
    except ToolError as refusal:
        form.add_error(file_name, refusal.message)


def _store_image(account: Account, file: UploadedFile[bytes]) -> Upload:
    """Store a picture.

    Raise ValueError with a human-readable message, or OperationNotAllowedError if there are too many unused uploads.
    """
    if (file.size or 0) > MAX_BYTES:
        raise ValueError(str(IMAGE_TOO_LARGE(megabytes=MAX_BYTES // 1024 // 1024)))
    return Upload.create_image(account, normalize_image(file.read()))


@page("POST")
def render_selected_image(request: SignedInRequest) -> HttpResponse:
    """Render the picture field for a selected file. The other fields of the form are not submitted."""
    name = request.POST.get("_picture", "")
    file = request.FILES.get(name)
    picture_context = {
        "argument": f"{name}_id",
        "round": bool(request.POST.get("_round")),
        "now": gettext("Selected image"),
    }
    try:
        if file is None or not file.size:
            raise ValueError(str(NO_IMAGE))
        upload = _store_image(request.account, file)
    except (ValueError, ToolError) as problem:
        return render(
            request, "dashboard/parts/picture_taken.html", {**picture_context, "errors": [str(problem)]}, status=422
        )
    context = {**picture_context, "id": upload.pk, "picture": display_url(request.account, upload.pk)}
    return render(request, "dashboard/parts/picture_taken.html", context)


def with_pending_images(account: Account, html: str) -> str:
    """Replace the URLs of unused pictures with data URLs, because those pictures are not public."""
    named = set(_IMAGE_URL.findall(html))
    for id in account.uploads.filter(pk__in=named, use_count=0).values_list("pk", flat=True) if named else ():
        if waiting := find_image_preview(account, id):
            html = re.sub(rf"(?:{re.escape(settings.BASE_URL)})?/pictures/{id}/\d+", waiting.picture, html)
    return html


def find_image_preview(account: Account, id: object) -> ImagePreview | None:
    """Return the account's upload with this ID in the form that the page shows, or None if there is none."""
    upload = find_image(account, id)
    if upload is None:
        return None
    picture = f"data:{upload.media_type};base64,{b64encode(upload.content_at(768)).decode()}"
    return ImagePreview(upload.pk, f"{upload.width} × {upload.height}", picture)


def display_url(account: Account, id: object) -> str:
    """Return a URL that shows the picture on a page even if no item uses it, or "" if there is no picture."""
    upload = find_image(account, id)
    if upload is not None and upload.use_count:
        return image_url(upload.pk, 192)
    waiting = find_image_preview(account, id)
    return waiting.picture if waiting else ""


def find_image(account: Account, id: object) -> Upload | None:
    """Return the account's picture with this ID, or None. Invalid ids cause no query."""
    text = str(id or "")
    return Upload.find_image(account, text) if text and text.isascii() and text.isprintable() else None
