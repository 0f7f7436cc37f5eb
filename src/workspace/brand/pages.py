"""`/looks/…`: the style sheet of a look, which is made of its address alone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from workspace.brand.look import Look, digest, sheet


@require_safe
def look(request: HttpRequest, digest_: str, **parts: str) -> HttpResponse:
    found = Look.named(parts["colour"], parts["accent"], parts["fonts"], parts["corners"], parts.get("tone"))
    if found is None:
        raise Http404
    response = HttpResponse(sheet(found), content_type="text/css; charset=utf-8")
    # an older page may name a sheet that looks a little different by now
    current = digest_ == digest(found)
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if current else "no-cache"
    return response
