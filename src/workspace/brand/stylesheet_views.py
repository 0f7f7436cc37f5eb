"""`/looks/…`: the style sheet of a look, which is made of its address alone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from workspace.brand import fonts
from workspace.brand.style import Look, digest, sheet

_FOR_EVER = "public, max-age=31536000, immutable"


@require_safe
def look(request: HttpRequest, digest_: str, **parts: str) -> HttpResponse:
    found = Look.named(parts["colour"], parts["accent"], parts["fonts"], parts["corners"], parts.get("tone"))
    if found is None:
        raise Http404
    # an older page may name a sheet that looks a little different by now
    return _sheet(sheet(found), digest_ == digest(found))


@require_safe
def faces(request: HttpRequest, digest_: str) -> HttpResponse:
    return _sheet(fonts.faces(), fonts.faces_url() == request.path)


def _sheet(css: str, is_current: bool) -> HttpResponse:
    response = HttpResponse(css, content_type="text/css; charset=utf-8")
    response.headers["Cache-Control"] = _FOR_EVER if is_current else "no-cache"
    return response
