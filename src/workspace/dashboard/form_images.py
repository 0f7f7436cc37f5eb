"""Pictures that come with a form: taken, drawn anew, and shown before anything uses them. With script one is taken as
soon as it is chosen, and the page beside the form shows it."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import render

from workspace.accounts.models import Account, Upload
from workspace.dashboard.forms import ToolForm
from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_views import page
from workspace.lib.errors import ToolError
from workspace.storage.files.images import MAX_BYTES, image_url, normalize_image

_IMAGE_URL = re.compile(r"/pictures/(\w+)/\d+")


@dataclass(frozen=True, slots=True)
class ImagePreview:
    """An upload for the page: its picture is a data address, since a waiting upload has no public one."""

    id: str
    size: str
    picture: str


def store_upload(request: SignedInRequest, form: ToolForm, file_name: str, argument: str) -> None:
    """A file that came with the form becomes an upload, drawn anew before any transaction begins, and the form's value
    of `argument`; what is wrong with it is put at the file's field."""
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
    """Raises ValueError with a text for people, OperationNotAllowedError where too many wait."""
    if (file.size or 0) > MAX_BYTES:
        raise ValueError(f"A picture may have up to {MAX_BYTES // 1024 // 1024} MB")
    return Upload.create_image(account, normalize_image(file.read()))


@page("POST")
def selected_image(request: SignedInRequest) -> HttpResponse:
    """What a field for a picture shows of the file that was chosen there; the form's other fields stay unsent."""
    name = request.POST.get("_picture", "")
    file = request.FILES.get(name)
    told = {"argument": f"{name}_id", "round": bool(request.POST.get("_round")), "now": "The picture that you chose"}
    try:
        if file is None or not file.size:
            raise ValueError("Choose a picture")
        upload = _store_image(request.account, file)
    except (ValueError, ToolError) as problem:
        return render(request, "dashboard/parts/picture_taken.html", {**told, "errors": [str(problem)]}, status=422)
    context = {**told, "id": upload.pk, "picture": display_url(request.account, upload.pk)}
    return render(request, "dashboard/parts/picture_taken.html", context)


def with_pending_images(account: Account, html: str) -> str:
    """A page with the pictures that nothing uses yet, and which have no address therefore, drawn into it."""
    named = set(_IMAGE_URL.findall(html))
    for id in account.uploads.filter(pk__in=named, use_count=0).values_list("pk", flat=True) if named else ():
        if waiting := image_preview(account, id):
            html = re.sub(rf"(?:{re.escape(settings.BASE_URL)})?/pictures/{id}/\d+", waiting.picture, html)
    return html


def image_preview(account: Account, id: object) -> ImagePreview | None:
    """The account's upload for the page; None for an empty id, or one that is not the account's."""
    upload = find_image(account, id)
    if upload is None:
        return None
    picture = f"data:{upload.media_type};base64,{b64encode(upload.content_at(768)).decode()}"
    return ImagePreview(upload.pk, f"{upload.width} × {upload.height}", picture)


def display_url(account: Account, id: object) -> str:
    """Where a page shows one of the account's pictures, also before anything uses it; empty for none."""
    upload = find_image(account, id)
    if upload is not None and upload.use_count:
        return image_url(upload.pk, 192)
    waiting = image_preview(account, id)
    return waiting.picture if waiting else ""


def find_image(account: Account, id: object) -> Upload | None:
    text = str(id or "")
    return Upload.find_image(account, text) if text and text.isascii() and text.isprintable() else None
