"""The QR code of a public address as a picture, drawn once and kept: of a code's printed address, of a card, a menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from threading import BoundedSemaphore

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from workspace.accounts import plans
from workspace.publishing.guest_page import told
from workspace.publishing.models import Address, State
from workspace.symbols.draw import svg
from workspace.symbols.picture import png
from workspace.symbols.style import Style
from workspace.toolkit.etags import is_known

# Anybody may ask for a picture: few sizes are kept, and few are drawn at a time, so that scans are not held up.
SIZES = (128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
DEFAULT_SIZE = 1024
_drawing = BoundedSemaphore(2)
_PATIENCE = 1.0  # seconds that a picture waits for its turn


def at(kind: str, called: str) -> Callable[..., HttpResponse]:
    """The view of a kind's own codes at PREFIX/SLUG.svg and .png?size=, in files that are `called` so. What is paused
    keeps its code: it may be in print."""

    @require_safe
    def code(request: HttpRequest, slug: str, form: str) -> HttpResponse:
        address = Address.find(kind, slug)
        if address is None:
            return told(request, kind, "unknown")
        publication = address.publication
        if publication.state in (State.BANNED, State.DELETED):
            return told(request, kind, publication.state.value, address)
        url = f"{settings.BASE_URL}{plans.PRODUCTS[kind].path}{publication.slug}"
        etag = f"{publication.pk}-{publication.version}"
        # in upper case it takes fewer modules
        return picture(request, url.upper(), form, etag=etag, file_name=f"{called}-{publication.slug}", title=url)

    return code


def picture(
    request: HttpRequest,
    text: str,
    form: str,
    *,
    etag: str,
    file_name: str,
    title: str,
    style: Style | None = None,
    logo: bytes | None = None,
) -> HttpResponse:
    """The symbol of `text` as `svg` or `png`, revalidated by an ETag made of `etag`, which tells what it shows.
    `?size=` is the PNG's width in pixels, rounded up to one of SIZES; `?download` names it as a file."""
    size = _size(request) if form == "png" else 0
    tag = f'"{etag}-{form}-{size}"'
    if is_known(tag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    else:
        drawing = drawn(text, style or Style(), logo, title)
        if form == "png" and not _drawing.acquire(timeout=_PATIENCE):
            return HttpResponse("Too many pictures at once\n", status=503, headers={"Retry-After": "2"})
        try:
            content = drawing.encode() if form == "svg" else _png(drawing, size)
        finally:
            if form == "png":
                _drawing.release()
        response = HttpResponse(content, content_type="image/svg+xml" if form == "svg" else "image/png")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    # an SVG opened by itself is a document: it may show itself and nothing else
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
    )
    if "download" in request.GET:
        response.headers["Content-Disposition"] = f'attachment; filename="{file_name}.{form}"'
    return response


@lru_cache(maxsize=512)
def drawn(text: str, style: Style, logo: bytes | None, title: str) -> str:
    return svg(text, style, logo=logo, title=title)


@lru_cache(maxsize=64)
def _png(drawing: str, size: int) -> bytes:
    return png(drawing, size)


def _size(request: HttpRequest) -> int:
    text = request.GET.get("size", "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else DEFAULT_SIZE
    return next((size for size in SIZES if size >= wanted), SIZES[-1])
