"""A stored code as a picture, drawn once per version and kept."""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.utils.http import quote_etag

from workspace.products.qr.models import Code
from workspace.symbols.draw import svg
from workspace.symbols.picture import png
from workspace.symbols.style import Style

SIZES = (128, 4096)
DEFAULT_SIZE = 1024


def svg_of(code: Code) -> str:
    logo = code.logo.content if code.logo else None
    return _svg(code.printed_url, code.looks, logo, code.short_url)


@lru_cache(maxsize=512)
def _svg(text: str, style: Style, logo: bytes | None, title: str) -> str:
    return svg(text, style, logo=logo, title=title)


@lru_cache(maxsize=64)
def _png(drawing: str, size: int) -> bytes:
    return png(drawing, size)


def picture_of(request: HttpRequest, code: Code, form: str) -> HttpResponse:
    """The picture with an ETag of what it shows. `?size=` is the PNG's width in pixels, 128 to 4096;
    `?download` names it as a file."""
    text = request.GET.get("size", "")
    size = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else DEFAULT_SIZE
    size = max(SIZES[0], min(SIZES[1], size))
    # the version follows the look and the slug; the address is there for an installation that moves to another host
    shows = f"{code.publication.version}-{crc32(code.printed_url.encode()):x}"
    tag = quote_etag(f"{code.pk}-{shows}-{form}-{size if form == 'png' else 0}")
    if request.headers.get("If-None-Match") == tag:
        response = HttpResponse(status=304)
    else:
        drawing = svg_of(code)
        content = drawing.encode() if form == "svg" else _png(drawing, size)
        response = HttpResponse(content, content_type="image/svg+xml" if form == "svg" else "image/png")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    # an SVG opened by itself is a document: it may show itself and nothing else
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
    )
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if "download" in request.GET:
        response.headers["Content-Disposition"] = f'attachment; filename="{code.slug}.{form}"'
    return response
