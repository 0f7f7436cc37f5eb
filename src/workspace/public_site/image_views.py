"""Images of owners for guests: `/pictures/UPLOAD` at a few widths, cached forever because uploads never change.

Ids cannot be guessed, and only images in use are shown.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from workspace.accounts.models import Upload
from workspace.accounts.models.upload import PICTURE
from workspace.storage.files.image_limits import WIDTHS


def image(request: HttpRequest, id: str, width: int) -> HttpResponse:
    found = Upload.objects.filter(pk=id, kind=PICTURE, use_count__gt=0).only("media_type").first()
    if found is None or width not in WIDTHS:
        raise Http404
    try:
        content = found.content_at(width)
    except FileNotFoundError:
        raise Http404 from None
    response = HttpResponse(content, content_type=found.media_type)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
