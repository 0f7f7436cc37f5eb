"""A file that a guest sent, for the form's owner: as an attachment, whatever it is."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from workspace.dashboard.session import SignedInRequest
from workspace.dashboard.tool_pages import page
from workspace.products.form.dashboard.frame import FRAME
from workspace.products.form.models import GuestFile
from workspace.storage import files
from workspace.toolkit.errors import NotFound


@page()
def file(request: SignedInRequest, id: str, file: str) -> HttpResponse:
    form = FRAME.find(request, id)
    found = GuestFile.objects.filter(form=form, pk=file).first() if file.isprintable() else None
    try:
        content = files.get(found.pk) if found is not None else None
    except FileNotFoundError:
        content = None
    if found is None or content is None:
        raise NotFound("There is no such file")
    response = HttpResponse(content, content_type="application/octet-stream")
    response.headers["Content-Disposition"] = content_disposition_header(True, found.name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "private, no-store"
    return response
