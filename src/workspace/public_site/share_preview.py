"""Share previews of guest pages in messengers and social networks.

A preview has a title, a text and an image of 1200 × 630 pixels, with the brand and the item's image. A product provides
a `SharePreview`: to its template as `share`, built by `build_metadata(address, face)`, and to `guest_urlpatterns`,
which serves the image. The image URL contains a hash of its content, so it can be cached forever. It is rendered when
it is first requested, and stored next to the uploads, once per publication. Requests for other hashes render nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from workspace.accounts.models import Account
from workspace.accounts.plans import PRODUCTS
from workspace.brand.models import LOGO_WIDTH, Brand
from workspace.brand.style import DAY, Style
from workspace.documents import glyph_coverage
from workspace.lib.errors import BusyError
from workspace.lib.subprocess_worker.pool import RETRY_AFTER_SECONDS, SubprocessError
from workspace.publishing.models import Address, Publication
from workspace.publishing.models.publication import share_image_key
from workspace.qr_symbols.render_pool import render_pool
from workspace.rate_limits.counter import consume
from workspace.rate_limits.table import get_limit
from workspace.storage.files import images, store
from workspace.storage.files.image_limits import MAX_SIDE

ROUTE_PATTERN = r"\.(?P<mark>[0-9a-f]{16})\.jpg"
IMMUTABLE_CACHE = "public, max-age=31536000, immutable"
KEY_PREFIX = share_image_key("")
_RENDER_VERSION = 1  # changing it renders all images again
_MAX_LENGTHS = {"title": 120, "text": 180, "foot": 60}  # characters
_COLUMN_WIDTHS = {True: 560, False: 1040}  # width of the text in pixels, with and without a photo


@dataclass(frozen=True, slots=True)
class SharePreview:
    """The content of a share preview.

    `foot` is the business. `photo` and `logo` are ids of uploads. With `whole`, the image is only the photo.
    """

    title: str
    text: str = ""
    foot: str = ""
    photo: str = ""
    logo: str = ""
    ground: tuple[str, str] = ("", "")
    ink: str = ""
    whole: bool = False

    @classmethod
    def from_brand(
        cls, account: Account, title: str, text: str = "", *, style: Style | None = None, photo: str = ""
    ) -> SharePreview:
        """Create a preview in the brand's colors, or those of the item's style, with the brand's logo.

        Without a `photo`, use the brand's image.
        """
        brand = Brand.for_account(account)
        hues = (style or brand.style).compute_colors(DAY)
        return cls(
            title=title,
            text=text,
            foot=account.name,
            photo=photo or brand.image_id or "",
            logo=brand.logo_id or "",
            ground=(hues["band"], hues["band-end"]),
            ink=hues["on-band"],
        )

    @property
    def mark(self) -> str:
        content = json.dumps([_RENDER_VERSION, asdict(self)])
        return hashlib.sha256(content.encode()).hexdigest()[:16]


PreviewSource = Callable[[Address], SharePreview]  # returns the preview of an address; may raise ItemGoneError


@dataclass(frozen=True, slots=True)
class ShareMetadata:
    """The context of `public/parts/share.html`."""

    url: str
    title: str
    text: str
    picture: str
    alt: str
    site: str
    kind: str


def build_metadata(
    address: Address, preview: SharePreview, *, title: str = "", text: str = "", part: str = "", kind: str = "website"
) -> ShareMetadata:
    """Return the metadata of a page.

    Pass `title` and `text` if they differ from those in the image, and `part` for another page of the item.
    """
    account = address.publication.account
    url = f"{settings.BASE_URL}{PRODUCTS[address.publication.kind].path}{address.publication.slug}"
    return ShareMetadata(
        url=f"{url}{part}",
        title=_shorten_line(title or preview.title, 200),
        text=_shorten_line(text or preview.text, 300),
        picture=f"{url}.{preview.mark}.jpg",
        alt=_shorten_line(" · ".join(filter(None, [preview.title, preview.text])), 200),
        site=account.name if account else "",
        kind=kind,
    )


def image_view(build_preview: PreviewSource) -> Callable[..., HttpResponse]:
    """Return the view of the preview images of a kind. A request with an old hash gets the current image."""

    def share(request: HttpRequest, address: Address, mark: str) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        face = build_preview(address)
        try:
            content = _load_or_render(request, address.publication_id, face)
        except _RateLimitError:
            return _retry_response(429, get_limit("share-image").window)
        except BusyError as busy:
            return _retry_response(503, busy.retry_after)
        except (SubprocessError, OSError):
            return _retry_response(503, RETRY_AFTER_SECONDS)
        response = HttpResponse(content, content_type="image/jpeg")
        current = mark == face.mark
        open_to_all = not address.publication.password
        response.headers["Cache-Control"] = (
            "no-store" if not open_to_all else IMMUTABLE_CACHE if current else "no-cache"
        )
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    return share


class _RateLimitError(Exception):
    """The guest has requested too many new images."""


def _load_or_render(request: HttpRequest, publication: str, preview: SharePreview) -> bytes:
    """Return the stored image, or render it.

    Raise _RateLimitError, BusyError, SubprocessError or OSError if it cannot be rendered.
    """
    key = share_image_key(publication)
    if found := _load_image(key, preview.mark):
        return found
    with render_pool.reserve_slot() as place:
        if not consume("share-image", request):
            raise _RateLimitError
        with place.wait_for_turn() as turn:
            if found := _load_image(key, preview.mark):  # another request may have rendered it
                return found
            content = turn.run("workspace.public_site.share_image_worker", json.dumps(_build_request(preview)).encode())
            store.put(key, preview.mark.encode() + content)
    return content


def _load_image(key: str, mark: str) -> bytes:
    try:
        kept = store.get(key)
    except FileNotFoundError:
        return b""
    return kept[len(mark) :] if kept.startswith(mark.encode()) else b""


def _build_request(preview: SharePreview) -> dict[str, object]:
    photo, logo = _encode_upload(preview.photo), _encode_upload(preview.logo, LOGO_WIDTH)
    words = {name: _keep_printable(getattr(preview, name), most) for name, most in _MAX_LENGTHS.items()}
    if words["title"].casefold() == words["foot"].casefold() or not words["title"]:
        words["title"], words["foot"] = words["title"] or words["foot"], ""
    fonts, folders = glyph_coverage.choose_fonts("", " ".join(words.values()))
    return {
        "words": {
            **words,
            "fonts": fonts,
            "ground": preview.ground,
            "ink": preview.ink,
            "column": _COLUMN_WIDTHS[bool(photo)],
            "logo": bool(logo),
        },
        "folders": [str(folder) for folder in folders],
        "photo": photo,
        "logo": logo,
        "whole": preview.whole,
    }


def _encode_upload(upload: str, width: int = MAX_SIDE) -> str:
    try:
        return base64.b64encode(images.load_image(upload, width)).decode() if upload else ""
    except FileNotFoundError:
        return ""


def _shorten_line(text: str, max_length: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def _keep_printable(text: str, max_length: int) -> str:
    missing = set(glyph_coverage.find_unprintable(text))
    return _shorten_line("".join(" " if char in missing else char for char in text), max_length)


def _retry_response(status: int, seconds: int) -> HttpResponse:
    return HttpResponse(status=status, headers={"Retry-After": str(seconds), "Cache-Control": "no-store"})


def keys_in_use(keys: list[str]) -> set[str]:
    """Return the keys of images whose publication still has an account, for `store.purge_orphans`."""
    ids = {share_image_key(id): id for id in (key.removeprefix(KEY_PREFIX) for key in keys)}
    there = set(Publication.objects.filter(pk__in=ids.values()).exclude(account=None).values_list("pk", flat=True))
    return {key for key, id in ids.items() if id in there}
