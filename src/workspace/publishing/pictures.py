"""Owners' pictures as guests see them: `/pictures/UPLOAD` at a few widths, cached for ever, since an upload never
changes. The id is not to be guessed, and only a picture that is in use is shown."""

from __future__ import annotations

import io
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from PIL import Image

from workspace.accounts.models import Upload
from workspace.storage import files

WIDTHS = (96, 192, 384, 768, 1536)


def picture_url(upload_id: str, width: int) -> str:
    """The address of a picture at one of WIDTHS, at most; it is never enlarged."""
    if width not in WIDTHS:
        raise ValueError(f"A picture is shown at one of {WIDTHS}")
    return f"/pictures/{upload_id}/{width}"


def picture(request: HttpRequest, id: str, width: int) -> HttpResponse:
    found = Upload.objects.filter(pk=id, uses__gt=0).only("media_type").first()
    if found is None or width not in WIDTHS:
        raise Http404
    try:
        content = _scaled(id, width)
    except FileNotFoundError:
        raise Http404 from None
    response = HttpResponse(content, content_type=found.media_type)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response


@lru_cache(maxsize=128)
def _scaled(id: str, width: int) -> bytes:
    content = files.get(id)
    with Image.open(io.BytesIO(content)) as opened:
        if opened.width <= width:
            return content
        height = max(1, round(opened.height * width / opened.width))
        scaled = opened.resize((width, height), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        scaled.save(out, opened.format or "PNG", **({"quality": 84} if opened.format == "JPEG" else {}))
        return out.getvalue()
