"""Images of the QR codes of public addresses, rendered once and cached.

Anyone can request them. There are therefore few sizes, PNGs are rendered in a subprocess, few requests wait at a time,
and the number of large images for one guest is limited.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from workspace.accounts import plans
from workspace.lib.errors import BusyError
from workspace.lib.etags import is_not_modified
from workspace.lib.lru_cache import BoundedCache
from workspace.lib.subprocess_worker.pool import RETRY_AFTER_SECONDS, SubprocessError
from workspace.public_site.guest_page import render_state
from workspace.publishing.models import Address, ItemGoneError, State
from workspace.publishing.qr_style import default_style, item_style
from workspace.qr_symbols.png import render_png_in_worker
from workspace.qr_symbols.render_pool import render_pool
from workspace.qr_symbols.style import Style
from workspace.qr_symbols.svg import render_svg
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit

SIZES = (128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
DEFAULT_SIZE = 1024
_SymbolKey = tuple[str, Style, bytes, str]  # text, style, hash of the logo, title
_svgs: BoundedCache[str] = BoundedCache(16 * 1024 * 1024)
_pngs: BoundedCache[bytes] = BoundedCache(16 * 1024 * 1024)


# Returns the style and the logo of an address. It may raise ItemGoneError.
StyleSource = Callable[[Address], tuple[Style, bytes | None]]


def image_view(kind: str, file_prefix: str, style_source: StyleSource | None = None) -> Callable[..., HttpResponse]:
    """Return the view of the QR codes of a kind, at PREFIX/SLUG.svg and .png?size=.

    `file_prefix` is the first part of the file name. The code of a paused item is still available, because it may be in
    print. `style_source` returns the style if the items define their own.
    """

    @require_safe
    def code(request: HttpRequest, slug: str, form: str) -> HttpResponse:
        address = Address.find_by_slug(kind, slug)
        if address is None:
            return render_state(request, kind, "unknown")
        publication = address.publication
        if publication.state in (State.BANNED, State.DELETED):
            return render_state(request, kind, publication.state.value, address)
        url = f"{settings.BASE_URL}{plans.PRODUCTS[kind].path}{publication.slug}"
        etag = f"{publication.pk}-{publication.version}"
        try:
            style, logo = style_source(address) if style_source else _style_for(address)
        except ItemGoneError:
            return render_state(request, kind, State.DELETED.value, address)
        name = f"{file_prefix}-{publication.slug}" if file_prefix else publication.slug
        # It needs fewer modules in upper case.
        return render_image(request, url.upper(), form, etag=etag, file_name=name, title=url, style=style, logo=logo)

    return code


def render_image(
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
    """Return the QR code of `text` as `svg` or `png`, with an ETag built from `etag` and the content.

    `?size=` is the width of a PNG in pixels, rounded up to one of SIZES. `?download` sends it as a file. A PNG request
    may also get a 429 or 503 with Retry-After.
    """
    size = _parse_size(request) if form == "png" else 0
    # The host is part of the code's content, and the brand determines its style. Both can change without the item.
    shown = blake2b(f"{text} {(style or Style()).model_dump_json()}".encode() + (logo or b""), digest_size=6)
    tag = f'"{etag}-{shown.hexdigest()}-{form}-{size}"'
    kind = "image/svg+xml" if form == "svg" else "image/png"
    response: HttpResponse
    if is_not_modified(tag, request.headers.get("If-None-Match")):
        response = HttpResponse(status=304)
    elif request.method == "HEAD":
        response = _UnrenderedResponse(content_type=kind)
    elif form == "svg":
        response = HttpResponse(get_or_render_svg(text, style or Style(), logo, title), content_type=kind)
    else:
        try:
            content = _render_png(request, text, style or Style(), logo, title, size)
        except _RateLimitError:
            return _retry_response(
                429,
                "Too many large images were requested. Use the SVG, or try again in a minute",
                get_limit("large-qr-image").window,
            )
        except BusyError as busy:
            return _retry_response(503, busy.message, busy.retry_after)
        except SubprocessError:
            return _retry_response(
                503, "This image couldn't be created. Use the SVG, or try again later", RETRY_AFTER_SECONDS
            )
        response = HttpResponse(content, content_type=kind)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    # An SVG that is opened directly is a document, which may show only itself.
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"
    )
    if "download" in request.GET:
        response.headers["Content-Disposition"] = f'attachment; filename="{file_name}.{form}"'
    return response


def _style_for(address: Address) -> tuple[Style, bytes | None]:
    account = address.publication.account
    return item_style(address.publication.code_style, default_style(account)) if account else (Style(), None)


class _UnrenderedResponse(HttpResponse):
    """The response to a HEAD request.

    No middleware adds a length, because it is unknown before rendering.
    """

    streaming = True


class _RateLimitError(Exception):
    """The guest has requested too many large images."""


def get_or_render_svg(text: str, style: Style, logo: bytes | None, title: str) -> str:
    """Return the QR code as an SVG document, from the cache if possible."""
    return _get_or_render_svg((text, style, blake2b(logo).digest() if logo else b"", title), logo)


def _get_or_render_svg(key: _SymbolKey, logo: bytes | None) -> str:
    drawing = _svgs.get(key)
    if drawing is None:
        text, style, _, title = key
        drawing = render_svg(text, style, logo=logo, title=title)
        _svgs.put(key, drawing, len(drawing))
    return drawing


def _render_png(request: HttpRequest, text: str, style: Style, logo: bytes | None, title: str, size: int) -> bytes:
    """Render a PNG or return the cached one.

    Raise _RateLimitError, BusyError or SubprocessError if it cannot be rendered.
    """
    shown = (text, style, blake2b(logo).digest() if logo else b"", title)
    content = _pngs.get((shown, size))
    if content is not None:
        return content
    with render_pool.reserve_slot() as place:
        if size > DEFAULT_SIZE and not consume("large-qr-image", request):
            raise _RateLimitError
        with place.wait_for_turn() as turn:
            content = _pngs.get((shown, size))  # another request may have rendered it
            if content is None:
                content = render_png_in_worker(_get_or_render_svg(shown, logo), size, turn)
                _pngs.put((shown, size), content, len(content))
    return content


def _retry_response(status: int, message: str, seconds: int) -> HttpResponse:
    return HttpResponse(
        f"{message}\n",
        status=status,
        content_type="text/plain; charset=utf-8",
        headers={"Retry-After": str(seconds), "Cache-Control": "no-store"},
    )


def _parse_size(request: HttpRequest) -> int:
    text = request.GET.get("size", "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else DEFAULT_SIZE
    return next((size for size in SIZES if size >= wanted), SIZES[-1])
