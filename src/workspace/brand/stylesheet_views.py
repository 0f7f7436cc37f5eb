"""Style sheets at `/styles/…`, built from their URL alone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from workspace.brand import fonts
from workspace.brand.style import Style, css_digest, render_css

_IMMUTABLE = "public, max-age=31536000, immutable"


@require_safe
def style_css(request: HttpRequest, digest_: str, **parts: str) -> HttpResponse:
    found = Style.from_path(parts["color"], parts["accent"], parts["fonts"], parts["corners"], parts.get("tone"))
    if found is None:
        raise Http404
    # A cached page may refer to a sheet whose content has changed since.
    return _css_response(render_css(found), digest_ == css_digest(found))


@require_safe
def fonts_css(request: HttpRequest, digest_: str) -> HttpResponse:
    return _css_response(fonts.font_picker_css(), fonts.font_picker_css_url() == request.path)


def _css_response(css: str, is_current: bool) -> HttpResponse:
    response = HttpResponse(css, content_type="text/css; charset=utf-8")
    response.headers["Cache-Control"] = _IMMUTABLE if is_current else "no-cache"
    return response
